//! A match that cannot be played.

use std::path::PathBuf;
use std::{fmt, io};

use super::game_spec::MapSpecError;
use super::log::LogError;
use crate::havannah::notation::NotationError;

/// A match that cannot be played.
#[derive(Debug)]
pub enum MatchError {
    Log(LogError),
    Sgf {
        path: PathBuf,
        error: io::Error,
    },
    /// A player never came to the table.
    Player {
        name: String,
        why: String,
    },
    Opening {
        line: String,
        error: NotationError,
    },
    Map(MapSpecError),
    /// The contest's protocol has times for moves only.
    Clock,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(error) => error.fmt(f),
            Self::Sgf { path, error } => {
                write!(f, "the records '{}': {error}", path.display().to_string().escape_debug())
            }
            Self::Player { name, why } => write!(f, "'{}': {why}", name.escape_debug()),
            Self::Opening { line, error } => {
                write!(f, "the opening '{}': {error}", line.escape_debug())
            }
            Self::Map(error) => error.fmt(f),
            Self::Clock => f.write_str("in Tron players have times for moves, not for the game"),
        }
    }
}

impl std::error::Error for MatchError {}
