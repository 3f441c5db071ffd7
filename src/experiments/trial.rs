//! Plays the rows of an experiment, and finds what was played before.
//!
//! Every part of a row (`--shard`) has a log of its own, so that parts can be played at the same time,
//! by machines that share nothing but the folder. Together the logs are what was played of the row.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::catalogue::{Experiment, Form, Row, RowError};
use crate::bits::Isa;
use crate::matches::Settings;
use crate::matches::log;
use crate::matches::referee::GameResult;
use crate::matches::runner::{self, MatchError};
use crate::matches::standing::Standing;

/// How rows are played.
#[derive(Clone, Debug)]
pub struct Options {
    pub form: Form,
    /// Games for each row, if not as many as in the paper.
    pub games: Option<u64>,
    pub seed: u64,
    pub jobs: usize,
    pub isa: Isa,
    pub shard: (u64, u64),
    /// Where the logs go: a folder for each experiment, a log for each row or part of one.
    pub folder: PathBuf,
}

/// What was played of a row.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub settings: Settings,
    pub games: Vec<GameResult>,
    pub standing: Standing,
}

/// What the names of a row's logs begin with: its number and its name, as far as files can have it.
fn stem_of(experiment: &Experiment, number: usize) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = experiment.rows[number].name.chars().map(plain).collect();
    format!("{:02}-{name}", number + 1)
}

/// The log of a row, or of a part of it.
fn log_of(folder: &Path, experiment: &Experiment, number: usize, shard: (u64, u64)) -> PathBuf {
    let stem = stem_of(experiment, number);
    let name = match shard {
        (_, 1) => format!("{stem}.jsonl"),
        (part, parts) => format!("{stem}.{part}-of-{parts}.jsonl"),
    };
    folder.join(&experiment.id).join(name)
}

/// The logs that there are of a row, whole or in parts. One that is empty was only just begun.
fn logs_of(
    folder: &Path,
    experiment: &Experiment,
    number: usize,
) -> Result<Vec<PathBuf>, log::LogError> {
    let (folder, stem) = (folder.join(&experiment.id), stem_of(experiment, number));
    let is_part = |text: &str| {
        let numbers = text.strip_prefix('.').and_then(|text| text.split_once("-of-"));
        numbers.is_some_and(|(part, parts)| {
            part.parse::<u64>().is_ok() && parts.parse::<u64>().is_ok()
        })
    };
    let is_log = |name: &str| {
        let rest = name.strip_prefix(&stem).and_then(|rest| rest.strip_suffix(".jsonl"));
        rest.is_some_and(|rest| rest.is_empty() || is_part(rest))
    };
    let found = || -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(&folder)? {
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
        found => found.map_err(|error| log::LogError::Io { path: folder.clone(), error }),
    }
}

/// A row that was not played.
#[derive(Debug)]
pub enum TrialError {
    Row(RowError),
    Match(MatchError),
    Folder { path: PathBuf, error: io::Error },
}

impl std::fmt::Display for TrialError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Row(error) => error.fmt(f),
            Self::Match(error) => error.fmt(f),
            Self::Folder { path, error } => write!(f, "the folder '{}': {error}", path.display()),
        }
    }
}

impl std::error::Error for TrialError {}

/// Plays what is not played yet of a row or of a part of it; what all logs had when it began counts.
pub fn play(
    experiment: &Experiment,
    number: usize,
    options: &Options,
    show: &mut dyn FnMut(&Standing, u64),
) -> Result<Outcome, TrialError> {
    let row: &Row = &experiment.rows[number];
    let settings = experiment.settings(row, options.form, options.seed).map_err(TrialError::Row)?;
    let log = log_of(&options.folder, experiment, number, options.shard);
    let parent = log.parent().unwrap_or(&options.folder).to_path_buf();
    fs::create_dir_all(&parent).map_err(|error| TrialError::Folder { path: parent, error })?;
    let failed = |error| TrialError::Match(MatchError::Log(error));
    let mut others = logs_of(&options.folder, experiment, number).map_err(failed)?;
    others.retain(|other| *other != log);
    let contest = runner::Options {
        settings: settings.clone(),
        games: options.games.unwrap_or(experiment.games_of(row)),
        shard: options.shard,
        jobs: options.jobs,
        isa: options.isa,
        sprt: None,
        log: Some(log),
        elsewhere: log::games(&others, &settings).map_err(failed)?,
        sgf: None,
    };
    let games = runner::run(&contest, show).map_err(TrialError::Match)?;
    let standing = Standing::new(&settings, &games, None);
    Ok(Outcome { settings, games, standing })
}

/// What was played of a row, in all of its logs; none if there is no log.
pub fn found(
    folder: &Path,
    experiment: &Experiment,
    number: usize,
) -> Result<Option<Outcome>, log::LogError> {
    let paths = logs_of(folder, experiment, number)?;
    if paths.is_empty() {
        return Ok(None);
    }
    let (settings, games) = log::merge(&paths)?;
    let standing = Standing::new(&settings, &games, None);
    Ok(Some(Outcome { settings, games, standing }))
}
