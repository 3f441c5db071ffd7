//! The log of a match: a line of settings, then a line for each finished game.
//!
//! A line is written at once and whole. A match that was killed leaves at most one line unfinished,
//! which is dropped when the match goes on; what is finished stays, and is not played again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Settings;
use super::game_result::GameResult;

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header {
    ciclon_match: u32,
    settings: Settings,
}

/// A log that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("the log '{}': {error}", .path.display().to_string().escape_debug())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("the log '{}' is in use by another match", .path.display().to_string().escape_debug())]
    InUse { path: PathBuf },
    #[error("the log '{}', line {line}: {why}", .path.display().to_string().escape_debug())]
    BadLine { path: PathBuf, line: usize, why: String },
    #[error("the log '{}' is of a match with another '{field}'", .path.display().to_string().escape_debug())]
    OtherSettings { path: PathBuf, field: String },
    #[error("the log '{}' has another result of game {game}", .path.display().to_string().escape_debug())]
    Twice { path: PathBuf, game: u64 },
}

/// A log that games are added to. It is locked as long as it is open.
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens the log of a match, or begins it; with the games that are in it.
    pub fn open(path: &Path, settings: &Settings) -> Result<(Self, Vec<GameResult>), LogError> {
        let io = |error| LogError::Io { path: path.to_path_buf(), error };
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LogError::InUse { path: path.to_path_buf() });
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let games = match read(path, &text[..whole])? {
            Some((found, games)) => {
                same(path, settings, &found)?;
                games
            }
            // Nothing but the beginning of a first line, if that.
            None if whole == 0
                && !b"{\"ciclon_match\"".starts_with(&text[..text.len().min(15)]) =>
            {
                let why = "this is no log of a match".to_string();
                return Err(LogError::BadLine { path: path.to_path_buf(), line: 1, why });
            }
            None => Vec::new(),
        };
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut log = Self { path: path.to_path_buf(), file };
        if whole == 0 {
            log.write(&Header { ciclon_match: VERSION, settings: settings.clone() })?;
        }
        Ok((log, games))
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameResult) -> Result<(), LogError> {
        self.write(game)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), LogError> {
        let text = serde_json::to_string(line).expect("results are plain data") + "\n";
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| LogError::Io { path: self.path.clone(), error })
    }
}

/// The settings and the games of logs of one match, each game once.
pub fn merge(paths: &[PathBuf]) -> Result<(Settings, Vec<GameResult>), LogError> {
    Ok(join(None, paths)?.expect("there is a log at least"))
}

/// The games of logs of a match with these settings, each game once.
pub fn games(paths: &[PathBuf], settings: &Settings) -> Result<Vec<GameResult>, LogError> {
    let joined = join(Some((settings.clone(), Vec::new())), paths)?;
    Ok(joined.map_or(Vec::new(), |(_, games)| games))
}

/// Adds the games of logs to what there is of a match; none if there is nothing at all.
fn join(
    mut merged: Option<(Settings, Vec<GameResult>)>,
    paths: &[PathBuf],
) -> Result<Option<(Settings, Vec<GameResult>)>, LogError> {
    for path in paths {
        let text =
            std::fs::read(path).map_err(|error| LogError::Io { path: path.clone(), error })?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let why = "this is no log of a match".to_string();
        let none = LogError::BadLine { path: path.clone(), line: 1, why };
        let (settings, games) = read(path, &text[..whole])?.ok_or(none)?;
        let Some((first, all)) = &mut merged else {
            merged = Some((settings, games));
            continue;
        };
        same(path, first, &settings)?;
        for game in games {
            match all.iter().find(|other| other.game == game.game) {
                None => all.push(game),
                Some(other) if *other == game => {}
                Some(_) => return Err(LogError::Twice { path: path.clone(), game: game.game }),
            }
        }
    }
    if let Some((_, games)) = &mut merged {
        games.sort_by_key(|game| game.game);
    }
    Ok(merged)
}

/// Writes a log of some games to a new file.
pub fn write_new(path: &Path, settings: &Settings, games: &[GameResult]) -> Result<(), LogError> {
    let io = |error| LogError::Io { path: path.to_path_buf(), error };
    let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(io)?;
    let mut log = Log { path: path.to_path_buf(), file };
    log.write(&Header { ciclon_match: VERSION, settings: settings.clone() })?;
    games.iter().try_for_each(|game| log.add(game))
}

/// The settings and games of a log; none if it is empty.
fn read(path: &Path, text: &[u8]) -> Result<Option<(Settings, Vec<GameResult>)>, LogError> {
    let bad = |line: usize, why: String| LogError::BadLine { path: path.to_path_buf(), line, why };
    let mut lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let Some(first) = lines.next() else {
        return Ok(None);
    };
    let header: Header = serde_json::from_slice(first)
        .map_err(|error| bad(1, format!("this is no log of a match ({error})")))?;
    if header.ciclon_match != VERSION {
        return Err(bad(1, format!("version {} is not known", header.ciclon_match)));
    }
    let mut games: Vec<GameResult> = Vec::new();
    for (index, line) in lines.enumerate() {
        let game: GameResult =
            serde_json::from_slice(line).map_err(|error| bad(index + 2, error.to_string()))?;
        games.push(game);
    }
    games.sort_by_key(|game| game.game);
    if let Some(pair) = games.windows(2).find(|pair| pair[0].game == pair[1].game) {
        return Err(LogError::Twice { path: path.to_path_buf(), game: pair[0].game });
    }
    Ok(Some((header.settings, games)))
}

/// Refuses settings that are not the same, and names the first difference.
fn same(path: &Path, wanted: &Settings, found: &Settings) -> Result<(), LogError> {
    if wanted == found {
        return Ok(());
    }
    let fields = |settings: &Settings| match serde_json::to_value(settings) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (wanted, found) = (fields(wanted), fields(found));
    let field = wanted.iter().find(|(name, value)| found.get(*name) != Some(value));
    let field = field.map_or("settings".to_string(), |(name, _)| name.clone());
    Err(LogError::OtherSettings { path: path.to_path_buf(), field })
}
