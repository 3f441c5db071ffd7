//! The command line: reads options, calls the tools, prints their reports.
//!
//! `commands` lists the commands; the other files are their options. This one is what options have in
//! common.

mod commands;
mod experiments;
mod game_options;
mod games;
mod generate;
mod learn;
mod limit_options;
mod matches;
mod measure;
#[cfg(all(unix, feature = "profiler"))]
mod profile;
mod round_robin;
mod search;
mod series_options;
mod tron;

pub use commands::run;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use crate::bits::Isa;
use crate::params::{ParamError, Params};
use clap::Args;

/// A preset, and what is changed in it.
#[derive(Args)]
pub struct Player {
    /// Preset: flat, uct, rave, rave130, stankiewicz, stankiewicz-best, ppr, lorentz or tournament; in Tron also
    /// alpha-beta
    #[arg(long, default_value = Params::DEFAULT_PRESET, value_parser = parse_preset)]
    preset: Params,
    /// Set a parameter, as name=value (ciclon params lists them)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

impl Player {
    /// The settings, for whatever game.
    pub fn params_of_any_game(&self) -> Result<Params, ParamError> {
        self.changed(self.preset.clone())
    }

    /// The settings of a player of Havannah.
    pub fn params(&self) -> Result<Params, ParamError> {
        self.params_of_any_game()?.for_havannah()
    }

    /// The settings of a player who thinks alone on this machine: with a thread for every core. But if
    /// playouts are the limit, it is one thread, whose search is the same every time.
    pub fn params_alone(&self, playouts: Option<u64>) -> Result<Params, ParamError> {
        let threads = if playouts.is_some() { self.preset.threads } else { 0 };
        self.changed(Params { threads, ..self.preset.clone() })?.for_havannah()
    }

    fn changed(&self, mut params: Params) -> Result<Params, ParamError> {
        self.settings.iter().try_for_each(|text| params.assign(text))?;
        Ok(params)
    }
}

#[derive(Clone)]
pub struct Isas(pub Vec<Isa>);

pub fn parse_size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| (2..=10).contains(size));
    size.ok_or_else(|| format!("'{text}' is no base from 2 to 10"))
}

pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    let seconds = seconds.ok_or_else(|| format!("'{text}' is no time from 0.01 to 86400 seconds"));
    seconds.map(Duration::from_secs_f64)
}

/// Threads of a bench: more than there are cores show what waiting costs.
const MOST_THREADS: usize = 256;

pub fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("'{text}' is no number of threads from 1 to {MOST_THREADS}"))
}

pub fn parse_playouts(text: &str) -> Result<u64, String> {
    let playouts = text.parse().ok().filter(|playouts| *playouts > 0);
    playouts.ok_or_else(|| format!("'{text}' is no number of playouts"))
}

pub fn parse_preset(text: &str) -> Result<Params, ParamError> {
    Params::preset(text)
}

pub fn parse_isa(text: &str) -> Result<Isa, crate::bits::isa::IsaError> {
    if text == "best" { Ok(Isa::best()) } else { text.parse() }
}

pub fn parse_isas(text: &str) -> Result<Isas, crate::bits::isa::IsaError> {
    Ok(Isas(match text {
        "best" => vec![Isa::best()],
        "all" => Isa::available(),
        name => vec![name.parse()?],
    }))
}

/// One line about what is wrong with the input.
pub fn report_bad_input(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}

/// Prints to the standard output, without colours if that is no terminal. That someone stopped listening
/// is no error of ours.
pub fn say(text: &str) {
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).ok();
}

pub fn print_json(value: &impl serde::Serialize) {
    say(&(serde_json::to_string_pretty(value).expect("reports are plain data") + "\n"));
}
