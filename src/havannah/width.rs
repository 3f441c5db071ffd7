//! Code shared by several bases: a [`Width`] is a stride, with sets and rows that are wide enough.
//!
//! - Code for a width has a constant stride, so neighbours are constant shifts.
//! - What differs between the bases of a width is in a [`Layout`], a table chosen at run time.
//! - [`AnyWidth`] serves every base with its stride at run time: for boards outside playouts and search.

use std::fmt::Debug;

use super::geometry::{Geometry, MAX_INDEX, border_bits, is_on_board, stride_of};
use crate::bits::{Bits, Words};

/// A row of bytes (or other small numbers) of constant length.
pub trait Row<T>: Copy + Eq + Debug + Send + Sync + 'static {
    fn filled(value: T) -> Self;
    fn row(&self) -> &[T];
    fn row_mut(&mut self) -> &mut [T];
    /// Two rows as one slice, the second after the first.
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

/// A stride, and storage for the boards that have it.
pub trait Width: Copy + Eq + Debug + Send + Sync + 'static {
    /// Index distance between rows; 0 if it is known only at run time.
    const STRIDE: usize;
    /// The number of indices of the padded grid, rounded up to whole registers.
    const INDICES: usize;
    /// The maximum number of labels per colour. The stones that started its chains are pairwise not
    /// adjacent, and no board has more such cells than this (`tests/geometry.rs` counts them).
    const LABELS: usize;

    type Words: Words;
    /// A byte for every index of the padded grid.
    type CellBytes: Row<u8>;
    /// A byte for every label of a colour.
    type LabelBytes: Row<u8>;
    /// Border bits for every label of a colour.
    type LabelBorders: Row<u16>;
    /// A set of cells for every label of a colour.
    type LabelSets: Row<Set<Self>>;

    /// The layout of a base; `None` if the base does not have this stride.
    fn layout(size: usize) -> Option<&'static Layout<Self>>;
}

/// A set of cells of a width.
pub type Set<W> = Bits<<W as Width>::Words>;

/// The tables of one base in a width.
pub struct Layout<W: Width> {
    pub geometry: &'static Geometry,
    stride: usize,
    /// The cells of the board as a set.
    pub on_board: Set<W>,
    /// The cells of each corner and each edge, by border bit number.
    pub borders: [Set<W>; 12],
    /// Corner and edge bits of each cell, as in the geometry; a copy for the kernel.
    pub border: [u16; MAX_INDEX],
    /// Per cell, as bytes: corner bits, edge bits, and 0xff if it is on the board.
    pub corner_bytes: [u8; MAX_INDEX],
    pub edge_bytes: [u8; MAX_INDEX],
    pub board_bytes: [u8; MAX_INDEX],
    /// [`ON_RIM`] for the cells on the rim.
    pub rim_bytes: [u8; MAX_INDEX],
}

/// A pattern bit above the six neighbour bits: the cell is on the rim of the board.
pub const ON_RIM: u8 = 64;

impl<W: Width> Debug for Layout<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "base {}", self.geometry.size)
    }
}

impl<W: Width> Layout<W> {
    /// Index distance between rows.
    #[inline(always)]
    pub fn stride(&self) -> usize {
        if W::STRIDE > 0 { W::STRIDE } else { self.stride }
    }

    /// Index distance to the neighbour in each direction.
    #[inline(always)]
    pub fn steps(&self) -> [isize; 6] {
        let stride = self.stride() as isize;
        [stride, stride + 1, 1, -stride, -stride - 1, -1]
    }

    #[inline(always)]
    pub fn size(&self) -> usize {
        self.geometry.size
    }

    /// The number of cells on the board.
    #[inline(always)]
    pub fn cell_count(&self) -> usize {
        self.geometry.cell_count()
    }
}

/// Bases 2 to 4: one word per set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width8;

/// Base 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width10;

/// Base 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width12;

/// Bases 7 and 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width16;

/// Bases 9 and 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width20;

/// Every base, with its stride known at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyWidth;

