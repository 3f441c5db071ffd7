//! One simulated game, from any position to its end.
//!
//! A [`Start`] holds what the games from one position share; a [`Simulator`] plays them, one at a
//! time, in memory of its own and without allocating. `random` is the kernel that plays the rest
//! of a game uniformly at random, move by move drawn first and judged afterwards; `mate` plays the
//! first plies with an eye on wins in one, and `speculation` spares it most of the looking; `unchecked` is the one place where the kernel reads and
//! writes without bounds checks. A whole game is one entry into code
//! compiled for an instruction set.

mod mate;
mod random;
mod speculation;
mod start;
mod unchecked;

pub use random::draw_moves;
pub use start::{Policy, Start};

use crate::bits::{Isa, Kernel};
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

    /// Plays one game, compiled for an instruction set. The game depends on the position, its
    /// policy and the state of the generator alone.
    pub fn run(&mut self, isa: Isa, start: &Start<B>, rng: &mut Rng) -> Playout {
        isa.run(Game { simulator: self, start, rng })
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

/// One game as work for an instruction set: the only place where the kernels are compiled, once
/// for each base and instruction set.
struct Game<'a, B: Base> {
    simulator: &'a mut Simulator<B>,
    start: &'a Start<B>,
    rng: &'a mut Rng,
}

impl<B: Base> Kernel for Game<'_, B> {
    type Output = Playout;

    #[inline(always)]
    fn run(self) -> Playout {
        let Game { simulator, start, rng } = self;
        simulator.first = start.board.to_move();
        simulator.workspace.load(start);
        let begun = match start.policy {
            Policy::Random => Ok(simulator.workspace.begin(rng)),
            Policy::Mate { plies } => simulator.run_checked(start, plies, rng),
        };
        let playout = match begun {
            Ok((mut stretch, to)) => simulator.workspace.end_stretch(&mut stretch, to, rng),
            Err(ended) => ended,
        };
        simulator.length = playout.length;
        playout
    }
}
