//! `tron`: a bot in the contest's protocol, and a game at the terminal.

use std::io::ErrorKind;
use std::process::ExitCode;
use std::time::Duration;

use crate::bits::Isa;
use crate::matches::game_spec::MapSpec;
use crate::params::{ParamError, Params};
use crate::search::Limits;
use crate::tools::tron::{bot, play};
use crate::tron::grid::LONGEST;
use crate::tron::{Grid, Map};
use clap::{Args, Subcommand};

use super::{parse_playouts, parse_preset, parse_seconds, report_bad_input};

#[derive(Args)]
pub struct TronOptions {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer maps with ways, in the protocol of the Google AI Challenge 2010
    Bot(Bot),
    /// Play a game at the terminal
    Play(Play),
}

impl TronOptions {
    pub fn run(self) -> ExitCode {
        match self.command {
            Command::Bot(options) => options.run(),
            Command::Play(options) => options.run(),
        }
    }
}

/// The preset that plays Tron unless another is asked for.
const PRESET: &str = "laschet";

/// A preset, and what is changed in it.
#[derive(Args)]
struct Engine {
    /// Preset; those with techniques for Havannah are refused
    #[arg(long, default_value = PRESET, value_parser = parse_preset)]
    preset: Params,
    /// Set a parameter, as name=value (ciclon params lists them)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

impl Engine {
    /// The settings, with so many threads (0: one for every core) unless they are set.
    fn params(&self, threads: u32) -> Result<Params, ParamError> {
        let mut params = Params { threads, ..self.preset.clone() };
        self.settings.iter().try_for_each(|text| params.assign(text))?;
        params.for_tron()
    }
}

#[derive(Args)]
struct Bot {
    #[command(flatten)]
    engine: Engine,
    /// Seconds for a move; the contest allows 1 [default: 0.9]
    #[arg(long, value_parser = parse_seconds)]
    seconds: Option<Duration>,
    /// Seconds for the first move; the contest allows 3 [default: 2.5, or as for the others if those
    /// are set]
    #[arg(long, value_parser = parse_seconds)]
    first_seconds: Option<Duration>,
}

/// What a move may take by itself, and the first one: the contest's times less a margin.
const MOVE: Duration = Duration::from_millis(900);
const FIRST_MOVE: Duration = Duration::from_millis(2500);

impl Bot {
    fn run(self) -> ExitCode {
        let params = match self.engine.params(0) {
            Ok(params) => params,
            Err(error) => return report_bad_input(&error),
        };
        let within = |time: Duration| Limits { time: Some(time), ..Limits::default() };
        let first = self.first_seconds.or(self.seconds).unwrap_or(FIRST_MOVE);
        let options = bot::BotOptions {
            params,
            isa: Isa::best(),
            first: within(first),
            later: within(self.seconds.unwrap_or(MOVE)),
        };
        match bot::run(&options, std::io::stdin().lock(), std::io::stdout().lock()) {
            Ok(()) => ExitCode::SUCCESS,
            // That someone stopped listening is no error of ours.
            Err(bot::BotError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(error) => report_bad_input(&error),
        }
    }
}

#[derive(Args)]
struct Play {
    /// The map: a letter from A to J, a file, or a random one by its size and seed; you are 1 on it
    #[arg(long, default_value = "A", value_name = "A|FILE|WxH:SEED")]
    map: String,
    /// An open grid of so many columns and rows, in place of a map
    #[arg(long, value_name = "WxH", value_parser = parse_grid, conflicts_with = "map")]
    size: Option<Grid>,
    /// Seconds the engine takes for a move
    #[arg(long, default_value = "1", value_parser = parse_seconds)]
    seconds: Duration,
    /// Playouts the engine takes for a move, rather than seconds
    #[arg(long, value_parser = parse_playouts, conflicts_with = "seconds")]
    playouts: Option<u64>,
    #[command(flatten)]
    engine: Engine,
}

fn parse_grid(text: &str) -> Result<Grid, String> {
    let sides = text.split_once(['x', 'X']).and_then(|(width, height)| {
        let side = |text: &str| text.parse::<usize>().ok().filter(|side| *side > 1);
        Grid::new(side(width)?, side(height)?)
    });
    sides.ok_or_else(|| format!("'{text}' is no size from 2x2 to {LONGEST}x{LONGEST}"))
}

/// An open grid; the players begin opposite each other.
fn open_map(grid: Grid) -> Map {
    let (x, y) = (grid.width() / 4, grid.height() / 4);
    let opposite = grid.cell(grid.width() - 1 - x, grid.height() - 1 - y);
    Map::open(grid, [grid.cell(x, y), opposite])
}

impl Play {
    fn run(self) -> ExitCode {
        match self.options() {
            Ok(options) => {
                // That someone stopped listening is no error of ours.
                play::play(options, std::io::stdin().lock(), anstream::stdout()).ok();
                ExitCode::SUCCESS
            }
            Err(error) => report_bad_input(&*error),
        }
    }

    fn options(&self) -> Result<play::TronPlayOptions, Box<dyn std::error::Error>> {
        let params = self.engine.params(u32::from(self.playouts.is_some()))?;
        let map = match self.size {
            Some(grid) => open_map(grid),
            None => MapSpec::read(&self.map)?.map()?,
        };
        let limits = match self.playouts {
            Some(_) => Limits { playouts: self.playouts, ..Limits::default() },
            None => Limits { time: Some(self.seconds), ..Limits::default() },
        };
        Ok(play::TronPlayOptions { map, limits, params, isa: Isa::best() })
    }
}
