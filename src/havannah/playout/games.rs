//! Playouts for search and other callers: games that begin with a line of moves, on a board whose base is
//! known at run time. Every line is checked here before it reaches the unsafe kernel, unless the caller
//! guarantees that it is legal.

#[cfg(feature = "cli")]
use super::floor::DrawBatch;
use super::{Guide, Playout, Policy, Simulator, Start};
use crate::bits::Isa;
use crate::game::{Children, DRAW, Hits, LeafWork, MOVE_WORDS, Move, MoveWords, Prospect, Value};
#[cfg(any(test, feature = "internals"))]
use crate::havannah::Colour;
use crate::havannah::prospect::{LookAhead, points_of_white};
use crate::havannah::width::{self, with_width};
use crate::havannah::{Board, Cell, Layout, Width};
use crate::params::{Params, PlayoutPolicy};
use crate::policies::games::Context;
#[cfg(test)]
use crate::policies::games::SequentialGame;
use crate::rng::Rng;

/// The leaf work of a search thread, from a position.
pub(in crate::havannah) fn leaf_work(
    board: &Board,
    isa: Isa,
    params: &Params,
) -> Box<dyn LeafWork> {
    let work = with_width!(width, board.geometry().size, W => {
        Box::new(BoardPlayouts::<W>::guided(board, isa, params)) as Box<dyn LeafWork>
    });
    work.expect("every board has a width")
}

/// Leaf work whose N-grams have learned some games of two moves, each with its winner.
#[cfg(test)]
pub(crate) fn taught_leaf_work(
    board: &Board,
    params: &Params,
    games: &[([Move; 2], usize)],
) -> Box<dyn LeafWork> {
    let work = with_width!(width, board.geometry().size, W => {
        let mut playouts = BoardPlayouts::<W>::guided(board, Isa::best(), params);
        let guide = playouts.guide.as_mut().expect("N-grams ask for a guide");
        let ngrams = guide.ngrams_mut().expect("N-grams are kept for selection");
        let first_side = board.to_move().index();
        for (moves, winner) in games {
            let moves = moves.map(|next| board.geometry().cell_of(next).index() as u16);
            ngrams.learn(&SequentialGame { moves: &moves, line: 0, first_side, winner: Some(*winner) });
        }
        Box::new(playouts) as Box<dyn LeafWork>
    });
    work.expect("every board has a width")
}

/// A line of moves that cannot be played from a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {} of the line is illegal", .at + 1)]
pub struct IllegalLine {
    /// The index in the line of the first illegal move.
    pub at: usize,
}

/// Plays simulated games from a position, one at a time, in its own memory.
pub struct Playouts {
    board: Board,
    games: Box<dyn PlayoutKernel>,
    /// Whether the last game consists of given moves only, and these moves.
    is_given: bool,
    given: Vec<Cell>,
}

impl Playouts {
    /// Playouts from a position with a policy of the random kernel.
    pub fn new(board: &Board, policy: Policy, isa: Isa) -> Self {
        let games = with_width!(width, board.geometry().size, W => {
            Box::new(BoardPlayouts::<W>::new(board, isa, policy)) as Box<dyn PlayoutKernel>
        });
        Self::of(board, games.expect("every board has a width"))
    }

