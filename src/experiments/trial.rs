//! Plays the rows of an experiment, and finds what was played before.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::catalogue::{Experiment, Form, Row, RowError};
use super::parts::{games_elsewhere, log_of, logs_of};
use crate::bits::Isa;
use crate::matches::Settings;
use crate::matches::error::MatchError;
use crate::matches::log;
use crate::matches::runner;
use crate::matches::standing::Standing;

/// How rows are played.
#[derive(Clone, Debug)]
pub struct TrialOptions {
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
    pub standing: Standing,
}

/// What the names of a row's logs begin with: its number and its name, as far as files can have it.
fn stem_of(experiment: &Experiment, number: usize) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = experiment.rows[number].name.chars().map(plain).collect();
    format!("{:02}-{name}", number + 1)
}

/// A row that was not played.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    #[error(transparent)]
    Row(RowError),
    #[error(transparent)]
    Match(MatchError),
    #[error("the folder '{}': {error}", .path.display())]
    Folder {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
}

/// Plays what is not played yet of a row or of a part of it; what all logs had when it began counts.
pub fn play(
    experiment: &Experiment,
    number: usize,
    options: &TrialOptions,
    show: &mut dyn FnMut(&Standing, u64),
) -> Result<Outcome, TrialError> {
    let row: &Row = &experiment.rows[number];
    let settings = experiment.settings(row, options.form, options.seed).map_err(TrialError::Row)?;
    let (folder, stem) = (options.folder.join(&experiment.id), stem_of(experiment, number));
    let failed = |error| TrialError::Folder { path: folder.clone(), error };
    fs::create_dir_all(&folder).map_err(failed)?;
    let elsewhere = games_elsewhere(&folder, &stem, options.shard, &settings);
    let contest = runner::MatchOptions {
        settings: settings.clone(),
        games: options.games.unwrap_or(experiment.games_of(row)),
        shard: options.shard,
        jobs: options.jobs,
        isa: options.isa,
        sprt: None,
        log: Some(log_of(&folder, &stem, options.shard)),
        elsewhere: elsewhere.map_err(|error| TrialError::Match(MatchError::Log(error)))?,
        sgf: None,
    };
    let games = runner::run(&contest, show).map_err(TrialError::Match)?;
    let standing = Standing::new(&settings, &games, None);
    Ok(Outcome { settings, standing })
}

/// What was played of a row, in all of its logs; none if there is no log.
pub fn found(
    folder: &Path,
    experiment: &Experiment,
    number: usize,
) -> Result<Option<Outcome>, log::LogError> {
    let paths = logs_of(&folder.join(&experiment.id), &stem_of(experiment, number))?;
    if paths.is_empty() {
        return Ok(None);
    }
    let (settings, games) = log::merge(&paths)?;
    let standing = Standing::new(&settings, &games, None);
    Ok(Some(Outcome { settings, standing }))
}
