//! The mate check: early in the playout a side that can win at once does, else it blocks an
//! opponent who could (Lorentz 2010 §3.1).
//!
//! The threats of both sides are kept up to date for the chain just played only. Of several
//! winning or blocking cells one is drawn at random. When the checked plies are over, the random
//! kernel plays the rest.

use super::random::draw;
use super::start::Start;
use super::{Playout, Simulator};
use crate::havannah::{Base, Cell, Outcome, Set};
use crate::rng::Rng;

impl<B: Base> Simulator<B> {
    #[inline(always)]
    pub(super) fn run_mate(&mut self, start: &Start<B>, plies: usize, rng: &mut Rng) -> Playout {
        let threats = start.threats.as_ref().expect("a start for the mate check has threats");
        self.workspace.load(start);
        self.board = start.board;
        for (side, (own, shared)) in self.threats.iter_mut().zip(threats).enumerate() {
            own.copy_from(shared, start.board.chains().next_label[side]);
        }
        let checked = plies.min(start.empty_count);
        for ply in 0..checked {
            let colour = self.board.to_move();
            let cell = self.choose(ply, rng);
            let joined = self.board.place(cell);
            if self.board.outcome() != Outcome::Ongoing {
                return Playout { outcome: self.board.outcome(), length: ply + 1 };
            }
            self.workspace.note_stone(colour, cell);
            self.threats[colour.index()].add(cell, &joined);
        }
        self.workspace.finish(&self.board, checked, rng)
    }

    /// Chooses a move and brings it to its place in the list.
    #[inline(always)]
    fn choose(&mut self, ply: usize, rng: &mut Rng) -> Cell {
        let (colour, empty) = (self.board.to_move(), self.board.empty_cells());
        let [own, other] = [colour, colour.other()].map(|side| self.threats[side.index()].winning());
        let list = &mut self.workspace.moves;
        let left = self.workspace.move_count - ply;
        let urgent = if own.is_disjoint(empty) { other & empty } else { own & empty };
        if urgent.is_empty() {
            return draw(list, ply, rng.below(left as u32) as usize);
        }
        let cell = draw_member::<B>(urgent, rng);
        let ahead = list[ply..][..left].iter().position(|listed| *listed == cell);
        draw(list, ply, ahead.expect("an empty cell is in the list"))
    }
}

/// A random member of a set that has some; a single one costs no random number.
#[inline(always)]
fn draw_member<B: Base>(set: Set<B>, rng: &mut Rng) -> Cell {
    let count = set.len();
    let skipped = if count == 1 { 0 } else { rng.below(count as u32) as usize };
    Cell::from_index(set.iter().nth(skipped).expect("the set has members"))
}
