//! An engine for Havannah on a board whose base is chosen at run time.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::Engine;
use crate::bits::Isa;
use crate::game::Move;
use crate::havannah::geometry::Tables;
use crate::havannah::structure::winning_structure;
use crate::havannah::{Base, Board, Cell, Colour, Outcome, PlayError};
use crate::params::Params;
use crate::playout::BoardPlayouts;
use crate::search::{Limits, Report};
use crate::with_base;

/// What a side did when it was its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    Place(Colour, Cell),
    /// The second player took the first stone as its own (the pie rule).
    Swap,
}

/// Shows a report each time so much has passed.
pub struct Updates<'a> {
    pub every: Duration,
    pub show: &'a mut dyn FnMut(&Report),
}

/// Plays Havannah on some base: the game so far, and the engine that follows it.
pub trait HavannahEngine: Send {
    fn tables(&self) -> &'static Tables;
    fn to_move(&self) -> Colour;
    fn outcome(&self) -> Outcome;
    fn colour_at(&self, cell: Cell) -> Option<Colour>;
    /// The cells where a stone may be placed; none if the game is over.
    fn legal_cells(&self) -> Vec<Cell>;
    /// The stones without which there would be no win; none if there is none.
    fn winning_stones(&self) -> Vec<Cell>;
    /// The stones that were there before the first turn.
    fn setup(&self) -> &[(Colour, Cell)];
    /// The game so far.
    fn turns(&self) -> &[Turn];

    /// Begins a game with stones on the board; a stone that cannot be there. Without a side, White is
    /// to move, or the side with fewer stones.
    fn set_up(
        &mut self,
        stones: &[(Colour, Cell)],
        to_move: Option<Colour>,
    ) -> Result<(), (Cell, PlayError)>;
    /// Places a stone. If it is not the turn of its colour, it is now.
    fn place(&mut self, colour: Colour, cell: Cell) -> Result<(), PlayError>;
    /// Whether the pie rule allows the side to move to take the first stone.
    fn can_swap(&self) -> bool;
    /// Takes the first stone; false if that cannot be done.
    fn swap(&mut self) -> bool;
    /// Takes the last turn back; false if there is none.
    fn undo(&mut self) -> bool;
    /// Gives the move to a side.
    fn give_move_to(&mut self, colour: Colour);
    /// Changes the settings. What is known of the position is forgotten.
    fn set_params(&mut self, params: &Params);

    /// Searches the position.
    fn analyze(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        updates: Option<Updates<'_>>,
    ) -> Report;
    /// What is known of the position, without a search.
    fn report(&mut self) -> Report;
}

/// An engine for a board of a size; none if there is no such base.
pub fn havannah_engine(size: usize, isa: Isa, params: &Params) -> Option<Box<dyn HavannahEngine>> {
    with_base!(size, B => Box::new(OnBase::<B>::new(isa, params)) as Box<dyn HavannahEngine>)
}

struct OnBase<B: Base> {
    isa: Isa,
    engine: Engine<BoardPlayouts<B>>,
    turns: Vec<Turn>,
    /// The stones that were there before the first turn.
    setup: Vec<(Colour, Cell)>,
    /// The side whose turn it was before the other was asked to move.
    turn_before: Option<Colour>,
}

impl<B: Base> OnBase<B> {
    fn new(isa: Isa, params: &Params) -> Self {
        let (turns, setup) = (Vec::new(), Vec::new());
        Self { isa, engine: Engine::havannah(isa, params), turns, setup, turn_before: None }
    }

    /// After a turn: taking it back gives the move to the side that had it before.
    fn remember_turn(&mut self) {
        if let (Some(side), Some(before)) =
            (self.turn_before.take(), self.engine.history.last_mut())
        {
            before.set_to_move(side);
        }
    }

    fn board(&self) -> &Board<B> {
        self.engine.position()
    }
}

impl<B: Base> HavannahEngine for OnBase<B> {
    fn tables(&self) -> &'static Tables {
        B::TABLES
    }

    fn to_move(&self) -> Colour {
        self.board().to_move()
    }

    fn outcome(&self) -> Outcome {
        self.board().outcome()
    }

    fn colour_at(&self, cell: Cell) -> Option<Colour> {
        self.board().colour_at(cell)
    }

    fn legal_cells(&self) -> Vec<Cell> {
        let cells = self.board().empty_cells().only_if(!self.outcome().is_over());
        cells.iter().map(Cell::from_index).collect()
    }

    fn winning_stones(&self) -> Vec<Cell> {
        winning_structure(self.board()).iter().map(Cell::from_index).collect()
    }

    fn setup(&self) -> &[(Colour, Cell)] {
        &self.setup
    }

    fn turns(&self) -> &[Turn] {
        &self.turns
    }

    fn set_up(
        &mut self,
        stones: &[(Colour, Cell)],
        to_move: Option<Colour>,
    ) -> Result<(), (Cell, PlayError)> {
        let mut board = Board::<B>::new();
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

    fn place(&mut self, colour: Colour, cell: Cell) -> Result<(), PlayError> {
        let mut next = *self.board();
        next.set_to_move(colour);
        next.play(cell)?;
        if self.to_move() == colour {
            self.engine.play(Move::new(cell.index())).expect("the board takes the stone");
        } else {
            self.engine.set_next_position(next);
        }
        self.remember_turn();
        self.turns.push(Turn::Place(colour, cell));
        Ok(())
    }

    fn can_swap(&self) -> bool {
        let is_first =
            matches!(self.turns[..], [Turn::Place(colour, _)] if colour != self.to_move());
        is_first && self.setup.is_empty() && !self.outcome().is_over()
    }

    fn swap(&mut self) -> bool {
        let [Turn::Place(_, cell)] = self.turns[..] else {
            return false;
        };
        if !self.can_swap() {
            return false;
        }
        let mut next = Board::<B>::new();
        next.set_to_move(self.to_move());
        next.place(cell);
        self.engine.set_next_position(next);
        self.remember_turn();
        self.turns.push(Turn::Swap);
        true
    }

    fn undo(&mut self) -> bool {
        self.turns.pop();
        self.turn_before = None;
        let is_undone = self.engine.undo();
        // The search may still be where the other side was asked to move.
        let position = *self.board();
        if self.engine.ahead.is_empty() && *self.engine.search.position() != position {
            self.engine.jump(position);
        }
        is_undone
    }

    fn give_move_to(&mut self, colour: Colour) {
        if self.to_move() != colour {
            let before = self.to_move();
            let mut same = *self.board();
            same.set_to_move(colour);
            self.engine.jump(same);
            // Back and forth is no change.
            self.turn_before = match self.turn_before {
                Some(first) if first == colour => None,
                first => first.or(Some(before)),
            };
        }
    }

    fn set_params(&mut self, params: &Params) {
        let mut changed = Engine::havannah(self.isa, params);
        changed.jump(*self.board());
        changed.history = std::mem::take(&mut self.engine.history);
        self.engine = changed;
    }

    fn analyze(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        updates: Option<Updates<'_>>,
    ) -> Report {
        let Some(Updates { every, show }) = updates else {
            return self.engine.analyze(limits, stop, |_| {});
        };
        let begin = Instant::now();
        let mut due = every;
        self.engine.analyze(limits, stop, |search| {
            let elapsed = begin.elapsed();
            if elapsed >= due {
                due = elapsed + every;
                show(&search.report(elapsed));
            }
        })
    }

    fn report(&mut self) -> Report {
        self.engine.report()
    }
}
