//! One simulated game, from any position to its end.
//!
//! A [`Start`] holds what the games from one position share; a [`Simulator`] plays them, one at a
//! time, in memory of its own and without allocating. `random` is the kernel that plays the rest
//! of a game uniformly at random, move by move drawn first and judged afterwards; `mate` plays the
//! first plies with an eye on wins in one, and `speculation` spares it most of the looking; `unchecked` is the one place where the kernel reads and
//! writes without bounds checks. Whoever calls this in a loop does so inside a
//! [`Kernel`](crate::bits::Kernel), so that everything here is compiled for the instruction set
//! at hand.

mod mate;
mod random;
mod speculation;
mod start;
mod unchecked;

pub use random::draw_moves;
pub use start::{Policy, Start};

use crate::havannah::threats::SideThreats;
use crate::havannah::{Base, Board, Cell, Colour, Outcome, Set};
use crate::rng::Rng;
use random::Workspace;

/// How a simulated game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    pub outcome: Outcome,
    /// Moves played.
    pub length: usize,
}

/// Plays games; its memory is reused from game to game.
pub struct Simulator<B: Base> {
    workspace: Workspace<B>,
    /// Board and threats of the mate check.
    board: Board<B>,
    threats: [SideThreats<B>; 2],
    first: Colour,
    length: usize,
}

impl<B: Base> Default for Simulator<B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Base> Simulator<B> {
    pub fn new() -> Self {
        let board = Board::new();
        Self {
            workspace: Workspace::new(),
            board,
            threats: Colour::BOTH.map(|colour| SideThreats::new(&board, colour)),
            first: Colour::White,
            length: 0,
        }
    }

    /// Plays one game. The game depends on the position, its policy and the state of the
    /// generator alone.
    #[inline(always)]
    pub fn run(&mut self, start: &Start<B>, rng: &mut Rng) -> Playout {
        self.first = start.board.to_move();
        let playout = match start.policy {
            Policy::Random => {
                self.workspace.load(start);
                self.workspace.resume(&start.board, 0);
                self.workspace.play(rng)
            }
            Policy::Mate { plies } => self.run_mate(start, plies, rng),
        };
        self.length = playout.length;
        playout
    }

    /// The moves of the last game, in order.
    pub fn moves(&self) -> &[Cell] {
        &self.workspace.moves[..self.length]
    }

    /// The cells a side took in the last game.
    #[inline(always)]
    pub fn cells_of(&self, colour: Colour) -> Set<B> {
        let from = usize::from(colour != self.first);
        self.moves().iter().skip(from).step_by(2).map(|cell| cell.index()).collect()
    }
}
