//! `experiment`: the tables of the papers, played here; and sweeps over a parameter.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::bits::Isa;
use crate::experiments::catalogue::{self, Experiment, Form};
use crate::experiments::tune::{self, Tuned};
use crate::experiments::{report, sweep, trial};
use crate::matches::schedule::Colours;
use crate::matches::standing::Standing;
use crate::matches::{PlayerSpec, Settings};
use crate::tools::contest;
#[cfg(feature = "plots")]
use crate::tools::page;
use clap::{Args, Subcommand};

use super::game_options::GameOptions;
use super::limit_options::{OneLimit, limit_of};
use super::matches::{BadMatch, parse_shard, player};
use super::series_options::SeriesOptions;
use super::{parse_playouts, parse_seconds, parse_size, print_json, report_bad_input, say};

#[derive(Args)]
pub struct ExperimentOptions {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the experiments of the papers, with the papers' figures
    List(List),
    /// Play an experiment: as many playouts as the paper's machine made, or what is asked for
    Run(Run),
    /// Write our figures beside the papers'
    Report(Report),
    /// Play a preset with several values of a parameter against an opponent
    Sweep(Sweep),
    /// Look for the best values of parameters, by games of a preset against itself (SPSA)
    Tune(Tune),
}

#[derive(Args)]
struct List {
    /// One experiment, with all of its rows
    id: Option<String>,
}

#[derive(Args)]
struct Run {
    /// The experiment
    id: String,
    /// One row of it, from 1 [default: all]
    #[arg(long)]
    row: Option<usize>,
    /// Games for each row [default: as many as in the paper]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Use the paper's times
    #[arg(long, conflicts_with_all = ["playouts", "seconds"])]
    timed: bool,
    /// Part of the entry's own playouts or seconds, like 0.01: keeps what differs between players
    #[arg(long, value_parser = parse_scale, conflicts_with_all = ["playouts", "seconds", "timed"])]
    scale: Option<f64>,
    /// Playouts for each move
    #[arg(long, value_parser = parse_playouts, conflicts_with = "seconds")]
    playouts: Option<u64>,
    /// Seconds for each move
    #[arg(long, value_parser = parse_seconds)]
    seconds: Option<Duration>,
    #[command(flatten)]
    series: SeriesOptions,
    /// Play only part I of N of each row
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = parse_shard)]
    shard: (u64, u64),
    /// Where the games are kept; what is there is not played again
    #[arg(long, default_value = "ciclon-experiments", value_name = "FOLDER")]
    logs: PathBuf,
}

#[derive(Args)]
struct Report {
    /// Where the games are
    #[arg(long, default_value = "ciclon-experiments", value_name = "FOLDER")]
    logs: PathBuf,
    /// Write a page with plots, too
    #[arg(long, value_name = "FILE")]
    #[cfg(feature = "plots")]
    html: Option<PathBuf>,
}

