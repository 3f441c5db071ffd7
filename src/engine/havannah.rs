//! An engine for Havannah: a game with set-up stones, turns out of order and the pie rule.
//!
//! The board, `setup` and `turns` always describe the same game. Clocks and resigning are in
//! `player`.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::Engine;
use crate::bits::Isa;
use crate::game::Position;
use crate::havannah::{Board, Cell, Colour, Geometry, Outcome, PlayError};
use crate::mcts::Mcts;
use crate::params::Params;
use crate::search::{Ending, Limits, Report, Search};

/// What a side did in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    Place(Colour, Cell),
    /// The second player took the first stone as its own (the pie rule).
    Swap,
}

/// Calls `show` with a report each time `every` has passed.
pub struct Updates<'a> {
    pub every: Duration,
    pub show: &'a mut dyn FnMut(&Report),
}

/// Plays Havannah: the game so far, and the search that follows it.
pub struct HavannahEngine {
    isa: Isa,
    engine: Engine<Board>,
    turns: Vec<Turn>,
    /// The stones before the first turn.
    setup: Vec<(Colour, Cell)>,
    /// The side to move before the last `give_move_to`, if that changed it. Undo restores it.
    turn_before: Option<Colour>,
}

/// A constructor of searches with these settings.
fn new_search(isa: Isa, params: &Params) -> impl Fn(&Board) -> Box<dyn Search> + Send + 'static {
    let params = params.clone();
    move |board| Box::new(Mcts::new(isa, &params, board.boxed()))
}

impl HavannahEngine {
    /// An engine at the empty board of a size. `None` if there is no such base.
    pub fn new(size: usize, isa: Isa, params: &Params) -> Option<Self> {
        Some(Self::at(Board::new(size)?, isa, params))
    }

    /// An engine at a position. The game begins there.
    pub fn at(board: Board, isa: Isa, params: &Params) -> Self {
        let engine = Engine::new(board, new_search(isa, params));
        Self { isa, engine, turns: Vec::new(), setup: Vec::new(), turn_before: None }
    }

    pub fn board(&self) -> &Board {
        self.engine.position()
    }

    pub fn geometry(&self) -> &'static Geometry {
        self.board().geometry()
    }

    pub fn to_move(&self) -> Colour {
        self.board().to_move()
    }

    pub fn outcome(&self) -> Outcome {
        self.board().outcome()
    }

    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        self.board().colour_at(cell)
    }

    /// Why the last search ended.
    pub fn ending(&self) -> Option<Ending> {
        self.engine.ending()
    }

    /// The cells where a stone may be placed. Empty if the game is over.
    pub fn legal_cells(&self) -> Vec<Cell> {
        let cells = self.board().empty_cells().only_if(!self.outcome().is_over());
        cells.iter().map(Cell::from_index).collect()
    }

    /// The stones before the first turn.
    pub fn setup(&self) -> &[(Colour, Cell)] {
        &self.setup
    }

    /// The game so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Begins a game with stones on the board. The error is a stone that is not allowed. Without
    /// `to_move`, the side with fewer stones is to move; White if both have the same number.
    pub fn set_up(
        &mut self,
        stones: &[(Colour, Cell)],
        to_move: Option<Colour>,
    ) -> Result<(), (Cell, PlayError)> {
        let mut board = Board::of(self.geometry());
        for (colour, cell) in stones {
            board.set_to_move(*colour);
            board.play(*cell).map_err(|error| (*cell, error))?;
        }
        let [white, black] = Colour::BOTH.map(|colour| board.stones(colour).len());
        let fewer = if white > black { Colour::Black } else { Colour::White };
        board.set_to_move(to_move.unwrap_or(fewer));
        self.engine.set_position(board);
        self.turns.clear();
        self.setup = stones.to_vec();
        self.turn_before = None;
        Ok(())
    }

    /// Places a stone of any colour. If it was not the turn of that colour, the turn is given to it
    /// first.
    pub fn place(&mut self, colour: Colour, cell: Cell) -> Result<(), PlayError> {
        let mut next = *self.board();
        next.set_to_move(colour);
        next.play(cell)?;
        if self.to_move() == colour {
            let next = self.geometry().move_to(cell);
            self.engine.play(next).expect("the board takes the stone");
        } else {
            self.engine.set_next_position(next);
        }
        self.end_turn(Turn::Place(colour, cell));
        Ok(())
    }

    /// Whether the pie rule allows the side to move to take the first stone.
    pub fn can_swap(&self) -> bool {
        let is_first =
            matches!(self.turns[..], [Turn::Place(colour, _)] if colour != self.to_move());
        is_first && self.setup.is_empty() && !self.outcome().is_over()
    }

    /// Takes the first stone. False if that is not allowed.
    pub fn swap(&mut self) -> bool {
        let [Turn::Place(_, cell)] = self.turns[..] else {
            return false;
        };
        if !self.can_swap() {
            return false;
        }
        let mut next = Board::of(self.geometry());
        next.set_to_move(self.to_move());
        next.place(cell);
        self.engine.set_next_position(next);
        self.end_turn(Turn::Swap);
        true
    }

    /// Records a turn. If `give_move_to` changed the side to move, undo restores the side before
    /// it.
    fn end_turn(&mut self, turn: Turn) {
        self.turns.push(turn);
        if let (Some(side), Some(before)) = (self.turn_before.take(), self.engine.history().last())
        {
            let mut before = *before;
            before.set_to_move(side);
            self.engine.set_position_before(before);
        }
    }

    /// Takes the last turn back. False if there is none.
    pub fn undo(&mut self) -> bool {
        self.turns.pop();
        self.turn_before = None;
        self.engine.undo()
    }

    /// Sets the side to move. The search starts again if that changes it.
    pub fn give_move_to(&mut self, colour: Colour) {
        if self.to_move() != colour {
            let before = self.to_move();
            let mut same = *self.board();
            same.set_to_move(colour);
            self.engine.replace_position(same);
            // Two changes cancel each other.
            self.turn_before = match self.turn_before {
                Some(first) if first == colour => None,
                first => first.or(Some(before)),
            };
        }
    }

    /// Changes the settings. The search starts again.
    pub fn set_params(&mut self, params: &Params) {
        self.engine.set_search(new_search(self.isa, params));
    }

    /// Searches the position until a limit is reached or `stop` is set.
    pub fn analyze(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        updates: Option<Updates<'_>>,
    ) -> Report {
        let Some(Updates { every, show }) = updates else {
            return self.engine.analyze(limits, stop, &mut |_| {});
        };
        let begin = Instant::now();
        let mut due = every;
        self.engine.analyze(limits, stop, &mut |found| {
            let elapsed = begin.elapsed();
            if elapsed >= due {
                due = elapsed.saturating_add(every);
                show(&found.report(elapsed));
            }
        })
    }

    /// What is known about the position, without a search.
    pub fn report(&mut self) -> Report {
        self.engine.report()
    }
}
