//! A finished game, as logs keep it.

use serde::{Deserialize, Serialize};

/// One of the two players of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerSide {
    A,
    B,
}

impl PlayerSide {
    pub const BOTH: [PlayerSide; 2] = [PlayerSide::A, PlayerSide::B];

    pub const fn index(self) -> usize {
        self as usize
    }

    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    Ring,
    Bridge,
    Fork,
    Draw,
    /// In Tron: the loser moved into a wall, or had nowhere else to go.
    Crash,
    /// Both did.
    BothCrash,
    /// Both moved to the same cell.
    SameCell,
    Resigned,
    OutOfTime,
    /// The loser did something that cannot be.
    IllegalMove(String),
    Fault(String),
}

impl End {
    /// Whether a game says something about the program that lost it rather than about its play.
    pub fn is_error(&self) -> bool {
        matches!(self, Self::OutOfTime | Self::IllegalMove(_) | Self::Fault(_))
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    pub game: u64,
    /// The player that was White at the beginning; in Tron, `1` on the map.
    pub white: PlayerSide,
    /// None for a draw.
    pub winner: Option<PlayerSide>,
    pub end: End,
    /// The turns, those of the opening among them, in letternum; in Tron the steps, each with the first
    /// letters of the ways of `1` and `2`.
    pub moves: Vec<String>,
    pub opening_plies: usize,
    /// For A and B: seconds spent, playouts made (as far as they are known) and own moves.
    pub seconds: [f64; 2],
    pub playouts: [u64; 2],
    pub turns: [u64; 2],
}
