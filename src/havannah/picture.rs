//! Boards and sets of cells as text. The same format is read and written.
//!
//! Row `a` (x = 0) is the top row. Each row is indented so that neighbours touch. `.` is empty, `O` a
//! white stone, `X` a black stone, `*` a member of a set. Reading skips all other characters, for example
//! row letters and white space.

use std::fmt;

use super::board::Board;
use super::geometry::{Cell, Geometry, MAX_SIZE, MIN_SIZE};
use super::notation::Notation;
use super::rules::Colour;
use super::width::Width;
#[cfg(any(test, feature = "internals"))]
use super::width::{AnyWidth, Set};

/// A picture that is not a valid board or set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PictureError {
    /// No board has this number of cells.
    #[error("the picture shows {found} cells, and no board has as many")]
    NoBoard {
        /// The number of cells in the picture.
        found: usize,
    },
    /// The number of cells differs from the board's.
    #[error("the picture shows {found} cells, the board has {expected}")]
    WrongCellCount {
        /// The number of cells of the board.
        expected: usize,
        /// The number of cells in the picture.
        found: usize,
    },
    /// The game ends before the last stone is placed.
    #[error("the game is over before the stone at {cell}")]
    GameOver {
        /// The name of the cell of the first stone after the end.
        cell: String,
    },
}

/// The characters of cells in the picture of a board.
const BOARD_MARKS: &str = ".OX";

/// Draws a board with one character per cell.
pub fn draw(geometry: &Geometry, mark: impl Fn(Cell) -> char) -> String {
    let mut text = String::new();
    let (s, side) = (geometry.size as i32, 2 * geometry.size as i32 - 1);
    for x in 0..side {
        let indent = (x - (s - 1)).unsigned_abs() as usize;
        text.push_str(&format!("{:indent$}{}", "", (b'a' + x as u8) as char));
        for cell in (0..side).filter_map(|y| geometry.cell(x, y)) {
            text.push(' ');
            text.push(mark(cell));
        }
        text.push('\n');
    }
    text
}

/// Draws a board for people: one text per cell, with the first cell name and the last number at the ends
/// of each row.
pub fn draw_labelled(
    tables: &Geometry,
    notation: Notation,
    mark: impl Fn(Cell) -> String,
) -> String {
    let mut text = String::new();
    let widest = tables.size - 1;
    for x in 0..2 * tables.size as i32 - 1 {
        let row: Vec<Cell> =
            (0..).take(2 * tables.size).filter_map(|y| tables.cell(x, y)).collect();
        let [first, .., last] = row[..] else {
            continue;
        };
        let (first, last) = (tables.write_cell(notation, first), tables.write_cell(notation, last));
        let indent = 2 + (x as usize).abs_diff(widest);
        let cells: Vec<String> = row.iter().map(|cell| mark(*cell)).collect();
        let gap = indent - first.len().saturating_sub(1).min(indent);
        text.push_str(&format!("{:gap$}{first} {} {}\n", "", cells.join(" "), &last[1..]));
    }
    text
}

fn marks(
    geometry: &Geometry,
    picture: &str,
    known: &str,
) -> Result<Vec<(Cell, char)>, PictureError> {
    let marks: Vec<char> = picture.chars().filter(|mark| known.contains(*mark)).collect();
    let expected = geometry.cell_count();
    if marks.len() != expected {
        return Err(PictureError::WrongCellCount { expected, found: marks.len() });
    }
    Ok(geometry.cells().iter().copied().zip(marks).collect())
}

/// Reads a set of cells.
#[cfg(any(test, feature = "internals"))]
pub fn read_set(geometry: &Geometry, picture: &str) -> Result<Set<AnyWidth>, PictureError> {
    let marks = marks(geometry, picture, ".*")?;
    Ok(marks.into_iter().filter(|(_, mark)| *mark == '*').map(|(cell, _)| cell.index()).collect())
}

#[cfg(any(test, feature = "internals"))]
pub fn draw_set(geometry: &Geometry, set: Set<AnyWidth>) -> String {
    draw(geometry, |cell| if set.contains(cell.index()) { '*' } else { '.' })
}

/// The geometry of the board in a picture.
pub fn geometry_of(picture: &str) -> Result<&'static Geometry, PictureError> {
    let found = picture.chars().filter(|mark| BOARD_MARKS.contains(*mark)).count();
    let geometries = (MIN_SIZE..=MAX_SIZE).filter_map(Geometry::of_size);
    let mut fitting = geometries.filter(|geometry| geometry.cell_count() == found);
    fitting.next().ok_or(PictureError::NoBoard { found })
}

/// Sets up a position. White stones are placed first, then Black stones, each row by row. Then Black is
/// to move if White has more stones, otherwise White.
pub fn read_board(geometry: &Geometry, picture: &str) -> Result<Board, PictureError> {
    let marks = marks(geometry, picture, BOARD_MARKS)?;
    let mut board = Board::of(geometry);
    for colour in Colour::BOTH {
        for (cell, _) in marks.iter().filter(|(_, mark)| *mark == stone_mark(Some(colour))) {
            board.set_to_move(colour);
            let name = || geometry.write_cell(Notation::Letternum, *cell);
            board.play(*cell).map_err(|_| PictureError::GameOver { cell: name() })?;
        }
    }
    let ahead = board.stones(Colour::White).len() > board.stones(Colour::Black).len();
    board.set_to_move(if ahead { Colour::Black } else { Colour::White });
    Ok(board)
}

fn stone_mark(stone: Option<Colour>) -> char {
    match stone {
        None => '.',
        Some(Colour::White) => 'O',
        Some(Colour::Black) => 'X',
    }
}

impl<W: Width> fmt::Display for Board<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&draw(self.geometry(), |cell| stone_mark(self.colour_at(cell))))
    }
}
