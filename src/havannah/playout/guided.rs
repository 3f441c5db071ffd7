//! Playouts whose moves are chosen by policies.
//!
//! - Only the mate check needs chains. So moves are chosen first and judged later, one stretch at a time,
//!   by the kernel of `random`. Judging costs the same as in a random game.
//! - The plies with the mate check are played one by one, unless speculation shows that no check was
//!   needed: they are chosen and judged without the check. If a side can have had a winning cell, they are
//!   played again with it, from the same state of the generator. The game is the same either way.

use super::guide::Guide;
use super::mate::draw_member;
use super::random::{Stretch, Workspace};
use super::rings::RingRule;
use super::start::Start;
use super::{Playout, Simulator};
use crate::bits::{Isa, Kernel};
use crate::game::{Chooser, Move};
use crate::havannah::neighbourhood::neighbour_pattern;
use crate::havannah::{Board, Cell, Colour, Outcome, Width, Wins};
use crate::rng::Rng;

/// The maximum length of a stretch: move times of the byte board cannot be larger.
const LONGEST: usize = 240;
/// The length of stretches after the first. It is shorter than in random games: choosing a move costs more
/// than judging it, and moves chosen after the end of the game are wasted.
const NEXT_STRETCH: usize = 16;

impl<W: Width> Simulator<W> {
    /// Plays one game that begins with a line of legal moves, none of which ends it. The policies of the
    /// guide choose the other moves and learn from the game.
    ///
    /// # Safety
    /// The moves of the line are legal, one after the other.
    pub(super) unsafe fn run_guided(
        &mut self,
        isa: Isa,
        start: &Start<W>,
        guide: &mut Guide<W>,
        line: &[Move],
        rng: &mut Rng,
    ) -> Playout {
        GuidedGame { isa, simulator: self, start, guide, line, rng }.run()
    }
}

/// One game. Three parts are compiled per instruction set, each once: choosing the moves of a stretch,
/// judging it, and the plies with checks.
struct GuidedGame<'a, W: Width> {
    isa: Isa,
    simulator: &'a mut Simulator<W>,
    start: &'a Start<W>,
    guide: &'a mut Guide<W>,
    line: &'a [Move],
    rng: &'a mut Rng,
}

/// Chooses the moves from ply `next` up to ply `to`, in a stretch that began at `from`.
struct ChooseMoves<'g, 'a, W: Width> {
    game: &'g mut GuidedGame<'a, W>,
    from: usize,
    next: usize,
    to: usize,
}

impl<W: Width> Kernel for ChooseMoves<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { game, from, next, to } = self;
        for ply in next..to {
            let cell = game.next_move(ply);
            game.take(from, ply, cell);
        }
    }
}

/// Judges the moves from ply `next` up to ply `to`, in a stretch that began at `from`: how the game ended, or
/// whether the plies were quiet.
struct JudgeStretch<'g, W: Width> {
    workspace: &'g mut Workspace<W>,
    from: usize,
    next: usize,
    to: usize,
    /// Which rings count; `None` if all do.
    rule: Option<&'g RingRule<W>>,
    /// The start of the game, if the quiet test is wanted.
    begin: Option<&'g Board<W>>,
}

/// The result of judging a stretch.
enum Judgement {
    Ended(Playout),
    GoesOn { was_quiet: bool },
}

impl<W: Width> Kernel for JudgeStretch<'_, W> {
    type Output = Judgement;

    #[inline(always)]
    fn run(self) -> Judgement {
        let Self { workspace, from, next, to, rule, begin } = self;
        let mut stretch = Stretch { next, ..workspace.look_at_stretch(from) };
        if let Some(rule) = rule
            && stretch.surrounded < usize::MAX
        {
            stretch.surrounded = workspace.first_counted_surrounding(from, to, rule);
        }
        match workspace.judge(&mut stretch, to, &rule) {
            Some(playout) => Judgement::Ended(playout),
            None => {
                let was_quiet = begin.is_some_and(|board| workspace.was_quiet(&stretch, board));
                Judgement::GoesOn { was_quiet }
            }
        }
    }
}

