//! What policies see of a simulated game: the stones, the empty cells, and the cells near stones.

use crate::havannah::neighbourhood::dilate;
use crate::havannah::{Board, Cell, Layout, Set, Width};

/// A position of a simulated game.
#[derive(Clone, Copy)]
pub struct SimulatedPosition<W: Width> {
    pub layout: &'static Layout<W>,
    pub stones: [Set<W>; 2],
    pub empty: Set<W>,
    pub empty_count: usize,
    /// For each side, the cells within two steps of its stones; updated only if `keeps_near`.
    pub near: [Set<W>; 2],
    keeps_near: bool,
}

impl<W: Width> SimulatedPosition<W> {
    /// The simulated position of a board, with the cells near stones.
    #[cfg(test)]
    pub fn of(board: &Board<W>) -> Self {
        Self::new(board, true)
    }

    pub fn new(board: &Board<W>, keeps_near: bool) -> Self {
        let stones = board.both_stones();
        let empty = board.empty_cells();
        let layout = board.layout();
        let near = |stones| dilate(layout, dilate(layout, stones));
        let near = if keeps_near { stones.map(near) } else { [Set::<W>::empty(); 2] };
        Self { layout, stones, empty, empty_count: empty.len(), near, keeps_near }
    }

    #[inline(always)]
    pub fn place(&mut self, side: usize, cell: Cell) {
        let single = Set::<W>::single(cell.index());
        self.stones[side] |= single;
        self.empty -= single;
        self.empty_count -= 1;
        if self.keeps_near {
            self.near[side] |= dilate(self.layout, dilate(self.layout, single));
        }
    }
}
