//! The mate check: early in the playout a side that can win at once does, else it blocks an
//! opponent who could (Lorentz 2010 §3.1).
//!
//! The order of the random moves is drawn first, as in a random playout; a win or a block is
//! played out of turn, and the cells of the others stay in order. Of several winning or blocking
//! cells one is drawn. The threats of both sides are kept up to date for the chain just played
//! only, and where none is likely the plies are first tried without looking (`speculation`):
//! the game is the same either way.

use super::random::Workspace;
use super::speculation::is_promising;
use super::start::Start;
use super::{Playout, Simulator};
use crate::havannah::{Base, Cell, Outcome, Set};
use crate::rng::Rng;

impl<B: Base> Simulator<B> {
    #[inline(always)]
    pub(super) fn run_mate(&mut self, start: &Start<B>, plies: usize, rng: &mut Rng) -> Playout {
        let workspace = &mut self.workspace;
        let checked = plies.min(start.empty_count);
        workspace.load(start);
        workspace.resume(&start.board, 0);
        let drawn = workspace.first_stretch_end(0).max(checked.next_multiple_of(2).min(start.empty_count));
        if start.speculates && is_promising(&start.board, checked) {
            let mut stretch = workspace.draw_stretch(0, drawn, rng);
            let quiet = workspace.judge(&mut stretch, checked).is_none()
                && !workspace.may_have_had_threats(0, &stretch, &start.board)
                && !workspace.may_have_had_threats(1, &stretch, &start.board);
            if quiet {
                return workspace.end_stretch(&mut stretch, drawn, rng);
            }
            workspace.forget_stretch(start);
        } else {
            workspace.draw_only(drawn, rng);
        }
        self.play_checked(start, checked, drawn, rng)
    }

    /// Plays the checked plies one by one, then the rest.
    #[inline(always)]
    fn play_checked(
        &mut self,
        start: &Start<B>,
        checked: usize,
        drawn: usize,
        rng: &mut Rng,
    ) -> Playout {
        let threats = start.threats.as_ref().expect("a start for the mate check has threats");
        for (side, (own, shared)) in self.threats.iter_mut().zip(threats).enumerate() {
            own.copy_from(shared, start.board.chains().next_label[side]);
        }
        self.board = start.board;
        let mut drawn = drawn;
        for ply in 0..checked {
            let side = self.board.to_move().index();
            let [own, other] = [side, 1 - side].map(|side| self.threats[side].open());
            if let Some(urgent) = own.or(other) {
                let ahead = self.workspace.bring_forward(ply, draw_member::<B>(urgent, rng));
                drawn += usize::from(ahead >= drawn);
            }
            let cell = self.workspace.moves[ply];
            let joined = self.board.place(cell);
            if self.board.outcome() != Outcome::Ongoing {
                return Playout { outcome: self.board.outcome(), length: ply + 1 };
            }
            self.workspace.note_stone(side, cell);
            self.threats[side].add(&self.board, cell, &joined);
            self.threats[1 - side].block(cell);
        }
        self.workspace.resume(&self.board, checked);
        let mut stretch = self.workspace.take_stretch(checked, drawn);
        self.workspace.end_stretch(&mut stretch, drawn, rng)
    }
}

impl<B: Base> Workspace<B> {
    /// Moves a cell of the list to the place `ply` and those before it back by one; returns the
    /// place it had.
    #[inline(always)]
    fn bring_forward(&mut self, ply: usize, cell: Cell) -> usize {
        let list = &mut self.moves[ply..self.move_count];
        let ahead = list.iter().position(|listed| *listed == cell);
        let ahead = ahead.expect("an empty cell is in the list");
        list[..=ahead].rotate_right(1);
        ply + ahead
    }
}

/// A random member of a set that has some; a single one costs no random number.
#[inline(always)]
fn draw_member<B: Base>(set: Set<B>, rng: &mut Rng) -> Cell {
    let count = set.len();
    let skipped = if count == 1 { 0 } else { rng.below(count as u32) as usize };
    Cell::from_index(set.iter().nth(skipped).expect("the set has members"))
}
