//! Records in files: the only file of this room that reads or writes files.
//! Only regular files are accepted, at most [`MAX_BYTES`] long.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::sgf::{self, Collection, MAX_BYTES, SgfError};
use super::{Record, RecordError};

/// Why a record cannot be read from a file or written to it.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("'{}': {error}", .path.display().to_string().escape_debug())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("'{}': {error}", .path.display().to_string().escape_debug())]
    NoSgf {
        path: PathBuf,
        #[source]
        error: SgfError,
    },
    #[error("'{}' has {games} games, and no game {game}", .path.display().to_string().escape_debug())]
    NoGame { path: PathBuf, game: usize, games: usize },
    #[error("'{}': {error}", .path.display().to_string().escape_debug())]
    NoRecord {
        path: PathBuf,
        #[source]
        error: RecordError,
    },
}

/// Reads all games of a file.
pub fn read_file(path: &Path) -> Result<Collection, FileError> {
    let io = |error| FileError::Io { path: path.to_path_buf(), error };
    let no_sgf = |error| FileError::NoSgf { path: path.to_path_buf(), error };
    regular(path).map_err(io)?;
    let mut text = Vec::new();
    let file = File::open(path).map_err(io)?;
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut text).map_err(io)?;
    if text.len() > MAX_BYTES {
        return Err(no_sgf(SgfError::TooLong { bytes: text.len() }));
    }
    sgf::read(&String::from_utf8_lossy(&text)).map_err(no_sgf)
}

/// Refuses a path that is no regular file. A device or a pipe might have no end.
fn regular(path: &Path) -> io::Result<()> {
    let is_file = fs::metadata(path)?.is_file();
    if is_file { Ok(()) } else { Err(io::Error::other("this is no regular file")) }
}

/// Reads the main line of one game of a file. Games are counted from 1.
pub fn read_game(path: &Path, game: usize) -> Result<Record, FileError> {
    let collection = read_file(path)?;
    let games = collection.trees().len();
    let tree = game.checked_sub(1).and_then(|index| collection.trees().get(index));
    let no_game = || FileError::NoGame { path: path.to_path_buf(), game, games };
    let no_record = |error| FileError::NoRecord { path: path.to_path_buf(), error };
    Record::from_tree(tree.ok_or_else(no_game)?).map_err(no_record)
}

/// Writes a record to a file. An existing file is replaced.
pub fn write_file(path: &Path, record: &Record) -> Result<(), FileError> {
    let text = record.to_sgf() + "\n";
    let allowed = if path.exists() { regular(path) } else { Ok(()) };
    let written = allowed.and_then(|()| fs::write(path, text));
    written.map_err(|error| FileError::Io { path: path.to_path_buf(), error })
}
