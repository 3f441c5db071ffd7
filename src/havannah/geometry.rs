//! The shape of a board: cells, neighbours, borders and symmetries, as constant tables per base.
//!
//! - A cell `(x, y)` of base `s` has `0 <= x, y <= 2s-2` and `|x - y| < s`. Its index is `x * stride + y`
//!   in a padded grid: its six neighbours are six constant offsets, and a guard column separates rows.
//! - Bases share strides: a [`Width`](super::width::Width) is the code for one stride.
//! - The *ordinal* of a cell is its number row by row. It does not depend on the stride.
//! - Directions are in cyclic order (Nahue 2014, appendix A): six neighbour bits are a circle of bits.
//! - Border bits follow §3.2 there: corners 0..5 in bits 0..5, the edge after each corner in bits 6..11.
//!   A corner belongs to no edge.

use crate::game::Move;

/// The smallest base.
pub const MIN_SIZE: usize = 2;
/// The largest base, and its number of cells and of padded indices.
pub const MAX_SIZE: usize = 10;
pub const MAX_CELLS: usize = 271;
pub const MAX_INDEX: usize = 384;

/// The six directions in cyclic order, as steps of `(x, y)`.
pub const DIRECTIONS: [(i32, i32); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];

/// The border bits that belong to corners, and those that belong to edges.
pub const CORNER_BITS: u16 = 0x03f;
pub const EDGE_BITS: u16 = 0xfc0;

/// A cell of a board, as its index in the padded grid of the board's base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Cell(u16);

impl Cell {
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        Self(index as u16)
    }

    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tables of one base. Rows that have an entry per cell are indexed by [`Cell::index`].
pub struct Geometry {
    pub size: usize,
    pub stride: usize,
    /// Index distance to the neighbour in each direction.
    pub steps: [isize; 6],
    cell_count: usize,
    cells: [Cell; MAX_CELLS],
    /// Number in the list of cells, or [`Geometry::OFF_BOARD`].
    pub ordinal: [u16; MAX_INDEX],
    /// Corner and edge bits of each cell.
    pub border: [u16; MAX_INDEX],
    /// The image of a cell under each of the 12 symmetries: 0..6 rotate by 0 to 5 directions, 6..12
    /// reflect first.
    pub symmetry: [[u16; MAX_INDEX]; 12],
}

impl Geometry {
    pub const OFF_BOARD: u16 = u16::MAX;

