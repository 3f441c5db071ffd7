//! `play`, `gtp` and `show`.

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::bits::Isa;
use crate::engine::{TimeControl, read_files};
use crate::gtp;
use crate::havannah::{Colour, Notation};
use crate::search::Limits;
use crate::tools::{play, show};
use clap::{Args, ValueEnum};

use super::{Player, parse_isa, parse_playouts, parse_seconds, parse_size, report_bad_input, say};

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    White,
    Black,
}

/// How cells are written.
#[derive(Clone, Copy, ValueEnum)]
pub enum Coordinates {
    Letternum,
    Littlegolem,
}

impl From<Coordinates> for Notation {
    fn from(coordinates: Coordinates) -> Self {
        match coordinates {
            Coordinates::Letternum => Notation::Letternum,
            Coordinates::Littlegolem => Notation::LittleGolem,
        }
    }
}

#[derive(Args)]
pub struct Play {
    /// Base of the board
    #[arg(long, default_value = "5", value_parser = parse_size)]
    size: usize,
    /// Seconds the engine takes for a move
    #[arg(long, default_value = "2", value_parser = parse_seconds)]
    seconds: Duration,
    /// Your side; White moves first
    #[arg(long, default_value = "white")]
    side: Side,
    /// How cells are written
    #[arg(long, default_value = "letternum")]
    coordinates: Coordinates,
    #[command(flatten)]
    player: Player,
}

impl Play {
    pub fn run(self) -> ExitCode {
        let params = match self.player.params_alone(None) {
            Ok(params) => params,
            Err(error) => return report_bad_input(&error),
        };
        if let Err(error) = read_files(&params, self.size) {
            return report_bad_input(&error);
        }
        let options = play::PlayOptions {
            size: self.size,
            time: self.seconds,
            side: match self.side {
                Side::White => Colour::White,
                Side::Black => Colour::Black,
            },
            notation: self.coordinates.into(),
            params,
            isa: Isa::best(),
        };
        // That someone stopped listening is no error of ours.
        play::play(options, std::io::stdin().lock(), anstream::stdout()).ok();
        ExitCode::SUCCESS
    }
}

#[derive(Args)]
pub struct Gtp {
    /// Base of the board until a command sets it
    #[arg(long, default_value = "8", value_parser = parse_size)]
    size: usize,
    /// Seconds for a move until a command sets the time
    #[arg(long, default_value = "5", value_parser = parse_seconds)]
    seconds: Duration,
    /// Playouts for a move until a command sets the time, rather than seconds
    #[arg(long, value_parser = parse_playouts, conflicts_with = "seconds")]
    playouts: Option<u64>,
    #[command(flatten)]
    player: Player,
    /// Instruction set: portable, avx2, avx512 or best
    #[arg(long, default_value = "best", value_parser = parse_isa)]
    isa: Isa,
    /// After the end of the input, think every move out rather than answer at once: for scripts
    #[arg(long)]
    finish: bool,
    /// Refuse commands that read or write files
    #[arg(long)]
    no_files: bool,
    /// Append what is said to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

impl Gtp {
    pub fn run(self) -> ExitCode {
        let params = match self.player.params_alone(self.playouts) {
            Ok(params) => params,
            Err(error) => return report_bad_input(&error),
        };
        if let Err(error) = read_files(&params, self.size) {
            return report_bad_input(&error);
        }
        let log =
            self.log.as_ref().map(|path| OpenOptions::new().create(true).append(true).open(path));
        let log = match log.transpose() {
            Ok(log) => log,
            Err(error) => {
                let path = self.log.unwrap_or_default();
                eprintln!("error: cannot write the log '{}': {error}", path.display());
                return ExitCode::FAILURE;
            }
        };
        let control = match self.playouts {
            Some(_) => TimeControl { move_playouts: self.playouts, ..TimeControl::default() },
            None => TimeControl { move_time: Some(self.seconds), ..TimeControl::default() },
        };
        let setup = gtp::Setup {
            size: self.size,
            isa: self.isa,
            params,
            control,
            most: Limits::default(),
            files: !self.no_files,
        };
        match gtp::run(gtp::GtpOptions { setup, finish: self.finish, log }) {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        }
    }
}

#[derive(Args)]
pub struct Show {
    /// A game record (SGF or HGF)
    record: PathBuf,
    /// The game of the record, if it has several
    #[arg(long, default_value = "1")]
    game: usize,
    /// The turns to play [default: all]
    #[arg(long)]
    ply: Option<usize>,
    /// Draw the position as SVG
    #[arg(long, value_name = "FILE")]
    #[cfg(feature = "plots")]
    svg: Option<PathBuf>,
    /// Search with so many playouts, and draw the share of the visits of each cell
    #[arg(long, value_name = "PLAYOUTS", value_parser = parse_playouts, requires = "svg")]
    #[cfg(feature = "plots")]
    heat: Option<u64>,
    #[command(flatten)]
    player: Player,
}

impl Show {
    pub fn run(self) -> ExitCode {
        let params = match self.player.params() {
            Ok(params) => params,
            Err(error) => return report_bad_input(&error),
        };
        #[cfg(feature = "plots")]
        let heat = self.heat.map(|playouts| Limits {
            playouts: Some(playouts),
            until_solved: true,
            ..Limits::default()
        });
        let options = show::ShowOptions {
            record: self.record,
            game: self.game,
            ply: self.ply,
            #[cfg(feature = "plots")]
            svg: self.svg,
            #[cfg(feature = "plots")]
            heat,
            params,
            isa: Isa::best(),
        };
        match show::show(&options) {
            Ok(text) => {
                say(&text);
                ExitCode::SUCCESS
            }
            Err(error) => report_bad_input(&error),
        }
    }
}
