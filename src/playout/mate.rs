//! The mate check: early in the playout a side that can win at once does, else it blocks an
//! opponent who could (Lorentz 2010 §3.1).
//!
//! The order of the random moves is drawn first, as in a random playout; a win or a block is
//! played out of turn. Of several winning or blocking cells one is drawn. The threats of both
//! sides are kept up to date for the chain just played only, and where none is likely the plies
//! are first tried without looking (`speculation`): the game is the same either way.

use super::random::Workspace;
use super::speculation::is_promising;
use super::start::{Policy, Start};
use super::{Check, Playout, Simulator};
use crate::havannah::{Base, Cell, Outcome, Set};
use crate::rng::Rng;

impl<B: Base> Simulator<B> {
    /// How a game begins.
    #[inline(always)]
    pub(super) fn first_check(&self, start: &Start<B>, line: usize) -> Check {
        let Policy::Mate { plies } = start.policy else {
            return Check::Ignore;
        };
        let until = (line + plies).min(start.empty_count);
        if start.speculates && is_promising(&start.board, until) {
            Check::Speculate(until)
        } else {
            Check::Look(until)
        }
    }

    /// Plays the first plies of a game one by one, with the check from ply `line` on; the moves up
    /// to `drawn` are drawn. Gives back up to where they are drawn then, or how the game ended.
    #[inline(always)]
    pub(super) fn play_checked(
        &mut self,
        start: &Start<B>,
        line: usize,
        plies: usize,
        drawn: usize,
        rng: &mut Rng,
    ) -> Result<usize, Playout> {
        let threats = start.threats.as_ref().expect("a start for the mate check has threats");
        for (side, (own, shared)) in self.threats.iter_mut().zip(threats).enumerate() {
            own.copy_from(shared, start.board.chains().next_label[side]);
        }
        self.board = start.board;
        let mut drawn = drawn;
        for ply in 0..plies {
            drawn = self.workspace.draw_up_to(drawn, ply + 1, rng);
            let side = self.board.to_move().index();
            let [own, other] = [side, 1 - side].map(|side| self.threats[side].open());
            if let Some(urgent) = own.or(other).filter(|_| ply >= line) {
                self.workspace.bring_forward(ply, draw_member::<B>(urgent, rng));
            }
            let cell = self.workspace.moves[ply];
            let joined = self.board.place(cell);
            self.workspace.note_stone(side, cell);
            if self.board.outcome() != Outcome::Ongoing {
                return Err(Playout { outcome: self.board.outcome(), length: ply + 1 });
            }
            self.threats[side].add(&self.board, cell, &joined);
            self.threats[1 - side].block(cell);
        }
        self.workspace.resume(&self.board, plies);
        Ok(drawn)
    }
}

impl<B: Base> Workspace<B> {
    /// Swaps a cell of the list to the place `ply`. (The cell that was there is no less random in
    /// its new place.)
    #[inline(always)]
    fn bring_forward(&mut self, ply: usize, cell: Cell) {
        // Piece by piece, without a way out of a piece: so a piece is a vector comparison. Loops
        // as such: an iterator's closure would not be compiled for the instruction set.
        let mut at = ply;
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
        self.moves.swap(ply, at);
    }
}

/// Cells compared at once when one is looked for.
const PIECE: usize = 16;

/// A random member of a set that has some; a single one costs no random number.
#[inline(always)]
fn draw_member<B: Base>(set: Set<B>, rng: &mut Rng) -> Cell {
    let count = set.len() as u32;
    let skipped = if count == 1 { 0 } else { rng.below(count) };
    let mut members = set.iter();
    (0..skipped).for_each(|_| {
        members.next();
    });
    Cell::from_index(members.next().expect("the set has members"))
}
