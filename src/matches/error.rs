//! A match that cannot be played.

use std::io;
use std::path::PathBuf;

use super::game_spec::MapSpecError;
use super::log::LogError;
use crate::havannah::notation::NotationError;

/// A match that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error(transparent)]
    Log(LogError),
    #[error("the records '{}': {error}", .path.display().to_string().escape_debug())]
    Sgf {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// A player never came to the table.
    #[error("'{}': {why}", .name.escape_debug())]
    Player { name: String, why: String },
    #[error("the opening '{}': {error}", .line.escape_debug())]
    Opening {
        line: String,
        #[source]
        error: NotationError,
    },
    #[error(transparent)]
    Map(MapSpecError),
    /// The contest's protocol has times for moves only.
    #[error("in Tron players have times for moves, not for the game")]
    Clock,
}
