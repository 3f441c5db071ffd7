//! `round-robin`: several players, each against each other.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::bits::Isa;
use crate::matches::round_robin::{RoundRobin, RoundRobinSettings};
use crate::matches::schedule::Colours;
use crate::matches::{PlayerSpec, Settings};
#[cfg(feature = "plots")]
use crate::tools::page;
use crate::tools::{contest, crosstable};
use clap::Args;

use super::game_options::GameOptions;
use super::limit_options::OneLimit;
use super::matches::{BadMatch, player};
use super::series_options::SeriesOptions;
use super::{print_json, report_bad_input, say};

#[derive(Args)]
pub struct RoundRobinOptions {
    /// Presets, as rave or rave:rave_weight=100,exploration=0, or other programs in quotes
    #[arg(required = true, num_args = 2..)]
    players: Vec<String>,
    #[command(flatten)]
    game: GameOptions,
    /// Games of each pair of players
    #[arg(long, default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    limit: OneLimit,
    /// Random moves that each pair of games begins with
    #[arg(long, default_value = "0", value_name = "PLIES")]
    opening_random: usize,
    /// Play the pie rule
    #[arg(long)]
    pie: bool,
    #[command(flatten)]
    series: SeriesOptions,
    /// Keep the games in this folder, a log for each pair of players; what is there is not played again
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// Write a page with table and plots
    #[arg(long, value_name = "FILE")]
    #[cfg(feature = "plots")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How long a program may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

fn read_player(text: &str) -> Result<PlayerSpec, BadMatch> {
    let (name, settings) = match text.split_once(':') {
        Some((preset, settings)) if !preset.contains(['/', ' ']) => {
            (preset, settings.split(',').map(str::to_string).collect())
        }
        _ => (text, Vec::new()),
    };
    player(name, &settings, &[], &None, super::games::Coordinates::Letternum, PATIENCE)
}

impl RoundRobinOptions {
    pub fn run(self) -> ExitCode {
        match self.play() {
            Ok(robin) if self.json => print_json(&robin),
            Ok(robin) => say(&crosstable::text(&robin)),
            Err(error) => return report_bad_input(&*error),
        }
        ExitCode::SUCCESS
    }

    fn play(&self) -> Result<RoundRobin, Box<dyn std::error::Error>> {
        let players: Vec<PlayerSpec> =
            self.players.iter().map(|text| read_player(text)).collect::<Result<_, _>>()?;
        if let Some(twice) =
            players.iter().find(|player| players.iter().filter(|other| other == player).count() > 1)
        {
            return Err(BadMatch(format!("'{twice}' is there twice")).into());
        }
        let limit = self.limit.limit();
        let jobs = self.series.jobs(limit.is_timed(), &players)?;
        let (game, size) = self.game.read(&[
            ("--opening-random", self.opening_random > 0),
            ("--pie", self.pie),
            ("--clock", self.limit.has_clock()),
        ])?;
        let settings = Settings {
            game,
            size,
            a: players[0].clone(),
            b: players[0].clone(),
            limit_a: limit,
            limit_b: limit,
            colours: Colours::Swap,
            opening_random: self.opening_random,
            opening_lines: Vec::new(),
            pie: self.pie,
            seed: self.series.seed,
        };
        if let Some(folder) = &self.logs {
            std::fs::create_dir_all(folder)
                .map_err(|error| BadMatch(format!("the folder '{}': {error}", folder.display())))?;
        }
        let folder = self.logs.clone();
        let options = RoundRobinSettings {
            players,
            settings,
            games: self.games,
            jobs,
            isa: Isa::best(),
            folder,
        };
        let robin = contest::round_robin(&options)?;
        #[cfg(feature = "plots")]
        if let Some(path) = &self.html {
            std::fs::write(path, page::round_robin(&robin))
                .map_err(|error| BadMatch(format!("the page '{}': {error}", path.display())))?;
        }
        Ok(robin)
    }
}