#[derive(Args)]
struct Sweep {
    /// The preset that is varied
    #[arg(long)]
    preset: String,
    /// The parameter and its values, as exploration=0,0.2,0.4
    #[arg(long, value_name = "NAME=A,B,C")]
    param: String,
    /// Set a parameter of the preset that is varied
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// The opponent: a preset, or another program in quotes
    #[arg(long)]
    against: String,
    #[command(flatten)]
    game: GameOptions,
    /// Games for each value
    #[arg(long, default_value = "200", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    limit: OneLimit,
    /// Random moves that each pair of games begins with
    #[arg(long, default_value = "0", value_name = "PLIES")]
    opening_random: usize,
    #[command(flatten)]
    series: SeriesOptions,
    /// Play only part I of N of each match
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = parse_shard)]
    shard: (u64, u64),
    /// Keep the games in this folder; what is there is not played again
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// Draw the rates with their intervals
    #[arg(long, value_name = "FILE")]
    #[cfg(feature = "plots")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Tune {
    /// The preset that is tuned
    #[arg(long)]
    preset: String,
    /// A parameter and where to look, as exploration=0:1
    #[arg(long = "param", value_name = "NAME=LOW:HIGH", required = true)]
    params: Vec<String>,
    /// Set another parameter of the preset
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Base of the board
    #[arg(long, value_parser = parse_size)]
    size: usize,
    /// Steps to take
    #[arg(long, default_value = "200", value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Pairs of games in each step
    #[arg(long, default_value = "5", value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// How far values are moved for a comparison, of the range
    #[arg(long, default_value = "0.1")]
    perturbation: f64,
    /// How far values go towards the winner
    #[arg(long, default_value = "0.2")]
    gain: f64,
    #[command(flatten)]
    limit: OneLimit,
    /// Random moves that each pair of games begins with
    #[arg(long, default_value = "2", value_name = "PLIES")]
    opening_random: usize,
    #[command(flatten)]
    series: SeriesOptions,
    /// Keep every step here; a tuning that was broken off goes on from it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Tune {
    fn run(&self) -> Outcome {
        for (name, value) in [("perturbation", self.perturbation), ("gain", self.gain)] {
            if !(0.0 < value && value <= 1.0) {
                return Err(BadMatch(format!("'{value}' is no {name} up to 1")).into());
            }
        }
        let tuned: Vec<Tuned> =
            self.params.iter().map(|text| Tuned::read(text)).collect::<Result<_, _>>()?;
        let limit = self.limit.limit();
        let engine =
            PlayerSpec::Engine { preset: self.preset.clone(), settings: self.settings.clone() };
        let jobs = self.series.jobs(limit.is_timed(), [&engine])?;
        let options = tune::TuneOptions {
            preset: self.preset.clone(),
            settings: self.settings.clone(),
            tuned,
            size: self.size,
            limit,
            opening_random: self.opening_random,
            steps: self.steps,
            pairs: self.pairs,
            perturbation: self.perturbation,
            gain: self.gain,
            seed: self.series.seed,
            jobs,
            isa: Isa::best(),
            log: self.log.clone(),
        };
        let steps = tune::run(&options, |step| {
            if step.step % 10 == 9 {
                let values = options.assignments(&step.places).join(" ");
                eprintln!("step {} of {}: {values}", step.step + 1, options.steps);
            }
        })?;
        let places = steps.last().map_or(&[][..], |step| &step.places);
        let values = options.assignments(places);
        if self.json {
            print_json(&serde_json::json!({ "settings": values, "steps": steps }));
        } else {
            say(&(values.join(" ") + "\n"));
        }
        Ok(())
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

impl ExperimentOptions {
    pub fn run(self) -> ExitCode {
        let outcome = match self.command {
            Command::List(options) => options.run(),
            Command::Run(options) => options.run(),
            Command::Report(options) => options.run(),
            Command::Sweep(options) => options.run(),
            Command::Tune(options) => options.run(),
        };
        match outcome {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report_bad_input(&*error),
        }
    }
}

fn find(id: &str) -> Result<Experiment, BadMatch> {
    catalogue::find(id).ok_or_else(|| {
        let id = id.escape_debug();
        BadMatch(format!("unknown experiment '{id}' (ciclon experiment list shows them)"))
    })
}

impl List {
    fn run(&self) -> Outcome {
        if let Some(id) = &self.id {
            say(&rows_of(&find(id)?));
            return Ok(());
        }
        let line = |experiment: &Experiment| {
            let rows = &experiment.rows;
            let playable =
                rows.iter().filter(|row| experiment.settings(row, Form::Usual, 1).is_ok()).count();
            let figures = || rows.iter().map(|row| experiment.figure(row).stated());
            let low = figures().map(|(low, _)| low).fold(f64::INFINITY, f64::min);
            let high = figures().map(|(_, high)| high).fold(f64::NEG_INFINITY, f64::max);
            format!(
                "{:20} {:>2} rows ({playable:>2} playable)  paper {low:.1} to {high:.1}%  {}\n",
                experiment.id,
                rows.len(),
                experiment.about
            )
        };
        say(&catalogue::catalogue().iter().map(line).collect::<String>());
        Ok(())
    }
}

/// An experiment with all of its rows.
fn rows_of(experiment: &Experiment) -> String {
    let mut text = format!("{}: {}\n{}\n", experiment.id, experiment.source, experiment.about);
    for (number, row) in experiment.rows.iter().enumerate() {
        let player = |preset: &str, settings: &[String]| {
            [&[preset.to_string()], settings].concat().join(" ")
        };
        text.push_str(&format!(
            "{:>3}. {}: {}%  {} against {}\n",
            number + 1,
            row.name,
            experiment.figure(row),
            player(&row.a, &row.set_a),
            player(&row.b, &row.set_b)
        ));
        if let Err(error) = experiment.settings(row, Form::Usual, 1) {
            text.push_str(&format!("     not playable yet: {error}\n"));
        }
    }
    text
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let scale = text.parse().ok().filter(|scale| (1e-6..=1e3).contains(scale));
    scale.ok_or_else(|| format!("'{text}' is no part from 0.000001 to 1000"))
}

impl Run {
    fn run(&self) -> Outcome {
        let experiment = find(&self.id)?;
        let numbers: Vec<usize> = match self.row {
            None => (0..experiment.rows.len()).collect(),
            Some(row) if (1..=experiment.rows.len()).contains(&row) => vec![row - 1],
            Some(row) => {
                let most = experiment.rows.len();
                return Err(BadMatch(format!("'{row}' is no row from 1 to {most}")).into());
            }
        };
        let form = match limit_of(self.playouts, self.seconds, None) {
            Some(limit) => Form::Given(limit),
            None if self.timed => Form::Timed,
            None => self.scale.map_or(Form::Usual, Form::Scaled),
        };
        let is_timed = match form {
            Form::Given(limit) => limit.is_timed(),
            Form::Timed => true,
            Form::Usual | Form::Scaled(_) => experiment.timed || experiment.playouts.is_none(),
        };
        let jobs = self.series.jobs(is_timed, [])?;
        let options = trial::TrialOptions {
            form,
            games: self.games,
            seed: self.series.seed,
            jobs,
            isa: Isa::best(),
            shard: self.shard,
            folder: self.logs.clone(),
        };
        for number in numbers {
            let row = &experiment.rows[number];
            let played = contest::watched(&format!("{}  ", row.name), |show| {
                trial::play(&experiment, number, &options, show)
            });
            match played {
                Ok(outcome) => {
                    let (paper, line) = (experiment.figure(row), outcome.standing.line());
                    say(&format!("{}: paper {paper}%, ours {line}\n", row.name));
                }
                // The others can still be played.
                Err(trial::TrialError::Row(error)) => eprintln!("{}: {error}", row.name),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

impl Report {
    fn run(&self) -> Outcome {
        let chapters = report::chapters(&self.logs, catalogue::catalogue())?;
        if chapters.is_empty() {
            let folder = self.logs.display();
            return Err(BadMatch(format!("no experiment was played in '{folder}'")).into());
        }
        say(&report::markdown(&chapters));
        #[cfg(feature = "plots")]
        if let Some(path) = &self.html {
            std::fs::write(path, page::experiments(&chapters))
                .map_err(|error| BadMatch(format!("the page '{}': {error}", path.display())))?;
        }
        Ok(())
    }
}

impl Sweep {
    fn run(&self) -> Outcome {
        let bad =
            |text: &str| BadMatch(format!("'{}' is nothing like name=a,b,c", text.escape_debug()));
        let (parameter, values) = self.param.split_once('=').ok_or_else(|| bad(&self.param))?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_string()).collect();
        let (game, size) = self.game.read(&[
            ("--opening-random", self.opening_random > 0),
            ("--clock", self.limit.has_clock()),
        ])?;
        let patience = Duration::from_secs(30);
        let letternum = super::games::Coordinates::Letternum;
        let a = player(&self.preset, &self.settings, &[], &None, letternum, patience)?;
        if let PlayerSpec::Program(_) = a {
            let name = self.preset.escape_debug();
            return Err(BadMatch(format!("'{name}' is no preset")).into());
        }
        for value in &values {
            sweep::player_at(&a, parameter.trim(), value).params()?;
        }
        let b = player(&self.against, &[], &[], &None, letternum, patience)?;
        let limit = self.limit.limit();
        let at_values = values.iter().map(|value| sweep::player_at(&a, parameter.trim(), value));
        let players: Vec<PlayerSpec> = at_values.chain([b.clone()]).collect();
        let jobs = self.series.jobs(limit.is_timed(), &players)?;
        if let Some(folder) = &self.logs {
            std::fs::create_dir_all(folder)
                .map_err(|error| BadMatch(format!("the folder '{}': {error}", folder.display())))?;
        }
        let options = sweep::SweepOptions {
            settings: Settings {
                game,
                size,
                a,
                b,
                limit_a: limit,
                limit_b: limit,
                colours: Colours::Swap,
                opening_random: self.opening_random,
                opening_lines: Vec::new(),
                pie: false,
                seed: self.series.seed,
            },
            parameter: parameter.trim().to_string(),
            values,
            games: self.games,
            shard: self.shard,
            jobs,
            isa: Isa::best(),
            folder: self.logs.clone(),
        };
        let points = contest::sweep(&options)?;
        if self.json {
            print_json(&points);
        } else {
            let line = |value: &str, standing: &Standing| {
                format!("{}={value}: {}\n", options.parameter, standing.line())
            };
            say(&points
                .iter()
                .map(|point| line(&point.value, &point.standing))
                .collect::<String>());
        }
        #[cfg(feature = "plots")]
        if let Some(path) = &self.svg {
            std::fs::write(path, page::sweep(&options.parameter, &points))
                .map_err(|error| BadMatch(format!("the picture '{}': {error}", path.display())))?;
        }
        Ok(())
    }
}
