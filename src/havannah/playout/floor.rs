//! The lower bound on the cost of playouts: moves are drawn as in a random playout, and nothing else is
//! done with them.

use super::random::draw_two;
use super::start::Start;
use crate::bits::{Isa, Kernel};
use crate::havannah::{Cell, Width};
use crate::rng::Rng;

/// Draws the moves of `games` games of `plies` plies.
pub struct DrawBatch<'a, W: Width> {
    pub start: &'a Start<W>,
    pub rng: &'a mut Rng,
    pub games: u64,
    pub plies: usize,
}

impl<W: Width> DrawBatch<'_, W> {
    pub fn run_on(self, isa: Isa) {
        isa.run_narrow(self);
    }
}

impl<W: Width> Kernel for DrawBatch<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for _ in 0..self.games {
            std::hint::black_box(draw_moves(self.start, self.plies, self.rng));
        }
    }
}

#[inline(always)]
fn draw_moves<W: Width>(start: &Start<W>, plies: usize, rng: &mut Rng) -> Cell {
    let mut list = start.empty;
    for at in (0..plies.min(start.empty_count)).step_by(2) {
        draw_two(&mut list, start.empty_count, at, rng);
    }
    std::hint::black_box(&list)[0]
}
