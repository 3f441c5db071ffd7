//! One parameter at several values, each against the same opponent.

use std::path::PathBuf;

use serde::Serialize;

use super::parts::{games_elsewhere, log_of};
use crate::bits::Isa;
use crate::matches::error::MatchError;
use crate::matches::runner;
use crate::matches::standing::Standing;
use crate::matches::{PlayerSpec, Settings};

/// What is varied, and how it is played.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// The settings of every match; the first player is the one that is varied.
    pub settings: Settings,
    pub parameter: String,
    pub values: Vec<String>,
    /// Games for each value.
    pub games: u64,
    pub shard: (u64, u64),
    pub jobs: usize,
    pub isa: Isa,
    /// Where the logs go, one for each value or part of its games.
    pub folder: Option<PathBuf>,
}

/// A value, and how it did.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    pub value: String,
    #[serde(flatten)]
    pub standing: Standing,
}

/// The player that is varied, with the parameter at a value.
pub fn player_at(player: &PlayerSpec, parameter: &str, value: &str) -> PlayerSpec {
    match player {
        PlayerSpec::Engine { preset, settings } => {
            let mut settings = settings.clone();
            settings.push(format!("{parameter}={value}"));
            PlayerSpec::Engine { preset: preset.clone(), settings }
        }
        PlayerSpec::Program(_) => player.clone(),
    }
}

/// Plays a match for each value. `show` is called after each game, with the value, how its match
/// stands and how many games are to come.
pub fn run(
    options: &SweepOptions,
    mut show: impl FnMut(&str, &Standing, u64),
) -> Result<Vec<Point>, MatchError> {
    let mut points = Vec::new();
    for value in &options.values {
        let settings = Settings {
            a: player_at(&options.settings.a, &options.parameter, value),
            ..options.settings.clone()
        };
        let stem = format!("{}={value}", options.parameter);
        let elsewhere = options.folder.as_ref().map_or(Ok(Vec::new()), |folder| {
            games_elsewhere(folder, &stem, options.shard, &settings).map_err(MatchError::Log)
        });
        let contest = runner::MatchOptions {
            settings: settings.clone(),
            games: options.games,
            shard: options.shard,
            jobs: options.jobs,
            isa: options.isa,
            sprt: None,
            log: options.folder.as_ref().map(|folder| log_of(folder, &stem, options.shard)),
            elsewhere: elsewhere?,
            sgf: None,
        };
        let games = runner::run(&contest, &mut |standing, left| show(value, standing, left))?;
        points
            .push(Point { value: value.clone(), standing: Standing::new(&settings, &games, None) });
    }
    Ok(points)
}
