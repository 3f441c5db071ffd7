//! Cells by their coordinates, independent of the size of the board.
//!
//! A cell is on the largest board. A smaller board checks it at each call.

use std::fmt;
use std::str::FromStr;

use crate::havannah::geometry::{Geometry, MAX_SIZE};
use crate::havannah::notation::NotationError;
use crate::havannah::{self, Notation};

/// A cell, by its coordinates.
///
/// On a board of base `s` both coordinates are from 0 to `2 s - 2` and differ by less than `s`. A
/// board refuses a cell that is outside of it.
///
/// The text form is a letter for `x` and a number for `y + 1`. This is the
/// [`Letternum`](Notation::Letternum) notation, which is the same on all boards.
///
/// ```
/// use ciclon::Cell;
/// let cell: Cell = "c4".parse()?;
/// assert_eq!((cell.x(), cell.y()), (2, 3));
/// assert_eq!(Cell::new(2, 3), Some(cell));
/// assert_eq!(cell.to_string(), "c4");
/// # Ok::<(), ciclon::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    x: u8,
    y: u8,
}

/// The largest board. It contains every cell.
fn largest() -> &'static Geometry {
    Geometry::of_size(MAX_SIZE).expect("the largest base is one")
}

impl Cell {
    /// The cell at these coordinates. `None` if it is not on the largest board.
    pub fn new(x: usize, y: usize) -> Option<Self> {
        let (x, y) = (i32::try_from(x).ok()?, i32::try_from(y).ok()?);
        largest().cell(x, y).map(|cell| Self::of(largest(), cell))
    }

    /// The coordinate that is written as a letter.
    pub fn x(self) -> usize {
        self.x.into()
    }

    /// The coordinate that is written as a number, from 1.
    pub fn y(self) -> usize {
        self.y.into()
    }

    /// Converts from a cell of a board.
    pub(super) fn of(geometry: &Geometry, cell: havannah::Cell) -> Self {
        let (x, y) = geometry.xy(cell);
        Self { x: x as u8, y: y as u8 }
    }

    /// The cell on a board. `None` if it is outside.
    pub(super) fn on(self, geometry: &Geometry) -> Option<havannah::Cell> {
        geometry.cell(self.x.into(), self.y.into())
    }
}

impl FromStr for Cell {
    type Err = NotationError;

    /// Parses the name of a cell of the largest board.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let cell = largest().read_cell(Notation::Letternum, text)?;
        Ok(Self::of(largest(), cell))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x), self.y + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
