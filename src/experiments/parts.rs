//! Logs of a match that is played in parts: one for each, so that parts can be played at the same time,
//! by machines that share nothing but the folder. Together they are what was played.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::matches::Settings;
use crate::matches::game_result::GameResult;
use crate::matches::log::{self, LogError};

/// The log of a match, or of a part of it; `stem` is the name of the match.
pub fn log_of(folder: &Path, stem: &str, shard: (u64, u64)) -> PathBuf {
    folder.join(match shard {
        (_, 1) => format!("{stem}.jsonl"),
        (part, parts) => format!("{stem}.{part}-of-{parts}.jsonl"),
    })
}

/// The logs that there are of a match, whole or in parts. One that is empty was only just begun.
pub fn logs_of(folder: &Path, stem: &str) -> Result<Vec<PathBuf>, LogError> {
    let is_part = |text: &str| {
        let numbers = text.strip_prefix('.').and_then(|text| text.split_once("-of-"));
        numbers.is_some_and(|(part, parts)| {
            part.parse::<u64>().is_ok() && parts.parse::<u64>().is_ok()
        })
    };
    let is_log = |name: &str| {
        let rest = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(".jsonl"));
        rest.is_some_and(|rest| rest.is_empty() || is_part(rest))
    };
    let found = || -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(is_log) && entry.metadata()?.len() > 0 {
                paths.push(entry.path());
            }
        }
        paths.sort();
        Ok(paths)
    };
    match found() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        found => found.map_err(|error| LogError::Io { path: folder.to_path_buf(), error }),
    }
}

/// The games that the other logs of a match have.
pub fn games_elsewhere(
    folder: &Path,
    stem: &str,
    shard: (u64, u64),
    settings: &Settings,
) -> Result<Vec<GameResult>, LogError> {
    let own = log_of(folder, stem, shard);
    let mut others = logs_of(folder, stem)?;
    others.retain(|other| *other != own);
    log::games(&others, settings)
}
