//! The shape of a board: cells, neighbours, borders and symmetries, as constant tables per base.
//!
//! A cell `(x, y)` of base `s` has `0 <= x, y <= 2s-2` and `|x - y| < s`. It lives at index
//! `x * 2s + y` of a padded grid, so its six neighbours are six constant distances away, and the
//! guard column `y = 2s-1` keeps the ends of a row apart. Directions go round in cyclic order
//! (Nahue 2014, appendix A), so six neighbour bits read in that order are a ring of bits. Border
//! bits are his too (§3.2): corners 0..5 in bits 0..5, the edge after each corner in bits 6..11;
//! a corner belongs to no edge.

use std::fmt::Debug;

use crate::bits::{Bits, Words};

/// The largest base, the most cells a board has, and the most indices its padded grid has.
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
pub struct Tables {
    pub size: usize,
    pub stride: usize,
    /// Index distance to the neighbour in each direction.
    pub steps: [isize; 6],
    cell_count: usize,
    cells: [Cell; MAX_CELLS],
    /// Position in the list of cells, or [`Tables::OFF_BOARD`].
    pub ordinal: [u16; MAX_INDEX],
    /// Corner and edge bits of each cell.
    pub border: [u16; MAX_INDEX],
    /// Where each of the 12 symmetries sends a cell: 0..6 rotations by that many directions,
    /// 6..12 a reflection first.
    pub symmetry: [[u16; MAX_INDEX]; 12],
}

impl Tables {
    pub const OFF_BOARD: u16 = u16::MAX;

    /// The tables of the base of a size, 2 to 10.
    pub fn of_size(size: usize) -> Option<&'static Self> {
        crate::with_base!(size, B => B::TABLES)
    }

    const fn new(size: usize) -> Self {
        let (s, side) = (size as i32, 2 * size as i32 - 1);
        let stride = 2 * size;
        let mut tables = Tables {
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

    /// The cell two away from a cell between directions `d` and `d + 1`, and the two cells
    /// between: a stone on each end is connected as long as both of them are empty.
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

const fn is_on_board(s: i32, x: i32, y: i32) -> bool {
    0 <= x && x <= 2 * s - 2 && 0 <= y && y <= 2 * s - 2 && x - y < s && y - x < s
}

const fn border_bits(s: i32, x: i32, y: i32) -> u16 {
    let end = 2 * s - 2;
    // Going round: the side that follows corner i is side i.
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

/// A row of bytes (or other small numbers) of constant length.
pub trait Row<T>: Copy + Eq + Debug + Send + Sync + 'static {
    fn filled(value: T) -> Self;
    fn row(&self) -> &[T];
    fn row_mut(&mut self) -> &mut [T];
    /// Two rows, one behind the other.
    fn flat(pair: &[Self; 2]) -> &[T];
    fn flat_mut(pair: &mut [Self; 2]) -> &mut [T];
}

impl<T: Copy + Eq + Debug + Send + Sync + 'static, const N: usize> Row<T> for [T; N] {
    #[inline(always)]
    fn filled(value: T) -> Self {
        [value; N]
    }

    #[inline(always)]
    fn row(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn row_mut(&mut self) -> &mut [T] {
        self
    }

    #[inline(always)]
    fn flat(pair: &[Self; 2]) -> &[T] {
        pair.as_flattened()
    }

    #[inline(always)]
    fn flat_mut(pair: &mut [Self; 2]) -> &mut [T] {
        pair.as_flattened_mut()
    }
}

/// A board size, as a type: what depends on it has a constant size and constant tables.
pub trait Base: Copy + Eq + Debug + Send + Sync + 'static {
    const SIZE: usize;
    const STRIDE: usize = 2 * Self::SIZE;
    /// Cells on the board.
    const CELLS: usize = 3 * Self::SIZE * (Self::SIZE - 1) + 1;
    /// Indices of the padded grid, rounded up to whole registers.
    const INDICES: usize;
    /// Labels a colour can ever need: the stones that founded its chains are pairwise not
    /// adjacent, and no board has more such cells than this (`tests/geometry.rs` counts them).
    const LABELS: usize;
    /// The cells of the board as a set.
    const ON_BOARD: Set<Self>;
    /// The cells of each corner and each edge, by border bit.
    const BORDERS: [Set<Self>; 12];
    const TABLES: &'static Tables;

    type Words: Words;
    /// A byte for every index of the padded grid.
    type CellBytes: Row<u8>;
    /// A byte for every label of a colour.
    type LabelBytes: Row<u8>;
    /// Border bits for every label of a colour.
    type LabelBorders: Row<u16>;
    /// A set of cells for every label of a colour.
    type LabelSets: Row<Set<Self>>;
}

/// A set of cells of a base.
pub type Set<B> = Bits<<B as Base>::Words>;

/// The base of the given size, 2 to 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size<const S: usize>;

macro_rules! bases {
    ($($size:literal: $words:literal words, $rows:literal),* $(,)?) => {$(
        impl Base for Size<$size> {
            const SIZE: usize = $size;
            const INDICES: usize = 64 * $rows;
            const LABELS: usize = 16 * $rows;
            const ON_BOARD: Set<Self> = Bits::from_words(board_words($size));
            const BORDERS: [Set<Self>; 12] = {
                let mut borders = [Self::ON_BOARD; 12];
                let mut border = 0;
                while border < 12 {
                    borders[border] = Bits::from_words(border_words($size, border));
                    border += 1;
                }
                borders
            };
            const TABLES: &'static Tables = {
                static TABLES: Tables = Tables::new($size);
                &TABLES
            };

            type Words = [u64; $words];
            type CellBytes = [u8; 64 * $rows];
            type LabelBytes = [u8; 16 * $rows];
            type LabelBorders = [u16; 16 * $rows];
            type LabelSets = [Set<Self>; 16 * $rows];
        }
    )*};
}

