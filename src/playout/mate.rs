//! The mate check: early in the playout a side that can win at once does, else it blocks an
//! opponent who could (Lorentz 2010 §3.1).
//!
//! The order of the random moves is drawn first, as in a random playout; a win or a block is
//! played out of turn, and the cells of the others stay in order. Of several winning or blocking
//! cells one is drawn. The threats of both sides are kept up to date for the chain just played
//! only, and where none is likely the plies are first tried without looking (`speculation`):
//! the game is the same either way.

use std::ops::Range;

use super::random::{Stretch, Workspace};
use super::speculation::quiet_plies;
use super::start::Start;
use super::{Playout, Simulator};
use crate::havannah::threats::SideThreats;
use crate::havannah::{Base, Cell, Colour, Outcome, Set};
use crate::rng::Rng;

impl<B: Base> Simulator<B> {
    /// Plays the checked plies of a game that was loaded. Gives back how it ended among them, or
    /// the stretch that it has come to and where that stretch ends.
    #[inline(always)]
    pub(super) fn run_checked(
        &mut self,
        start: &Start<B>,
        plies: usize,
        rng: &mut Rng,
    ) -> Result<(Stretch, usize), Playout> {
        let workspace = &mut self.workspace;
        let checked = plies.min(start.empty_count);
        let drawn = workspace.first_stretch_end(0);
        let quiet = if start.speculates { quiet_plies(&start.board, checked) } else { 0 };
        let mut was_quiet = false;
        if quiet > 0 {
            let mut stretch = workspace.draw_stretch(0, drawn, rng);
            was_quiet = workspace.judge(&mut stretch, quiet).is_none()
                && !workspace.may_have_had_threats(0, &stretch, &start.board)
                && !workspace.may_have_had_threats(1, &stretch, &start.board);
            if was_quiet && quiet == checked {
                return Ok((stretch, drawn));
            }
            workspace.forget_stretch(start);
        } else {
            (0..drawn).step_by(2).for_each(|at| {
                workspace.draw_more(at, rng);
            });
        }
        self.board = start.board;
        if was_quiet {
            self.catch_up(quiet);
            self.play_checked(quiet..checked, drawn, rng)
        } else {
            let threats = start.threats.as_ref().expect("a start for the mate check has threats");
            for (side, (own, shared)) in self.threats.iter_mut().zip(threats).enumerate() {
                own.copy_from(shared, start.board.chains().next_label[side]);
            }
            self.play_checked(0..checked, drawn, rng)
        }
    }

    /// Takes over plies that the kernel has played.
    fn catch_up(&mut self, plies: usize) {
        self.board.catch_up(&self.workspace.moves[..plies], self.workspace.chains());
        for ply in 0..plies {
            self.workspace.note_stone(self.workspace.side_at(ply), self.workspace.moves[ply]);
        }
        self.threats = Colour::BOTH.map(|colour| SideThreats::new(&self.board, colour));
    }

    /// Plays the checked plies one by one.
    #[inline(always)]
    fn play_checked(
        &mut self,
        plies: Range<usize>,
        drawn: usize,
        rng: &mut Rng,
    ) -> Result<(Stretch, usize), Playout> {
        let checked = plies.end;
        let mut drawn = drawn;
        for ply in plies {
            let side = self.board.to_move().index();
            let [own, other] = [side, 1 - side].map(|side| self.threats[side].open());
            if let Some(urgent) = own.or(other) {
                let place = self.workspace.bring_forward(ply, draw_member::<B>(urgent, rng));
                drawn += usize::from(place >= drawn);
            }
            if ply == drawn {
                drawn = self.workspace.draw_more(drawn, rng);
            }
            let cell = self.workspace.moves[ply];
            let joined = self.board.place(cell);
            if self.board.outcome() != Outcome::Ongoing {
                return Err(Playout { outcome: self.board.outcome(), length: ply + 1 });
            }
            self.workspace.note_stone(side, cell);
            self.threats[side].add(&self.board, cell, &joined);
            self.threats[1 - side].block(cell);
        }
        self.workspace.resume(&self.board, checked);
        Ok((self.workspace.take_stretch(checked, drawn), drawn))
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