    /// Playouts from a position with the policies that the settings ask for.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn guided(board: &Board, isa: Isa, params: &Params) -> Self {
        let games = with_width!(width, board.geometry().size, W => {
            Box::new(BoardPlayouts::<W>::guided(board, isa, params)) as Box<dyn PlayoutKernel>
        });
        Self::of(board, games.expect("every board has a width"))
    }

    fn of(board: &Board, games: Box<dyn PlayoutKernel>) -> Self {
        let given = Vec::with_capacity(board.geometry().cell_count());
        Self { board: *board, games, is_given: false, given }
    }

    /// The start position of the games.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a game. It depends only on the position, the policies, what they have learned and the state of
    /// the generator. If the game is over in the start position, no move is played.
    pub fn run(&mut self, rng: &mut Rng) -> Playout {
        if self.board.outcome().is_over() {
            self.is_given = true;
            self.given.clear();
            return Playout { outcome: self.board.outcome(), length: 0 };
        }
        self.is_given = false;
        // SAFETY: no moves are given.
        unsafe { self.games.play(&[], rng) }
    }

    /// Plays a game that begins with a line of moves; only the last of them may end the game.
    pub fn run_line(&mut self, line: &[Move], rng: &mut Rng) -> Result<Playout, IllegalLine> {
        if line.is_empty() {
            return Ok(self.run(rng));
        }
        let mut board = self.board;
        for (at, next) in line.iter().enumerate() {
            let cell = board.geometry().cells().get(next.number()).ok_or(IllegalLine { at })?;
            board.play(*cell).map_err(|_| IllegalLine { at })?;
        }
        if board.outcome().is_over() {
            self.is_given = true;
            self.given.clear();
            self.given.extend(line.iter().map(|next| board.geometry().cell_of(*next)));
            return Ok(Playout { outcome: board.outcome(), length: line.len() });
        }
        self.is_given = false;
        // SAFETY: each move was legal when it was made.
        Ok(unsafe { self.games.play(line, rng) })
    }

    /// The moves of the last game, in order.
    pub fn moves(&self) -> &[Cell] {
        if self.is_given { &self.given } else { self.games.moves() }
    }

    /// For each side, its stones at the end of the last game, as bits by the ordinals of their cells.
    #[cfg(any(test, feature = "internals"))]
    pub fn made(&self) -> [MoveWords; 2] {
        if !self.is_given {
            return self.games.made();
        }
        let mut board = self.board;
        self.given.iter().for_each(|cell| {
            board.place(*cell);
        });
        Colour::BOTH.map(|colour| {
            let mut words = [0; MOVE_WORDS];
            for index in board.stones(colour) {
                let number = board.geometry().ordinal[index] as usize;
                words[number / 64] |= 1 << (number % 64);
            }
            words
        })
    }

    /// Sets the list of moves that some policies prefer, by the ordinals of their cells.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn set_pool(&mut self, moves: &[u16]) {
        self.games.set_pool(moves);
    }

    /// Draws the moves of some games as a playout does, and nothing else: the lower bound on the cost of
    /// playouts.
    #[cfg(feature = "cli")]
    pub fn draw_moves(&self, plies: usize, games: u64, rng: &mut Rng) {
        self.games.draw_moves(plies, games, rng);
    }

    /// The number of moves that each policy chose.
    #[cfg(any(test, feature = "internals"))]
    pub fn hits(&self) -> Hits {
        self.games.hits()
    }

    /// Prepares for games from another position of the same base. The policies forget what they learned.
    ///
    /// # Panics
    /// If the base differs.
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    pub fn start_from(&mut self, board: &Board) {
        assert_eq!(board.geometry().size, self.board.geometry().size, "the base is another");
        self.board = *board;
        self.is_given = false;
        self.games.start_from(board);
    }

    /// Turns off speculation in the mate check. The games stay the same, which tests verify.
    #[cfg(any(test, feature = "internals"))]
    #[must_use]
    pub fn without_speculation(mut self) -> Self {
        self.games.without_speculation();
        self
    }
}

/// Playouts of some width, as a trait object.
trait PlayoutKernel: LeafWork {
    /// # Safety
    /// The moves of the line are legal, one after the other.
    unsafe fn play(&mut self, line: &[Move], rng: &mut Rng) -> Playout;
    fn moves(&self) -> &[Cell];
    #[cfg(any(test, feature = "cli", feature = "internals"))]
    fn start_from(&mut self, board: &Board);
    #[cfg(any(test, feature = "internals"))]
    fn without_speculation(&mut self);
    #[cfg(feature = "cli")]
    fn draw_moves(&self, plies: usize, games: u64, rng: &mut Rng);
}

/// Playouts on boards of a width.
pub(super) struct BoardPlayouts<W: Width> {
    isa: Isa,
    policy: Policy,
    simulator: Simulator<W>,
    start: Start<W>,
    /// `None` if the random kernel plays the games alone.
    guide: Option<Box<Guide<W>>>,
    look_ahead: LookAhead<W>,
}

/// A board in its width; the empty board if the game is over.
fn begin<W: Width>(board: &Board) -> Board<W> {
    let size = board.geometry().size;
    let layout = W::layout(size).expect("the width is that of the base");
    match board.outcome().is_over() {
        true => Board::empty(layout),
        false => board.widened().expect("the width is that of the base"),
    }
}

impl<W: Width> BoardPlayouts<W> {
    pub fn new(board: &Board, isa: Isa, policy: Policy) -> Self {
        Self::build(begin(board), isa, policy, &Params::default(), None)
    }

    pub fn guided(board: &Board, isa: Isa, params: &Params) -> Self {
        let board: Board<W> = begin(board);
        let layout: &'static Layout<W> = board.layout();
        let mut guide = Guide::new(layout, params).map(Box::new);
        if let Some(guide) = &mut guide {
            guide.start_from(&board);
        }
        let looks_ahead = guide.as_ref().is_some_and(|guide| guide.havannah_mate_plies > 0);
        let policy = match params.policy {
            PlayoutPolicy::Random if looks_ahead => Policy::Mate { plies: 0 },
            PlayoutPolicy::Random => Policy::Random,
            PlayoutPolicy::Mate => {
                Policy::Mate { plies: params.mate_plies as usize * layout.size() }
            }
        };
        Self::build(board, isa, policy, params, guide)
    }

