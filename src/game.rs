//! What search needs of a game, and nothing else.
//!
//! Two sides, 0 and 1, move in turn. A move is a number, so that sets of moves are bit sets and a
//! node keeps its move in two bytes. Results are counted in points: win 2, draw 1, loss 0.

use crate::bits::{Bits, Isa, Words};
use crate::params::Params;

/// A move, as its number in the move sets of its game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub const fn new(number: usize) -> Self {
        Self(number as u16)
    }

    #[inline(always)]
    pub const fn number(self) -> usize {
        self.0 as usize
    }
}

/// The points of a win, a draw and a loss.
pub const WIN: u32 = 2;
pub const DRAW: u32 = 1;
pub const LOSS: u32 = 0;

/// A set of moves of a game.
pub type MoveSet<G> = Bits<<G as Game>::Words>;

/// What lies ahead of the side to move, as far as it can be told without search. It is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prospect<S> {
    /// It wins at once with this move.
    Win(Move),
    /// Whatever it does, the other side wins with the next move. This move at least parries
    /// something.
    Loss(Move),
    /// No one can win any more.
    Draw,
    /// The rest of the game is certain: the points of the side to move, the move that gets them, and
    /// the plies to the end.
    Settled { points: u32, best: Move, plies: u32 },
    /// The game goes on. The moves that do not lose at once.
    Open(S),
}

/// A position of a game.
pub trait Game: Clone + Send + Sync {
    type Words: Words;

    /// Whether a move stays legal until one of the sides makes it: RAVE counts rest on that.
    const MOVES_STAY: bool = true;

    /// Whether the sides move at once. Then one of them chooses first, its move is made with the
    /// other's, and who chooses second does not know it.
    const IS_SIMULTANEOUS: bool = false;

    /// The side to move.
    fn to_move(&self) -> usize;

    /// The points of side 0, if the game is over.
    fn result(&self) -> Option<u32>;

    /// Makes a legal move.
    fn advance(&mut self, next: Move);

    /// The legal moves; none if the game is over. If the sides move at once, those of the second do not
    /// depend on what the first has chosen.
    fn legal_moves(&self) -> MoveSet<Self>;

    /// What lies ahead, in a game that is not over, as far as the settings say to look.
    fn prospect(&self, isa: Isa, params: &Params) -> Prospect<MoveSet<Self>>;

    /// Moves made so far.
    fn ply(&self) -> usize;

    /// What the position is worth to side 0 by itself, from 0 to 1; none if that cannot be told.
    fn evaluate(&self, _isa: Isa) -> Option<f32> {
        None
    }

    /// Adds what moves are worth before any playout to `wins`, by their numbers, and returns the visits
    /// that they all begin with: 0 if nothing is known, or wanted.
    fn add_priors(&self, _isa: Isa, _params: &Params, _wins: &mut [u32]) -> u32 {
        0
    }

    /// The moves that are of no use to anyone for the rest of the game, as far as it
    /// can be told without search: exactly, or by a rule that may err.
    fn dead_moves(&self, _isa: Isa, _exactly: bool) -> MoveSet<Self> {
        MoveSet::<Self>::empty()
    }

    /// Of the moves given, one of each group that a symmetry of the position makes equal.
    fn distinct(&self, moves: MoveSet<Self>) -> MoveSet<Self>;

    /// A move as text.
    fn name_of(&self, of: Move) -> String;
}
