//! One simulated game, from any position to its end.
//!
//! A [`Start`] holds what the games from one position share; a [`Simulator`] plays them, one at a
//! time, in memory of its own and without allocating. `random` is the kernel that plays the rest
//! of a game uniformly at random, move by move drawn first and judged afterwards; `mate` plays the
//! first plies with an eye on wins in one, and `speculation` spares it most of the looking;
//! `unchecked` is the one place where the kernel reads and writes without bounds checks. A whole
//! game is one entry into code compiled for an instruction set.

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
    /// For the mate check, the threats of each colour.
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

/// What is done about wins in one.
#[derive(Clone, Copy)]
enum Check {
    /// Nothing.
    Ignore,
    /// Play so many plies without looking, then see whether there can have been any.
    Speculate(usize),
    /// Look before each of so many plies.
    Look(usize),
}

impl<B: Base> Kernel for Game<'_, B> {
    type Output = Playout;

    #[inline(always)]
    fn run(self) -> Playout {
        let Game { simulator, start, rng } = self;
        simulator.first = start.board.to_move();
        simulator.workspace.load(start);
        let mut check = simulator.first_check(start);
        let (mut from, mut to) = (0, simulator.workspace.first_stretch_end());
        // The moves up to this ply are drawn.
        let mut drawn = 0;
        let playout = 'game: loop {
            let mut stretch = if let Check::Look(plies) = check {
                check = Check::Ignore;
                match simulator.play_checked(start, plies, drawn, to, rng) {
                    Ok((stretch, end)) => {
                        to = end;
                        stretch
                    }
                    Err(ended) => break ended,
                }
            } else {
                simulator.workspace.draw_stretch(from, to, rng);
                simulator.workspace.look_at_stretch(from)
            };
            let workspace = &mut simulator.workspace;
            drawn = to;
            loop {
                let until = if let Check::Speculate(plies) = check { plies } else { to };
                let ended = workspace.judge(&mut stretch, until);
                if let Check::Speculate(plies) = check {
                    if ended.is_none() && workspace.was_quiet(&stretch, &start.board) {
                        check = Check::Ignore;
                        continue;
                    }
                    workspace.load_position(start);
                    check = Check::Look(plies);
                    continue 'game;
                }
                match ended {
                    Some(playout) => break 'game playout,
                    None => break,
                }
            }
            if to == workspace.move_count {
                break Playout { outcome: Outcome::Draw, length: to };
            }
            workspace.age();
            (from, to) = (to, workspace.next_stretch_end(to));
        };
        simulator.length = playout.length;
        playout
    }
}