    fn build(
        board: Board<W>,
        isa: Isa,
        policy: Policy,
        params: &Params,
        guide: Option<Box<Guide<W>>>,
    ) -> Self {
        Self {
            isa,
            policy,
            simulator: Simulator::new(board.layout()),
            start: Start::new(&board, policy),
            guide,
            look_ahead: LookAhead::new(board.layout(), isa, params),
        }
    }

    fn set_start(&mut self, board: &Board<W>) {
        let speculates = self.start.speculates;
        self.start = Start { speculates, ..Start::new(board, self.policy) };
    }

    /// The board after a line of moves.
    fn board_after(&self, line: &[Move]) -> Board<W> {
        let mut board = self.start.board;
        line.iter().for_each(|next| {
            board.place(board.geometry().cell_of(*next));
        });
        board
    }
}

impl<W: Width> PlayoutKernel for BoardPlayouts<W> {
    unsafe fn play(&mut self, line: &[Move], rng: &mut Rng) -> Playout {
        let Self { isa, simulator, start, guide, .. } = self;
        match guide {
            // SAFETY: the caller's line is legal.
            None => unsafe { simulator.run_line(*isa, start, line, rng) },
            // SAFETY: as above.
            Some(guide) => unsafe { simulator.run_guided(*isa, start, guide, line, rng) },
        }
    }

    fn moves(&self) -> &[Cell] {
        self.simulator.moves()
    }

    #[cfg(any(test, feature = "cli", feature = "internals"))]
    fn start_from(&mut self, board: &Board) {
        let board = begin(board);
        if let Some(guide) = &mut self.guide {
            guide.forget();
            guide.start_from(&board);
        }
        self.set_start(&board);
    }

    #[cfg(any(test, feature = "internals"))]
    fn without_speculation(&mut self) {
        self.start.speculates = false;
    }

    #[cfg(feature = "cli")]
    fn draw_moves(&self, plies: usize, games: u64, rng: &mut Rng) {
        DrawBatch { start: &self.start, rng, games, plies }.run_on(self.isa);
    }
}

impl<W: Width> LeafWork for BoardPlayouts<W> {
    fn advance(&mut self, line: &[Move]) {
        let board = self.board_after(line);
        if let Some(guide) = &mut self.guide {
            guide.next_turn();
            guide.start_from(&board);
        }
        self.set_start(&board);
    }

    fn look(&mut self, line: &[Move], children: Option<&mut Children>) -> Prospect {
        let board = self.board_after(line);
        if let Some(points) = points_of_white(board.outcome()) {
            return Prospect::Over(points);
        }
        self.look_ahead.look(&board, children)
    }

    unsafe fn run(&mut self, line: &[Move], rng: &mut Rng) -> Value {
        // SAFETY: the caller's line is legal.
        let playout = unsafe { self.play(line, rng) };
        // A playout that was stopped early counts as a draw.
        Value::of_points(points_of_white(playout.outcome).unwrap_or(DRAW))
    }

    fn made(&self) -> [MoveWords; 2] {
        self.simulator.made(self.isa)
    }

    fn killers(&self) -> [MoveWords; 2] {
        let mut killers = [[0; MOVE_WORDS]; 2];
        if let Some(guide) = &self.guide {
            for (words, cells) in killers.iter_mut().zip(guide.killers) {
                for index in cells {
                    let number = self.start.board.geometry().ordinal[index] as usize;
                    words[number / 64] |= 1 << (number % 64);
                }
            }
        }
        killers
    }

    fn wants_pool(&self) -> bool {
        self.guide.as_ref().is_some_and(|guide| guide.wants_pool())
    }

    fn set_pool(&mut self, moves: &[u16]) {
        if let Some(guide) = &mut self.guide {
            guide.set_pool(moves);
        }
    }

    fn list_values(&self, line: &[Move], moves: &[u16], values: &mut Vec<Option<f32>>) {
        let Some(ngrams) = self.guide.as_ref().and_then(|guide| guide.ngrams()) else {
            values.extend(moves.iter().map(|_| None));
            return;
        };
        let geometry = self.start.board.geometry();
        let side = self.start.board.to_move().index() ^ (line.len() & 1);
        let index = |next: Move| geometry.cell_of(next).index();
        let (before, last) = match *line {
            [.., before, last] => (index(before), index(last)),
            [last] => (W::INDICES, index(last)),
            [] => (W::INDICES, W::INDICES),
        };
        let context = Context { before, last };
        let cells = geometry.cells();
        let value = |number: &u16| ngrams.value(side, context, cells[*number as usize].index());
        values.extend(moves.iter().map(value));
    }

    fn hits(&self) -> Hits {
        self.guide.as_ref().map_or_else(Hits::default, |guide| guide.hits)
    }

    fn bytes(&self) -> usize {
        self.guide.as_ref().map_or(0, |guide| guide.bytes())
    }
}
