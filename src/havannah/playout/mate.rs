//! The mate check: early in the playout a side wins at once if it can, otherwise it blocks a win in one of
//! the opponent (Lorentz 2010 §3.1).
//!
//! - The random moves are drawn first, as in a random playout, and the kernel of `random` finds the
//!   patterns of a stretch. A win or block is played out of turn; after a block only the changed patterns
//!   are updated.
//! - Ties between several winning or blocking cells are drawn uniformly.
//! - The threats of both sides are updated with each stone.
//! - If threats are unlikely, the plies are first played without checks (`speculation`). The game is the
//!   same either way.

use super::random::{MARGIN, NEVER, Stretch, Workspace};
use super::start::{Policy, Start};
use super::unchecked::get;
use super::{Check, Playout, Simulator};
use crate::havannah::{Cell, Colour, Outcome, Set, Width};
use crate::rng::Rng;

impl<W: Width> Simulator<W> {
    /// The first check of a game whose first stretch ends at ply `to`.
    #[inline(always)]
    pub(super) fn first_check(&mut self, start: &Start<W>, line: usize, to: usize) -> Check {
        let Policy::Mate { plies } = start.policy else {
            return Check::Ignore;
        };
        let until = line.saturating_add(plies).min(start.empty_count);
        // After the stretch no moves are drawn yet, so they cannot be judged.
        if start.speculates && until <= to && self.trust.is_given() {
            Check::Speculate(until)
        } else {
            Check::Look(until)
        }
    }

    /// Plays a game up to ply `until`, with checks after the `line` of given moves.
    #[inline(always)]
    pub(super) fn play_checked(
        &mut self,
        start: &Start<W>,
        line: usize,
        until: usize,
        ahead: PreparedMoves,
        rng: &mut Rng,
    ) -> Checked {
        let Self { workspace, threats, .. } = self;
        let prepared = start.threats.as_ref().expect("a start for the mate check has threats");
        for side in 0..2 {
            threats[side].copy_from(&prepared[side], start.board.chains().next_label[side]);
        }
        let mut empty = start.empty_cells;
        let PreparedMoves { mut drawn, mut to } = ahead;
        drawn = workspace.fill_stretch(0, drawn, to, rng);
        let mut stretch = workspace.look_at_stretch(0);
        // Whether moves of the stretch have changed since `look_at_stretch`.
        let mut has_changed = false;
        for ply in 0..until {
            if ply == to {
                drawn = workspace.draw_up_to(drawn, ply + 1, rng);
                to = workspace.taken_stretch_end(ply, drawn);
                workspace.age();
                drawn = workspace.fill_stretch(ply, drawn, to, rng);
                stretch = workspace.look_at_stretch(ply);
                has_changed = false;
            }
            let side = workspace.side_at(ply);
            // One test for most plies.
            if threats[0].threatens() | threats[1].threatens() {
                if ply < line {
                    threats[1 - side].block(workspace.moves[ply]);
                } else if let Some(winning) = threats[side].open() {
                    let cell = draw_member::<W>(winning, rng);
                    workspace.play_out_of_turn(&stretch, to, ply, cell);
                    let wins = threats[side].wins_at(cell);
                    let outcome = Outcome::Won { by: Colour::BOTH[side], wins };
                    return Checked::Ended(Playout { outcome, length: ply + 1 }, stretch.from);
                } else if let Some(urgent) = threats[1 - side].open() {
                    let cell = draw_member::<W>(urgent, rng);
                    let at = workspace.play_out_of_turn(&stretch, to, ply, cell);
                    threats[1 - side].block(cell);
                    if threats[1 - side].open().is_some() && ply + 1 < until {
                        // The other side wins at the next ply, so the stone needs no join.
                        continue;
                    }
                    if at != ply {
                        workspace.look_around(cell);
                        workspace.look_around(get(&workspace.moves, at));
                        has_changed = true;
                    }
                }
            }
            let cell = get(&workspace.moves, ply);
            let joined = workspace.join(side, cell);
            empty.remove(cell.index());
            threats[side].join(workspace.layout, cell, &joined, &empty, start.empty_cells);
        }
        if has_changed {
            // Finds again the rings around own stones after these plies.
            stretch = workspace.look_at_stretch(stretch.from);
        }
        stretch.next = until;
        Checked::GoesOn(stretch, PreparedMoves { drawn, to })
    }
}

/// Preparation of a game: the moves below ply `drawn` are drawn, and the stretch ends at `to`.
#[derive(Clone, Copy)]
pub(super) struct PreparedMoves {
    pub drawn: usize,
    pub to: usize,
}

/// The result of the plies with the check.
pub(super) enum Checked {
    /// The game continues in a stretch.
    GoesOn(Stretch, PreparedMoves),
    /// The game ended, in a stretch that began at this ply.
    Ended(Playout, usize),
}

impl<W: Width> Workspace<W> {
    /// Plays at `ply` a cell that was listed for later; returns its former place in the list.
    #[inline(always)]
    fn play_out_of_turn(&mut self, stretch: &Stretch, to: usize, ply: usize, cell: Cell) -> usize {
        let at = self.place_of(stretch, to, cell);
        // The cell from `ply` is equally random in its new place.
        self.moves.swap(ply, at);
        self.take_again(stretch, to, at);
        self.take_again(stretch, to, ply);
        at
    }

    /// The place of an empty cell in the list.
    #[inline(always)]
    fn place_of(&self, stretch: &Stretch, to: usize, cell: Cell) -> usize {
        let time = self.times[MARGIN + cell.index()];
        if time != NEVER {
            let behind = (time >> 7) as usize ^ self.side_at(stretch.from);
            return stretch.from + 2 * ((time & NEVER) as usize - 1) + behind;
        }
        // The inner loop has no exit, so a piece is one vector comparison. These are plain loops: the
        // closure of an iterator would not be compiled for the instruction set.
        let mut at = to;
        while at + PIECE <= self.move_count {
            let mut has_cell = false;
            for listed in &self.moves[at..at + PIECE] {
                has_cell |= *listed == cell;
            }
            if has_cell {
                break;
            }
            at += PIECE;
        }
        while self.moves[at] != cell {
            at += 1;
        }
        at
    }
}

/// The number of cells compared at once in a search of the list.
const PIECE: usize = 16;

/// A uniformly drawn member of a non-empty set. A single member costs no random number.
#[inline(always)]
pub(super) fn draw_member<W: Width>(set: Set<W>, rng: &mut Rng) -> Cell {
    let count = set.len() as u32;
    let skipped = if count == 1 { 0 } else { rng.below(count) };
    let mut members = set.iter();
    (0..skipped).for_each(|_| {
        members.next();
    });
    Cell::from_index(members.next().expect("the set has members"))
}