/// [`GuidedGame::look_until`] as a kernel for an instruction set.
struct LookUntil<'g, 'a, W: Width> {
    game: &'g mut GuidedGame<'a, W>,
    until: usize,
}

impl<W: Width> Kernel for LookUntil<'_, '_, W> {
    type Output = (Option<Playout>, usize);

    #[inline(always)]
    fn run(self) -> (Option<Playout>, usize) {
        self.game.look_until(self.until)
    }
}

impl<W: Width> GuidedGame<'_, W> {
    fn run(mut self) -> Playout {
        let line = self.line.len();
        let end = self.guide.last_ply(line, self.start.empty_count);
        let looks = self.guide.mate_plies.max(self.guide.havannah_mate_plies);
        let until = (line + looks).min(end);
        self.begin();
        let mut from = 0;
        let mut next = 0;
        let mut playout = None;
        if looks > 0 && until > line {
            if self.is_quiet_until(until) {
                next = until;
            } else {
                let isa = self.isa;
                (playout, from) = isa.run_narrow(LookUntil { game: &mut self, until });
                next = until;
            }
        }
        let playout = match playout {
            Some(playout) => playout,
            None => self.go_on(&mut from, next, end),
        };
        let Self { simulator, guide, .. } = self;
        simulator.length = playout.length;
        simulator.last_stretch = from;
        guide.note_end(self.start.empty_count, playout.length);
        let winner = playout.outcome.winner().map(Colour::index);
        guide.learn(&simulator.workspace, line, playout.length, winner);
        playout
    }

    fn begin(&mut self) {
        self.simulator.workspace.load(self.start);
        self.guide.begin(self.start);
    }

    /// The move for a ply.
    #[inline(always)]
    fn next_move(&mut self, ply: usize) -> Cell {
        match self.line.get(ply) {
            Some(given) => self.start.board.geometry().cell_of(*given),
            None => self.guide.choose(&self.simulator.workspace, ply, self.rng),
        }
    }

    fn choose_moves(&mut self, from: usize, next: usize, to: usize) {
        let isa = self.isa;
        isa.run_narrow(ChooseMoves { game: self, from, next, to });
    }

    #[inline(always)]
    fn take(&mut self, from: usize, ply: usize, cell: Cell) {
        self.guide.take(&mut self.simulator.workspace, ply, cell);
        self.simulator.workspace.set_time(from, ply);
    }

    /// Plays the plies of the check without it. Returns false if the check may have been needed: then the
    /// game is reset to its start.
    fn is_quiet_until(&mut self, until: usize) -> bool {
        if !self.start.speculates || until > LONGEST || !self.simulator.trust.is_given() {
            return false;
        }
        let (rng, hits) = (self.rng.clone(), self.guide.hits);
        self.choose_moves(0, 0, until);
        let judged = self.isa.run_narrow(JudgeStretch {
            workspace: &mut self.simulator.workspace,
            from: 0,
            next: 0,
            to: until,
            rule: None,
            begin: Some(&self.start.board),
        });
        let is_quiet = matches!(judged, Judgement::GoesOn { was_quiet: true });
        self.simulator.trust.learn(is_quiet);
        if !is_quiet {
            (*self.rng, self.guide.hits) = (rng, hits);
            self.begin();
        }
        is_quiet
    }

    /// Plays up to ply `until` with checks at each. Returns the result if the game ended, and the start of
    /// the last stretch.
    #[inline(always)]
    fn look_until(&mut self, until: usize) -> (Option<Playout>, usize) {
        let line = self.line.len();
        let mate_until = line + self.guide.mate_plies;
        let havannah_until = line + self.guide.havannah_mate_plies;
        let prepared = self.start.threats.as_ref().expect("a start for the mate check has threats");
        let next_labels = self.start.board.chains().next_label;
        let threats = self.simulator.threats.iter_mut().zip(prepared).zip(next_labels);
        for ((own, prepared), next_label) in threats {
            own.copy_from(prepared, next_label);
        }
        let mut from = 0;
        for ply in 0..until {
            if ply - from == LONGEST {
                self.simulator.workspace.age();
                from = ply;
            }
            let side = self.simulator.workspace.side_at(ply);
            let is_mate_checked = line <= ply && ply < mate_until;
            let threats = &self.simulator.threats;
            let cell = if is_mate_checked && let Some(cells) = threats[side].open() {
                let cell = draw_member::<W>(cells, self.rng);
                self.note_killer(side, cell);
                cell
            } else if is_mate_checked && let Some(cells) = threats[1 - side].open() {
                let cell = draw_member::<W>(cells, self.rng);
                self.note_killer(side, cell);
                cell
            } else {
                self.next_move(ply)
            };
            let wins_here = self.simulator.threats[side]
                .open()
                .is_some_and(|cells| cells.contains(cell.index()));
            self.take(from, ply, cell);
            let Simulator { workspace, threats, .. } = &mut *self.simulator;
            if wins_here {
                let wins = threats[side].wins_at(cell);
                return (Some(won(side, wins, ply + 1)), from);
            }
            // The position already has the stone; the pattern reads only its neighbours.
            let position = &self.guide.position;
            let pattern = neighbour_pattern(position.layout, &position.stones[side], cell);
            workspace.set_pattern(cell, pattern);
            let joined = workspace.join(side, cell);
            threats[1 - side].block(cell);
            threats[side].join(workspace.layout, cell, &joined, &position.empty, position.empty);
            if ply >= line
                && ply < havannah_until
                && threats[1 - side].open().is_none()
                && let Some(cells) = threats[side].open()
                && cells.len() >= 2
            {
                // The other side can block only one of them.
                let cell = Cell::from_index(cells.first().unwrap_or_default());
                let wins = threats[side].wins_at(cell);
                self.guide.hits.count(Chooser::HavannahMate);
                return (Some(won(side, wins, ply + 1)), from);
            }
        }
        (None, from)
    }

    #[inline(always)]
    fn note_killer(&mut self, side: usize, cell: Cell) {
        self.guide.hits.count(Chooser::Mate);
        self.guide.killers[side].insert(cell.index());
    }

    /// Which rings count in a game whose plies below `next` are played; `None` if all do.
    #[inline(always)]
    fn ring_rule(&self, next: usize) -> Option<RingRule<W>> {
        let line = self.line.len();
        self.guide.ring_rule(self.line, self.simulator.workspace.side_at(0)).map(|rule| {
            let filled = (self.start.empty_count - line) as f32 * self.guide.ring_fill;
            RingRule { until: next.max(line + filled as usize), ..rule }
        })
    }

    /// Plays from ply `next` to the end of the game.
    fn go_on(&mut self, from: &mut usize, next: usize, end: usize) -> Playout {
        let line = self.line.len();
        let first_end = match self.guide.typical_end(self.start.empty_count) {
            Some(typical) => typical.max(line + NEXT_STRETCH),
            None => self.simulator.workspace.first_stretch_end(line),
        };
        let mut to = first_end.max(next).min(*from + LONGEST).min(end);
        let rule = self.ring_rule(next);
        let mut next = next;
        loop {
            if next < to {
                self.choose_moves(*from, next, to);
                let judged = self.isa.run_narrow(JudgeStretch {
                    workspace: &mut self.simulator.workspace,
                    from: *from,
                    next,
                    to,
                    rule: rule.as_ref(),
                    begin: None,
                });
                if let Judgement::Ended(playout) = judged {
                    return playout;
                }
            }
            if to == end {
                return Playout { outcome: Outcome::Draw, length: end };
            }
            self.simulator.workspace.age();
            (*from, next) = (to, to);
            to = (to + NEXT_STRETCH).min(end);
        }
    }
}

#[inline(always)]
fn won(side: usize, wins: Wins, length: usize) -> Playout {
    Playout { outcome: Outcome::Won { by: Colour::BOTH[side], wins }, length }
}