// Sets are as wide as a register: one word, then 128, 256 and 512 bits. Rows of bytes are as long
// as the grid, in units of 64.
bases! {
    2: 1 words, 1,
    3: 1 words, 1,
    4: 1 words, 1,
    5: 2 words, 2,
    6: 4 words, 3,
    7: 4 words, 3,
    8: 4 words, 4,
    9: 8 words, 5,
    10: 8 words, 6,
}

const fn board_words<const W: usize>(size: usize) -> [u64; W] {
    let mut words = [0; W];
    let mut border = 0;
    while border <= INSIDE {
        let part: [u64; W] = border_words(size, border);
        let mut i = 0;
        while i < W {
            words[i] |= part[i];
            i += 1;
        }
        border += 1;
    }
    words
}

/// The number of a border that stands for the cells on none.
const INSIDE: usize = 12;

const fn border_words<const W: usize>(size: usize, border: usize) -> [u64; W] {
    let (s, stride) = (size as i32, 2 * size);
    let mut words = [0; W];
    let mut index = 0;
    while index < stride * (stride - 1) {
        let (x, y) = ((index / stride) as i32, (index % stride) as i32);
        let wanted = if border == INSIDE { 0 } else { 1 << border };
        if is_on_board(s, x, y) && border_bits(s, x, y) == wanted {
            words[index / 64] |= 1 << (index % 64);
        }
        index += 1;
    }
    words
}

/// Runs an expression with a type alias bound to the base of a size known only at run time:
/// `with_base!(size, B => bench::<B>())`. The value is an `Option`, `None` for no such base.
#[macro_export]
macro_rules! with_base {
    ($size:expr, $base:ident => $body:expr) => {
        $crate::with_base!(@ $size, $base, $body, 2 3 4 5 6 7 8 9 10)
    };
    (@ $size:expr, $base:ident, $body:expr, $($s:literal)*) => {
        match $size {
            $($s => {
                type $base = $crate::havannah::Size<$s>;
                Some($body)
            })*
            _ => None,
        }
    };
}
