//! Plays the rows of an experiment, and finds what was played before.

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
    /// Where the logs go: a folder for each experiment, a log for each row.
    pub folder: PathBuf,
}

/// What was played of a row.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub settings: Settings,
    pub games: Vec<GameResult>,
    pub standing: Standing,
}

/// The log of a row: its number and its name, as far as files can have it.
pub fn log_of(folder: &Path, experiment: &Experiment, number: usize) -> PathBuf {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = experiment.rows[number].name.chars().map(plain).collect();
    folder.join(&experiment.id).join(format!("{:02}-{name}.jsonl", number + 1))
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

/// Plays what is not played yet of a row.
pub fn play(
    experiment: &Experiment,
    number: usize,
    options: &Options,
    show: &mut dyn FnMut(&Standing, u64),
) -> Result<Outcome, TrialError> {
    let row: &Row = &experiment.rows[number];
    let settings = experiment.settings(row, options.form, options.seed).map_err(TrialError::Row)?;
    let log = log_of(&options.folder, experiment, number);
    let parent = log.parent().unwrap_or(&options.folder).to_path_buf();
    fs::create_dir_all(&parent).map_err(|error| TrialError::Folder { path: parent, error })?;
    let contest = runner::Options {
        settings: settings.clone(),
        games: options.games.unwrap_or(experiment.games_of(row)),
        shard: options.shard,
        jobs: options.jobs,
        isa: options.isa,
        sprt: None,
        log: Some(log),
        sgf: None,
    };
    let games = runner::run(&contest, show).map_err(TrialError::Match)?;
    let standing = Standing::new(&settings, &games, None);
    Ok(Outcome { settings, games, standing })
}

/// What was played of a row, if there is a log.
pub fn found(
    folder: &Path,
    experiment: &Experiment,
    number: usize,
) -> Result<Option<Outcome>, log::LogError> {
    let path = log_of(folder, experiment, number);
    if !path.exists() {
        return Ok(None);
    }
    let (settings, games) = log::merge(&[path])?;
    let standing = Standing::new(&settings, &games, None);
    Ok(Some(Outcome { settings, games, standing }))
}
