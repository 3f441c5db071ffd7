//! Cells as text, in the two coordinate systems of the field.
//!
//! - *Letternum*, the default: the letter is x, the number is y + 1 (theses, HavannahGui).
//! - *Little Golem*: the same letter, but the numbers of each letter start at 1.
//!
//! Upper and lower case are read; lower case is written.

use std::fmt;
use std::str::FromStr;

use super::geometry::{Cell, Geometry};
use crate::game::Move;

/// How cells are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// The letter is x, the number is y + 1.
    #[default]
    Letternum,
    /// The letter is x, the numbers of each letter start at 1.
    LittleGolem,
}

/// Text that does not name a cell or a coordinate system.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// The board has no cell of this name.
    #[error("'{}' is no cell of a base-{size} board", .text.escape_debug())]
    UnknownCell {
        /// The text that should name a cell.
        text: String,
        /// The base of the board.
        size: usize,
    },
    /// There is no coordinate system of this name.
    #[error("unknown coordinate system '{}' (known: letternum, littlegolem)", .0.escape_debug())]
    UnknownSystem(String),
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(name: &str) -> Result<Self, NotationError> {
        match name {
            "letternum" => Ok(Self::Letternum),
            "littlegolem" => Ok(Self::LittleGolem),
            _ => Err(NotationError::UnknownSystem(name.to_string())),
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Letternum => "letternum",
            Self::LittleGolem => "littlegolem",
        })
    }
}

impl Notation {
    /// `y + 1` minus the written number.
    fn shift(self, geometry: &Geometry, x: i32) -> i32 {
        match self {
            Self::Letternum => 0,
            Self::LittleGolem => (x - geometry.size as i32 + 1).max(0),
        }
    }
}

impl Geometry {
    /// The name of a cell.
    pub fn write_cell(&self, notation: Notation, cell: Cell) -> String {
        let (x, y) = self.xy(cell);
        format!("{}{}", (b'a' + x as u8) as char, y + 1 - notation.shift(self, x))
    }

    /// The name of the cell of a move.
    pub fn write_move(&self, notation: Notation, next: Move) -> String {
        self.write_cell(notation, self.cell_of(next))
    }

    /// The cell with a name.
    pub fn read_cell(&self, notation: Notation, text: &str) -> Result<Cell, NotationError> {
        let parse = || {
            let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
            let digits = &text[1..];
            let plain = digits.len() <= 2
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && !digits.starts_with('0');
            let number: i32 = digits.parse().ok().filter(|_| plain)?;
            let x = i32::from(letter.to_ascii_lowercase() - b'a');
            self.cell(x, number - 1 + notation.shift(self, x))
        };
        parse()
            .ok_or_else(|| NotationError::UnknownCell { text: text.to_string(), size: self.size })
    }
}
