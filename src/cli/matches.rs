//! `match`, and joining the logs of its parts.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use crate::bits::Isa;
use crate::havannah::Notation;
use crate::matches::program::Program;
use crate::matches::runner::MatchOptions;
use crate::matches::schedule::Colours;
use crate::matches::standing::Standing;
use crate::matches::statistics::Sprt;
use crate::matches::{PlayerSpec, Settings, log};
use crate::params::Params;
use crate::record::file;
use crate::record::replay::replay;
use crate::tools::contest;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::game_options::GameOptions;
use super::games::Coordinates;
use super::limit_options::LimitOptions;
use super::series_options::SeriesOptions;
use super::{parse_seconds, print_json, report_bad_input, say};

#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "ciclon match A B (--size N | --game tron) (--playouts P | --seconds S | --clock S) [OPTIONS]\n       \
                      ciclon match merge LOG..."
)]
pub struct Match {
    #[command(subcommand)]
    merge: Option<Parts>,
    /// The first player: a preset, or another program with its arguments in quotes
    #[arg(required = true)]
    a: Option<String>,
    /// The second player
    #[arg(required = true)]
    b: Option<String>,
    #[command(flatten)]
    game: GameOptions,
    /// Games to play
    #[arg(long, default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    limits: LimitOptions,
    /// Set a parameter of the first player
    #[arg(long, value_name = "NAME=VALUE")]
    set_a: Vec<String>,
    /// Set a parameter of the second player
    #[arg(long, value_name = "NAME=VALUE")]
    set_b: Vec<String>,
    #[command(flatten)]
    programs: ProgramOptions,
    /// Random moves that each pair of games begins with
    #[arg(long, default_value = "0", value_name = "PLIES")]
    opening_random: usize,
    /// A file of records (SGF or HGF): each pair of games begins with the main line of one
    #[arg(long, value_name = "FILE", conflicts_with = "opening_random")]
    openings: Option<PathBuf>,
    /// Who is White
    #[arg(long, default_value = "swap")]
    colours: ColoursOption,
    /// Play the pie rule
    #[arg(long)]
    pie: bool,
    #[command(flatten)]
    series: SeriesOptions,
    /// Stop as soon as a sequential test tells these two differences in Elo apart
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = parse_sprt)]
    sprt: Option<Sprt>,
    /// Play only part I of N: the parts together are the match
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = parse_shard)]
    shard: (u64, u64),
    /// Keep every game here; a match that was broken off goes on from it
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Keep every game as a record here, too
    #[arg(long, value_name = "FILE", requires = "log")]
    sgf: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Parts {
    /// Join the logs of the parts of a match, and say how it stands
    Merge(Merge),
}

#[derive(Args)]
struct Merge {
    /// The logs
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// Write the games to a new log
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How other programs are spoken to.
#[derive(Args)]
struct ProgramOptions {
    /// A GTP command for the first player, if it is another program, before the first game
    #[arg(long, value_name = "COMMAND")]
    setup_a: Vec<String>,
    /// A GTP command for the second player
    #[arg(long, value_name = "COMMAND")]
    setup_b: Vec<String>,
    /// How the first program is told its limit, with {seconds} or {playouts} in it
    #[arg(long, value_name = "COMMAND")]
    time_a: Option<String>,
    /// How the second program is told its limit
    #[arg(long, value_name = "COMMAND")]
    time_b: Option<String>,
    /// How the first program writes cells
    #[arg(long, default_value = "letternum")]
    coordinates_a: Coordinates,
    /// How the second program writes cells
    #[arg(long, default_value = "letternum")]
    coordinates_b: Coordinates,
    /// Seconds after which a program that does not answer is killed: beyond its time for a move
    #[arg(long, default_value = "30", value_parser = parse_seconds)]
    patience: Duration,
}

#[derive(Clone, Copy, ValueEnum)]
enum ColoursOption {
    Swap,
    AWhite,
    ABlack,
}

/// One line about what is wrong with a match.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadMatch(pub String);

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let bounds = text.split_once(',').and_then(|(elo0, elo1)| {
        let elo = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.abs() <= 1000.0);
        Some((elo(elo0)?, elo(elo1)?)).filter(|(elo0, elo1)| elo0 < elo1)
    });
    let bounds = bounds.ok_or_else(|| format!("'{text}' is no pair of differences like 0,30"));
    bounds.map(|(elo0, elo1)| Sprt { elo0, elo1 })
}

pub fn parse_shard(text: &str) -> Result<(u64, u64), String> {
    let shard = text.split_once('/').and_then(|(part, parts)| {
        Some((part.parse().ok()?, parts.parse().ok()?))
            .filter(|(part, parts)| (1..=*parts).contains(part))
    });
    shard.ok_or_else(|| format!("'{text}' is no part like 2/8"))
}

/// A player from its name and everything that was said of it.
pub fn player(
    name: &str,
    settings: &[String],
    set_up: &[String],
    time: &Option<String>,
    coordinates: Coordinates,
    patience: Duration,
) -> Result<PlayerSpec, BadMatch> {
    if Params::all_presets().any(|(preset, _)| preset == name) {
        let spec = PlayerSpec::Engine { preset: name.to_string(), settings: settings.to_vec() };
        spec.params().map_err(|error| BadMatch(error.to_string()))?;
        return Ok(spec);
    }
    let quoted = name.escape_debug();
    let command =
        shell_words::split(name).map_err(|error| BadMatch(format!("'{quoted}': {error}")))?;
    let is_program = command.first().is_some_and(|program| is_executable(program));
    if !is_program {
        let known: Vec<&str> = Params::all_presets().map(|(name, _)| name).collect();
        let known = known.join(", ");
        return Err(BadMatch(format!("'{quoted}' is neither a preset ({known}) nor a program")));
    }
    if let Some(setting) = settings.first() {
        let setting = setting.escape_debug();
        return Err(BadMatch(format!("'{setting}' is for presets; '{quoted}' is a program")));
    }
    Ok(PlayerSpec::Program(Program {
        command,
        set_up: set_up.to_vec(),
        time: time.clone(),
        little_golem: Notation::from(coordinates) == Notation::LittleGolem,
        patience: patience.as_secs_f64(),
    }))
}

