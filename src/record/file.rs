//! Records in files.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::sgf::{self, Collection, MAX_BYTES, SgfError};
use super::{Record, RecordError};

/// A file that has no record to give.
#[derive(Debug)]
pub enum FileError {
    Unreadable { path: PathBuf, error: io::Error },
    NoSgf { path: PathBuf, error: SgfError },
    NoGame { path: PathBuf, game: usize, games: usize },
    NoRecord { path: PathBuf, error: RecordError },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |path: &Path| format!("'{}'", path.display().to_string().escape_debug());
        match self {
            Self::Unreadable { path, error } => write!(f, "{}: {error}", quoted(path)),
            Self::NoSgf { path, error } => write!(f, "{}: {error}", quoted(path)),
            Self::NoGame { path, game, games } => {
                write!(f, "{} has {games} games, and no game {game}", quoted(path))
            }
            Self::NoRecord { path, error } => write!(f, "{}: {error}", quoted(path)),
        }
    }
}

impl std::error::Error for FileError {}

/// The games of a file.
pub fn read_file(path: &Path) -> Result<Collection, FileError> {
    let unreadable = |error| FileError::Unreadable { path: path.to_path_buf(), error };
    let bytes = fs::metadata(path).map_err(unreadable)?.len();
    let no_sgf = |error| FileError::NoSgf { path: path.to_path_buf(), error };
    if bytes > MAX_BYTES as u64 {
        return Err(no_sgf(SgfError::TooLong { bytes: bytes as usize }));
    }
    let text = fs::read(path).map_err(unreadable)?;
    sgf::read(&String::from_utf8_lossy(&text)).map_err(no_sgf)
}

/// The main line of a game of a file, counted from 1.
pub fn read_game(path: &Path, game: usize) -> Result<Record, FileError> {
    let collection = read_file(path)?;
    let games = collection.trees().len();
    let tree = game.checked_sub(1).and_then(|index| collection.trees().get(index));
    let no_game = || FileError::NoGame { path: path.to_path_buf(), game, games };
    let no_record = |error| FileError::NoRecord { path: path.to_path_buf(), error };
    Record::from_tree(tree.ok_or_else(no_game)?).map_err(no_record)
}

/// Writes a record to a file of its own.
pub fn write_file(path: &Path, record: &Record) -> Result<(), FileError> {
    let text = Collection::from(record.to_tree()).write() + "\n";
    fs::write(path, text).map_err(|error| FileError::Unreadable { path: path.to_path_buf(), error })
}
