//! Playouts: one simulated game, from any position to its end.
//!
//! A `Start` holds what the games from one position share; a `Simulator` plays them one at a time, in its
//! own memory, without allocation. A whole random game is one entry into code for an instruction set.
//! - `random`: the kernel for uniform games; it draws the moves first and judges them later (by `joins`)
//! - `mate`: checks the first plies for wins in one; `speculation` avoids most of these checks
//! - `guided`: games whose moves come from policies, which `guide` asks in turn: `bridge_reply`, `pool`
//!   (PoolRave and PPR), `pattern_sampler`, `joint_sampler`, `locality`, and those of
//!   [`policies`](crate::policies); `position` is what they see; `rings` says which rings count
//! - `games`: playouts for search and other callers; `floor`: the cost of drawing the moves alone
//! - `unchecked`: the only place where the kernel reads and writes without bounds checks

mod bridge_reply;
#[cfg(feature = "cli")]
mod floor;
mod games;
mod guide;
mod guided;
mod joins;
mod joint_sampler;
mod locality;
mod mate;
mod pattern_sampler;
mod pool;
mod position;
mod random;
mod rings;
mod speculation;
mod start;
mod unchecked;

pub(super) use games::leaf_work;
#[cfg(test)]
pub(crate) use games::taught_leaf_work;
pub use games::{IllegalLine, Playouts};
use guide::Guide;
pub use start::Policy;
use start::Start;

use super::threats::SideThreats;
use super::{Cell, Layout, Outcome, Width};
use crate::bits::{Isa, Kernel, Words, squeeze_pair};
use crate::game::{Move, MoveWords};
use crate::rng::Rng;
use mate::{Checked, PreparedMoves};
use random::Workspace;
use rings::AllRings;
use speculation::SpeculationRate;

/// How a simulated game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// The winner and the kinds of win, or a draw.
    pub outcome: Outcome,
    /// The number of moves played.
    pub length: usize,
}

/// Plays games; its memory is reused for every game.
struct Simulator<W: Width> {
    workspace: Workspace<W>,
    /// For the mate check, the threats of each colour.
    threats: [SideThreats<W>; 2],
    /// Whether the mate check may speculate.
    trust: SpeculationRate,
    length: usize,
    /// The first ply of the last stretch of the last game.
    last_stretch: usize,
}

impl<W: Width> Simulator<W> {
    fn new(layout: &'static Layout<W>) -> Self {
        Self {
            workspace: Workspace::new(layout),
            threats: [SideThreats::none(layout), SideThreats::none(layout)],
            trust: SpeculationRate::new(),
            length: 0,
            last_stretch: 0,
        }
    }

    /// Plays one game that begins with a line of moves, none of which ends it; the policy starts after the
    /// line. Runs code for an instruction set. The game depends only on the position, its policy, the line
    /// and the state of the generator.
    ///
    /// # Safety
    /// The moves of the line are legal, one after the other.
    unsafe fn run_line(
        &mut self,
        isa: Isa,
        start: &Start<W>,
        line: &[Move],
        rng: &mut Rng,
    ) -> Playout {
        let game = SimulatedGame { simulator: self, start, line, rng };
        // Sets that fit a register of AVX2 are faster with AVX2: 3 to 12 % on bases 4, 6 and 8 (on base 5 a
        // little slower).
        if W::Words::LEN <= 4 { isa.run_narrow(game) } else { isa.run(game) }
    }

    /// The moves of the last game, in order.
    fn moves(&self) -> &[Cell] {
        &self.workspace.moves[..self.length]
    }

    /// For each side, its stones at the end of the last game, by the ordinals of their cells. The stones of
    /// the start position are included.
    fn made(&self, isa: Isa) -> [MoveWords; 2] {
        let last = LastMoves { simulator: self, squeezes: isa.can_squeeze() };
        if W::Words::LEN <= 4 { isa.run_narrow(last) } else { isa.run(last) }
    }
}

/// [`Simulator::made`] as a kernel for an instruction set.
struct LastMoves<'a, W: Width> {
    simulator: &'a Simulator<W>,
    squeezes: bool,
}

impl<W: Width> Kernel for LastMoves<'_, W> {
    type Output = [MoveWords; 2];

    #[inline(always)]
    fn run(self) -> [MoveWords; 2] {
        let Simulator { workspace, last_stretch, length, .. } = self.simulator;
        let stones = [0, 1].map(|side| workspace.stones_of(side, *last_stretch, *length));
        // Removes the indices that are off the board.
        squeeze_pair(
            W::INDICES / 64,
            |word| workspace.layout.on_board.words()[word],
            |side, word| stones[side].words()[word],
            self.squeezes,
        )
    }
}

/// One game as a kernel for an instruction set. The kernels are compiled only here, once for each width and
/// instruction set.
struct SimulatedGame<'a, W: Width> {
    simulator: &'a mut Simulator<W>,
    start: &'a Start<W>,
    line: &'a [Move],
    rng: &'a mut Rng,
}

/// How wins in one are handled.
#[derive(Clone, Copy)]
enum Check {
    /// They are ignored.
    Ignore,
    /// Plays up to this ply without checks, then tests whether a win in one was possible.
    Speculate(usize),
    /// Checks before each ply up to this one.
    Look(usize),
}

impl<W: Width> Kernel for SimulatedGame<'_, W> {
    type Output = Playout;

    #[inline(always)]
    fn run(self) -> Playout {
        let SimulatedGame { simulator, start, line, rng } = self;
        simulator.workspace.load(start);
        simulator.workspace.lead_with(line, start);
        let (mut from, mut to) = (0, simulator.workspace.first_stretch_end(line.len()));
        let mut check = simulator.first_check(start, line.len(), to);
        // The moves below this ply are drawn.
        let mut drawn = line.len();
        let playout = 'game: loop {
            let mut stretch = if let Check::Look(until) = check {
                check = Check::Ignore;
                match simulator.play_checked(
                    start,
                    line.len(),
                    until,
                    PreparedMoves { drawn, to },
                    rng,
                ) {
                    Checked::GoesOn(stretch, ahead) => {
                        PreparedMoves { drawn, to } = ahead;
                        from = stretch.from;
                        stretch
                    }
                    Checked::Ended(playout, stretch_from) => {
                        from = stretch_from;
                        break playout;
                    }
                }
            } else {
                drawn = simulator.workspace.fill_stretch(from, drawn, to, rng);
                simulator.workspace.look_at_stretch(from)
            };
            let workspace = &mut simulator.workspace;
            loop {
                let until = if let Check::Speculate(plies) = check { plies } else { to };
                let ended = workspace.judge(&mut stretch, until, &AllRings);
                if let Check::Speculate(plies) = check {
                    let is_quiet = ended.is_none() && workspace.was_quiet(&stretch, &start.board);
                    simulator.trust.learn(is_quiet);
                    if is_quiet {
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
            (from, to) = (to, workspace.next_stretch_end(to, drawn));
        };
        simulator.length = playout.length;
        simulator.last_stretch = from;
        playout
    }
}
