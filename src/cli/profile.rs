//! `profile`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::{Isas, parse_isas, parse_preset, parse_seconds, parse_size, say};
use crate::params::{ParamError, Params};
use crate::tools::profile;

fn parse_havannah_preset(text: &str) -> Result<Params, ParamError> {
    parse_preset(text)?.for_havannah()
}

#[derive(Args)]
pub struct Profile {
    /// Base of the board
    #[arg(long, default_value = "8", value_parser = parse_size)]
    size: usize,
    /// Playouts with the mate check
    #[arg(long, conflicts_with = "preset")]
    mate: bool,
    /// A search with this preset, rather than playouts alone
    #[arg(long, value_parser = parse_havannah_preset)]
    preset: Option<Params>,
    /// Seconds to sample
    #[arg(long, default_value = "5", value_parser = parse_seconds)]
    seconds: Duration,
    /// Instruction set: portable, avx2, avx512 or best
    #[arg(long, default_value = "best", value_parser = parse_isas)]
    isa: Isas,
    /// Where the flame graph goes
    #[arg(long, default_value = "ciclon-profile.svg")]
    output: PathBuf,
}

impl Profile {
    pub fn run(self) -> ExitCode {
        let options = self;
        let [isa] = options.isa.0[..] else {
            eprintln!("error: a profile is for one instruction set, not 'all'");
            return ExitCode::from(2);
        };
        let to_profile = profile::ProfileOptions {
            size: options.size,
            work: match options.preset {
                Some(params) => profile::Work::Search(Box::new(params)),
                None if options.mate => profile::Work::MatePlayouts,
                None => profile::Work::RandomPlayouts,
            },
            time: options.seconds,
            isa,
            output: options.output.clone(),
        };
        match profile::run(&to_profile) {
            Ok(times) => {
                say(&times.to_text(&options.output));
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        }
    }
}