/// Whether there is a program of a name, by its path or in the folders of the system.
fn is_executable(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// The main lines of the records of a file.
fn opening_lines(path: &Path, size: usize) -> Result<Vec<String>, BadMatch> {
    let bad = |error: &dyn std::error::Error| BadMatch(error.to_string());
    let collection = file::read_file(path).map_err(|error| bad(&error))?;
    let line = |game: usize| {
        let record = file::read_game(path, game).map_err(|error| bad(&error))?;
        let quoted = path.display().to_string();
        let at = format!("'{}', game {game}", quoted.escape_debug());
        if record.size != size {
            return Err(BadMatch(format!("{at}: it is for base {}, not {size}", record.size)));
        }
        let mut engine =
            crate::engine::HavannahEngine::new(size, Isa::PORTABLE, &Params::default())
                .expect("the size is a base");
        replay(&record, usize::MAX, &mut engine)
            .map_err(|error| BadMatch(format!("{at}: {error}")))?;
        if engine.outcome().is_over() {
            return Err(BadMatch(format!("{at}: the game is over")));
        }
        let cells = engine.turns().iter().map(|turn| match turn {
            crate::engine::Turn::Place(_, cell) => {
                Ok(engine.geometry().write_cell(Notation::Letternum, *cell))
            }
            crate::engine::Turn::Swap => Err(BadMatch(format!("{at}: openings have no swap"))),
        });
        Ok(cells.collect::<Result<Vec<_>, _>>()?.join(" "))
    };
    (1..=collection.trees().len()).map(line).collect()
}

/// A match and how it stands.
#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    standing: &'a Standing,
    settings: &'a Settings,
}

fn print(standing: &Standing, settings: &Settings, json: bool) {
    if json {
        print_json(&Outcome { standing, settings });
    } else {
        say(&standing.to_text(settings));
    }
}

impl Match {
    pub fn run(self) -> ExitCode {
        if let Some(Parts::Merge(merge)) = &self.merge {
            return merge.run();
        }
        let options = match self.options() {
            Ok(options) => options,
            Err(error) => return report_bad_input(&error),
        };
        match contest::contest(&options) {
            Ok((_, standing)) => {
                print(&standing, &options.settings, self.json);
                ExitCode::SUCCESS
            }
            Err(error) => report_bad_input(&error),
        }
    }

    /// The options that only Havannah has, and whether they were given.
    fn of_havannah(&self) -> [(&'static str, bool); 9] {
        let ProgramOptions { setup_a, setup_b, time_a, time_b, .. } = &self.programs;
        [
            ("--sgf", self.sgf.is_some()),
            ("--pie", self.pie),
            ("--openings", self.openings.is_some()),
            ("--opening-random", self.opening_random > 0),
            ("--clock", self.limits.has_clock()),
            ("--setup-a", !setup_a.is_empty()),
            ("--setup-b", !setup_b.is_empty()),
            ("--time-a", time_a.is_some()),
            ("--time-b", time_b.is_some()),
        ]
    }

    fn options(&self) -> Result<MatchOptions, BadMatch> {
        let (game, size) = self.game.read(&self.of_havannah())?;
        let ProgramOptions { setup_a, setup_b, time_a, time_b, patience, .. } = &self.programs;
        let ProgramOptions { coordinates_a, coordinates_b, .. } = &self.programs;
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        let a = player(&name(&self.a), &self.set_a, setup_a, time_a, *coordinates_a, *patience)?;
        let b = player(&name(&self.b), &self.set_b, setup_b, time_b, *coordinates_b, *patience)?;
        let [limit_a, limit_b] = self.limits.both()?;
        let opening_lines = match &self.openings {
            Some(path) => opening_lines(path, size)?,
            None => Vec::new(),
        };
        let is_timed = limit_a.is_timed() || limit_b.is_timed();
        let jobs = self.series.jobs(is_timed, [&a, &b])?;
        let settings = Settings {
            game,
            size,
            a,
            b,
            limit_a,
            limit_b,
            colours: match self.colours {
                ColoursOption::Swap => Colours::Swap,
                ColoursOption::AWhite => Colours::AWhite,
                ColoursOption::ABlack => Colours::ABlack,
            },
            opening_random: self.opening_random,
            opening_lines,
            pie: self.pie,
            seed: self.series.seed,
        };
        Ok(MatchOptions {
            settings,
            games: self.games,
            shard: self.shard,
            jobs,
            isa: Isa::best(),
            sprt: self.sprt,
            log: self.log.clone(),
            elsewhere: Vec::new(),
            sgf: self.sgf.clone(),
        })
    }
}

impl Merge {
    fn run(&self) -> ExitCode {
        let (settings, games) = match log::merge(&self.logs) {
            Ok(merged) => merged,
            Err(error) => return report_bad_input(&error),
        };
        if let Some(path) = &self.output
            && let Err(error) = log::write_new(path, &settings, &games)
        {
            return report_bad_input(&error);
        }
        print(&Standing::new(&settings, &games, None), &settings, self.json);
        ExitCode::SUCCESS
    }
}
