//! `learn`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::bits::Isa;
use crate::matches::contestant::Limit;
use crate::matches::game_spec::GameSpec;
use crate::matches::runner::MatchOptions;
use crate::matches::schedule::Colours;
use crate::matches::{PlayerSpec, Settings};
#[cfg(feature = "plots")]
use crate::tools::pattern_page;
use crate::tools::{contest, learn};
use clap::{Args, Subcommand};

use super::series_options::SeriesOptions;
use super::{parse_playouts, parse_preset, parse_size, report_bad_input, say};

#[derive(Args)]
pub struct Learn {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Weights of local patterns, from games of a player against itself
    Patterns(Patterns),
}

#[derive(Args)]
struct Patterns {
    /// Base of the board
    #[arg(long, default_value = "5", value_parser = parse_size)]
    size: usize,
    /// Games to play
    #[arg(long, default_value = "5000")]
    games: u64,
    /// Playouts for each move
    #[arg(long, default_value = "1000", value_parser = parse_playouts)]
    playouts: u64,
    /// The preset that plays
    #[arg(long, default_value = "rave", value_parser = preset_name)]
    preset: String,
    /// Set a parameter, as name=value (ciclon params lists them)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    #[command(flatten)]
    series: SeriesOptions,
    /// Append the games to this log, and go on from it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// A page with plots of the weights and how often patterns were seen
    #[arg(long, value_name = "FILE")]
    #[cfg(feature = "plots")]
    html: Option<PathBuf>,
}

fn preset_name(text: &str) -> Result<String, crate::params::ParamError> {
    parse_preset(text).map(|_| text.to_string())
}

impl Learn {
    pub fn run(self) -> ExitCode {
        let What::Patterns(patterns) = self.what;
        match patterns.learn() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report_bad_input(&*error),
        }
    }
}

impl Patterns {
    fn learn(&self) -> Result<(), Box<dyn std::error::Error>> {
        let player =
            PlayerSpec::Engine { preset: self.preset.clone(), settings: self.settings.clone() };
        player.params()?;
        let limit = Limit::Playouts(self.playouts);
        let settings = Settings {
            game: GameSpec::Havannah,
            size: self.size,
            a: player.clone(),
            b: player,
            limit_a: limit,
            limit_b: limit,
            colours: Colours::Swap,
            opening_random: 0,
            opening_lines: Vec::new(),
            pie: false,
            seed: self.series.seed,
        };
        let jobs = self.series.jobs(false, [&settings.a])?;
        let options = MatchOptions {
            settings,
            games: self.games,
            shard: (1, 1),
            jobs,
            isa: Isa::best(),
            sprt: None,
            log: self.log.clone(),
            elsewhere: Vec::new(),
            sgf: None,
        };
        let (games, _) = contest::contest(&options)?;
        let weights = learn::pattern_weights(&options, &games);
        let write = |path: &PathBuf, text: String| {
            std::fs::write(path, text).map_err(|error| format!("'{}': {error}", path.display()))
        };
        write(&self.output, weights.to_string())?;
        #[cfg(feature = "plots")]
        if let Some(path) = &self.html {
            write(path, pattern_page::pattern_weights(&weights))?;
        }
        say(&learn::summary(&weights));
        Ok(())
    }
}