macro_rules! widths {
    ($($width:ty: stride $stride:literal, $words:literal words, $rows:literal rows, bases $($size:literal)*;)*) => {$(
        impl Width for $width {
            const STRIDE: usize = $stride;
            const INDICES: usize = 64 * $rows;
            const LABELS: usize = 16 * $rows;

            type Words = [u64; $words];
            type CellBytes = [u8; 64 * $rows];
            type LabelBytes = [u8; 16 * $rows];
            type LabelBorders = [u16; 16 * $rows];
            type LabelSets = [Set<Self>; 16 * $rows];

            fn layout(size: usize) -> Option<&'static Layout<Self>> {
                match size {
                    $($size => {
                        static LAYOUT: Layout<$width> = layout!($size, $words);
                        Some(&LAYOUT)
                    })*
                    _ => None,
                }
            }
        }
    )*};
}

macro_rules! layout {
    ($size:literal, $words:literal) => {
        Layout {
            geometry: Geometry::at($size),
            stride: stride_of($size),
            on_board: Bits::from_words(board_words::<$words>($size)),
            borders: {
                let mut borders = [Bits::from_words([0; $words]); 12];
                let mut border = 0;
                while border < 12 {
                    borders[border] = Bits::from_words(border_words::<$words>($size, border));
                    border += 1;
                }
                borders
            },
            border: Geometry::at($size).border,
            corner_bytes: bytes_of($size, Bytes::Corners),
            edge_bytes: bytes_of($size, Bytes::Edges),
            board_bytes: bytes_of($size, Bytes::Board),
            rim_bytes: bytes_of($size, Bytes::Rim),
        }
    };
}

// Sets have the size of a register: one word, then 128, 256 and 512 bits. Rows of bytes have the length
// of the largest grid, in units of 64. One width for bases 5 and 6 would double the sets of base 5.
widths! {
    Width8: stride 8, 1 words, 1 rows, bases 2 3 4;
    Width10: stride 10, 2 words, 2 rows, bases 5;
    Width12: stride 12, 4 words, 3 rows, bases 6;
    Width16: stride 16, 4 words, 4 rows, bases 7 8;
    Width20: stride 20, 8 words, 6 rows, bases 9 10;
    AnyWidth: stride 0, 8 words, 6 rows, bases 2 3 4 5 6 7 8 9 10;
}

enum Bytes {
    Corners,
    Edges,
    Board,
    Rim,
}

const fn bytes_of(size: usize, wanted: Bytes) -> [u8; MAX_INDEX] {
    let geometry = Geometry::at(size);
    let mut bytes = [0; MAX_INDEX];
    let mut i = 0;
    while i < geometry.cell_count() {
        let index = geometry.cells()[i].index();
        let [corners, edges] = split(geometry.border[index]);
        bytes[index] = match wanted {
            Bytes::Corners => corners,
            Bytes::Edges => edges,
            Bytes::Board => 0xff,
            Bytes::Rim if geometry.border[index] != 0 => ON_RIM,
            Bytes::Rim => 0,
        };
        i += 1;
    }
    bytes
}

/// Corner bits and edge bits, as bytes.
#[inline(always)]
pub const fn split(borders: u16) -> [u8; 2] {
    [(borders & super::geometry::CORNER_BITS) as u8, (borders >> 6) as u8]
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

/// The border number that means: on no border.
const INSIDE: usize = 12;

const fn border_words<const W: usize>(size: usize, border: usize) -> [u64; W] {
    let (s, stride) = (size as i32, stride_of(size));
    let mut words = [0; W];
    let mut index = 0;
    while index < stride * (2 * size - 1) {
        let (x, y) = ((index / stride) as i32, (index % stride) as i32);
        let wanted = if border == INSIDE { 0 } else { 1 << border };
        if is_on_board(s, x, y) && border_bits(s, x, y) == wanted {
            words[index / 64] |= 1 << (index % 64);
        }
        index += 1;
    }
    words
}

/// Runs an expression with a type alias for the width of a base that is known only at run time:
/// `with_width!(width, size, W => bench::<W>(size))`, where `width` is this module. The result is an
/// `Option`: `None` if the base does not exist.
#[cfg_attr(feature = "internals", macro_export)]
macro_rules! with_width {
    ($module:ident, $size:expr, $width:ident => $body:expr) => {
        match $size {
            2..=4 => {
                type $width = $module::Width8;
                Some($body)
            }
            5 => {
                type $width = $module::Width10;
                Some($body)
            }
            6 => {
                type $width = $module::Width12;
                Some($body)
            }
            7 | 8 => {
                type $width = $module::Width16;
                Some($body)
            }
            9 | 10 => {
                type $width = $module::Width20;
                Some($body)
            }
            _ => None,
        }
    };
}

pub(crate) use with_width;
