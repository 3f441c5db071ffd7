//! What policies see of a simulated game: the stones, the empty cells, and the cells near them.

use crate::havannah::neighbourhood::dilate;
use crate::havannah::{Base, Board, Cell, Colour, Set};

/// A position of a simulated game.
#[derive(Clone, Copy)]
pub struct Scene<B: Base> {
    pub stones: [Set<B>; 2],
    pub empty: Set<B>,
    pub empty_count: usize,
    /// For each side, the cells next to its stones or two away from one; kept if asked for.
    pub near: [Set<B>; 2],
    keeps_near: bool,
}

impl<B: Base> Scene<B> {
    /// The scene of a board, with the cells near stones.
    pub fn of(board: &Board<B>) -> Self {
        Self::new(board, true)
    }

    pub fn new(board: &Board<B>, keeps_near: bool) -> Self {
        let stones = Colour::BOTH.map(|colour| board.stones(colour));
        let empty = board.empty_cells();
        let near = |stones| dilate::<B>(dilate::<B>(stones));
        let near = if keeps_near { stones.map(near) } else { [Set::<B>::empty(); 2] };
        Self { stones, empty, empty_count: empty.len(), near, keeps_near }
    }

    /// Places a stone.
    #[inline(always)]
    pub fn place(&mut self, side: usize, cell: Cell) {
        let single = Set::<B>::single(cell.index());
        self.stones[side] |= single;
        self.empty -= single;
        self.empty_count -= 1;
        if self.keeps_near {
            self.near[side] |= dilate::<B>(dilate::<B>(single));
        }
    }
}