    /// [`of_size`](Self::of_size) for a valid size.
    pub(super) const fn at(size: usize) -> &'static Self {
        &GEOMETRIES[size - MIN_SIZE]
    }

    /// The tables of a base from 2 to 10; `None` for other sizes.
    pub fn of_size(size: usize) -> Option<&'static Self> {
        GEOMETRIES.get(size.checked_sub(MIN_SIZE)?)
    }

    const fn new(size: usize) -> Self {
        let (s, side) = (size as i32, 2 * size as i32 - 1);
        let stride = stride_of(size);
        let mut tables = Geometry {
            size,
            stride,
            steps: [0; 6],
            cell_count: 0,
            cells: [Cell(0); MAX_CELLS],
            ordinal: [Self::OFF_BOARD; MAX_INDEX],
            border: [0; MAX_INDEX],
            symmetry: [[0; MAX_INDEX]; 12],
        };
        let mut d = 0;
        while d < 6 {
            let (dx, dy) = DIRECTIONS[d];
            tables.steps[d] = dx as isize * stride as isize + dy as isize;
            d += 1;
        }
        let mut x = 0;
        while x < side {
            let mut y = 0;
            while y < side {
                if is_on_board(s, x, y) {
                    let index = x as usize * stride + y as usize;
                    tables.cells[tables.cell_count] = Cell(index as u16);
                    tables.ordinal[index] = tables.cell_count as u16;
                    tables.cell_count += 1;
                    tables.border[index] = border_bits(s, x, y);
                    let mut k = 0;
                    while k < 12 {
                        let (tx, ty) = transform(s, x, y, k);
                        tables.symmetry[k][index] = (tx as usize * stride + ty as usize) as u16;
                        k += 1;
                    }
                }
                y += 1;
            }
            x += 1;
        }
        tables
    }

    /// The number of cells.
    #[inline(always)]
    pub const fn cell_count(&self) -> usize {
        self.cell_count
    }

    /// The move that places a stone on a cell.
    #[inline(always)]
    pub fn move_to(&self, cell: Cell) -> Move {
        Move::new(self.ordinal[cell.index()] as usize)
    }

    /// The cell that a move places a stone on.
    ///
    /// # Panics
    /// If the board has no such cell.
    #[inline(always)]
    pub fn cell_of(&self, next: Move) -> Cell {
        self.cells()[next.number()]
    }

    /// The cells, row by row.
    #[inline(always)]
    pub const fn cells(&self) -> &[Cell] {
        self.cells.split_at(self.cell_count).0
    }

    /// The cell at `(x, y)`, if it is on the board.
    pub fn cell(&self, x: i32, y: i32) -> Option<Cell> {
        is_on_board(self.size as i32, x, y)
            .then(|| Cell((x as usize * self.stride + y as usize) as u16))
    }

    pub fn xy(&self, cell: Cell) -> (i32, i32) {
        ((cell.index() / self.stride) as i32, (cell.index() % self.stride) as i32)
    }

    /// The neighbour of a cell in a direction, if it is on the board.
    pub fn neighbour(&self, cell: Cell, direction: usize) -> Option<Cell> {
        let ((x, y), (dx, dy)) = (self.xy(cell), DIRECTIONS[direction]);
        self.cell(x + dx, y + dy)
    }

    /// The cell two away between directions `d` and `d + 1`, and the two cells between: stones on both ends
    /// are as good as connected while both cells between are empty.
    #[cfg(any(test, feature = "internals"))]
    pub fn joint(&self, cell: Cell, d: usize) -> Option<(Cell, [Cell; 2])> {
        let ((x, y), a, b) = (self.xy(cell), DIRECTIONS[d], DIRECTIONS[(d + 1) % 6]);
        let far = self.cell(x + a.0 + b.0, y + a.1 + b.1)?;
        let between = [self.cell(x + a.0, y + a.1)?, self.cell(x + b.0, y + b.1)?];
        Some((far, between))
    }

    pub fn transform(&self, cell: Cell, symmetry: usize) -> Cell {
        Cell(self.symmetry[symmetry][cell.index()])
    }
}

/// Index distance between rows. Bases 2 to 4 share a stride, and so do 7 and 8, and 9 and 10.
pub(super) const fn stride_of(size: usize) -> usize {
    match size {
        ..=4 => 8,
        5 => 10,
        6 => 12,
        7 | 8 => 16,
        _ => 20,
    }
}

static GEOMETRIES: [Geometry; MAX_SIZE - MIN_SIZE + 1] = {
    const fn of(size: usize) -> Geometry {
        Geometry::new(size)
    }
    [of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9), of(10)]
};

pub(super) const fn is_on_board(s: i32, x: i32, y: i32) -> bool {
    0 <= x && x <= 2 * s - 2 && 0 <= y && y <= 2 * s - 2 && x - y < s && y - x < s
}

pub(super) const fn border_bits(s: i32, x: i32, y: i32) -> u16 {
    let end = 2 * s - 2;
    // In cyclic order: side i follows corner i.
    let on_side = [x == 0, y - x == s - 1, y == end, x == end, x - y == s - 1, y == 0];
    let mut side = 0;
    while side < 6 {
        if on_side[side] && on_side[(side + 5) % 6] {
            return 1 << side;
        }
        side += 1;
    }
    side = 0;
    while side < 6 {
        if on_side[side] {
            return 1 << (6 + side);
        }
        side += 1;
    }
    0
}

const fn transform(s: i32, x: i32, y: i32, symmetry: usize) -> (i32, i32) {
    let (mut dx, mut dy) = (x - (s - 1), y - (s - 1));
    if symmetry >= 6 {
        (dx, dy) = (dy, dx);
    }
    let mut turn = 0;
    while turn < symmetry % 6 {
        (dx, dy) = (dx - dy, dx);
        turn += 1;
    }
    (dx + s - 1, dy + s - 1)
}
