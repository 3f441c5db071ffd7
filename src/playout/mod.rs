//! One simulated game, from any position to its end.
//!
//! A [`Start`] holds what the games from one position share; a [`Simulator`] plays them, one at a time,
//! in memory of its own and without allocating. `random` is the kernel that plays the rest of a game
//! uniformly at random, move by move drawn first and judged afterwards (by `joins`); `mate` plays the
//! first plies with an eye on wins in one, and `speculation` spares it most of the looking; `guided`
//! plays games whose moves are chosen by policies, which the `guide` asks in turn: one file each,
//! `bridge_reply`, `lgr`, `ngram`, `pool` (PoolRave and PPR), `pattern_weights`, `joint_weights` and
//! `locality`; `scene` is what they see of a position, `scripts` what they learn from; `rings` says which
//! rings count. `games` are playouts as search asks for them; `tron` plays those of Tron; `unchecked` is
//! the one place where the kernel reads and writes without bounds checks. A whole game is one entry into
//! code compiled for an instruction set.

mod bridge_reply;
mod games;
mod guide;
mod guided;
mod joins;
mod joint_weights;
mod lgr;
mod locality;
mod mate;
mod ngram;
mod pattern_weights;
mod pool;
mod random;
mod rings;
mod scene;
mod scripts;
mod speculation;
mod start;
mod tron;
mod unchecked;

pub use games::{BoardPlayouts, Playouts};
pub use guide::{Chooser, Guide, Hits};
pub use random::draw_moves;
pub use scripts::Script;
pub use start::{Policy, Start};
pub use tron::TronPlayouts;

use crate::bits::{Isa, Kernel, Words};
use crate::game::Move;
use crate::havannah::threats::SideThreats;
use crate::havannah::{Base, Board, Cell, Colour, Outcome, Set};
use crate::rng::Rng;
use mate::{Ahead, Checked};
use random::Workspace;
use rings::AllRings;
use speculation::Trust;

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
    /// Whether the mate check may try plies without looking.
    trust: Trust,
    length: usize,
    /// Where the last stretch of the last game began.
    last_stretch: usize,
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
            trust: Trust::new(),
            length: 0,
            last_stretch: 0,
        }
    }

    /// Plays one game, compiled for an instruction set. The game depends on the position, its
    /// policy and the state of the generator alone.
    pub fn run(&mut self, isa: Isa, start: &Start<B>, rng: &mut Rng) -> Playout {
        self.run_line(isa, start, &[], rng)
    }

    /// Plays one game that begins with a line of legal moves, none of which ends it; the policy
    /// begins behind them.
    pub fn run_line(
        &mut self,
        isa: Isa,
        start: &Start<B>,
        line: &[Move],
        rng: &mut Rng,
    ) -> Playout {
        let game = SimulatedGame { simulator: self, start, line, rng };
        // What a register of AVX2 holds is played faster with those: 3 to 12 % on bases 4, 6 and 8 (on
        // base 5 a little slower).
        if B::Words::LEN <= 4 { isa.run_narrow(game) } else { isa.run(game) }
    }

    /// The moves of the last game, in order.
    pub fn moves(&self) -> &[Cell] {
        &self.workspace.moves[..self.length]
    }

    /// The stones of each colour at the end of the last game, those of the start among them.
    pub fn stones(&self, isa: Isa) -> [Set<B>; 2] {
        isa.run(LastStones(self))
    }
}

/// The question for stones as work for an instruction set.
struct LastStones<'a, B: Base>(&'a Simulator<B>);

impl<B: Base> Kernel for LastStones<'_, B> {
    type Output = [Set<B>; 2];

    #[inline(always)]
    fn run(self) -> [Set<B>; 2] {
        let Simulator { workspace, last_stretch, length, .. } = self.0;
        [
            workspace.stones_of(0, *last_stretch, *length),
            workspace.stones_of(1, *last_stretch, *length),
        ]
    }
}

/// One game as work for an instruction set: the only place where the kernels are compiled, once
/// for each base and instruction set.
struct SimulatedGame<'a, B: Base> {
    simulator: &'a mut Simulator<B>,
    start: &'a Start<B>,
    line: &'a [Move],
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

impl<B: Base> Kernel for SimulatedGame<'_, B> {
    type Output = Playout;

    #[inline(always)]
    fn run(self) -> Playout {
        let SimulatedGame { simulator, start, line, rng } = self;
        simulator.workspace.load(start);
        simulator.workspace.lead_with(line, start);
        let (mut from, mut to) = (0, simulator.workspace.first_stretch_end(line.len()));
        let mut check = simulator.first_check(start, line.len(), to);
        // The moves up to this ply are drawn.
        let mut drawn = line.len();
        let playout = 'game: loop {
            let mut stretch = if let Check::Look(until) = check {
                check = Check::Ignore;
                match simulator.play_checked(start, line.len(), until, Ahead { drawn, to }, rng) {
                    Checked::GoesOn(stretch, ahead) => {
                        Ahead { drawn, to } = ahead;
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
