//! `bench`.

use std::process::ExitCode;
use std::time::Duration;

use crate::matches::game_spec::{MapSpec, MapSpecError};
use crate::tools::{bench, signature, tron_bench};
use crate::tron::Map;
use clap::Args;

use super::game_options::GameName;
use super::{
    Isas, parse_isas, parse_seconds, parse_size, parse_threads, print_json, report_bad_input, say,
};

/// The bases that are measured unless others are asked for.
const SIZES: [usize; 5] = [4, 5, 6, 8, 10];

#[derive(Args)]
pub struct Bench {
    /// The game
    #[arg(long, default_value = "havannah")]
    game: GameName,
    /// Maps of Tron to measure on: letters, files, or random ones as WxH:SEED [default: A and G]
    #[arg(long, value_name = "A,FILE,WxH:SEED", value_delimiter = ',')]
    maps: Vec<String>,
    /// Bases to measure [default: 4,5,6,8,10]
    #[arg(long, value_delimiter = ',', value_parser = parse_size)]
    sizes: Vec<usize>,
    /// Seconds for each base
    #[arg(long, default_value = "2", value_parser = parse_seconds)]
    seconds: Duration,
    /// Threads, each pinned to a core (searches are measured with 2, 4, 8 and so on up to these)
    #[arg(long, default_value = "1", value_parser = parse_threads)]
    threads: usize,
    /// Instruction set: portable, avx2, avx512, best, or all this processor has
    #[arg(long, default_value = "best", value_parser = parse_isas)]
    isa: Isas,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the behaviour signature and nothing else
    #[arg(long, conflicts_with_all = ["json", "sizes", "seconds", "threads", "games"])]
    signature: bool,
    /// Play exactly so many random games from each empty board and measure nothing: for counting
    /// instructions
    #[arg(long, conflicts_with_all = ["json", "seconds", "threads"])]
    games: Option<u32>,
}

impl Bench {
    pub fn run(self) -> ExitCode {
        let mut options = self;
        match options.game {
            GameName::Tron => return options.run_tron(),
            GameName::Havannah if !options.maps.is_empty() => {
                eprintln!("error: '--maps' are for Tron (--game tron)");
                return ExitCode::from(2);
            }
            GameName::Havannah => {}
        }
        if options.sizes.is_empty() {
            options.sizes = SIZES.to_vec();
        }
        if options.signature {
            for isa in &options.isa.0 {
                say(&format!("{}\n", signature::signature(*isa)));
            }
            return ExitCode::SUCCESS;
        }
        if let Some(games) = options.games {
            for isa in options.isa.0 {
                for size in &options.sizes {
                    let moves = bench::play_games(*size, isa, games);
                    say(&format!("base {size}, {isa}: {moves} moves\n"));
                }
            }
            return ExitCode::SUCCESS;
        }
        let to_measure = bench::BenchOptions {
            sizes: options.sizes,
            time: options.seconds,
            threads: options.threads,
            isas: options.isa.0,
        };
        let report = bench::run(&to_measure, |what| eprintln!("measuring {what}"));
        if options.json {
            print_json(&report);
        } else {
            say(&report.to_text());
        }
        ExitCode::SUCCESS
    }
}

impl Bench {
    fn run_tron(self) -> ExitCode {
        let is_for_havannah = [
            ("--sizes", !self.sizes.is_empty()),
            ("--games", self.games.is_some()),
            ("--threads", self.threads > 1),
        ];
        if self.signature {
            eprintln!("error: '--signature' is for all games: leave '--game' out");
            return ExitCode::from(2);
        }
        if let Some((name, _)) = is_for_havannah.into_iter().find(|(_, is_given)| *is_given) {
            eprintln!("error: '{name}' is for Havannah");
            return ExitCode::from(2);
        }
        let names = match self.maps.is_empty() {
            true => ["A", "G"].map(String::from).to_vec(),
            false => self.maps,
        };
        let read = |name: &String| {
            let spec = MapSpec::read(name)?;
            Ok((spec.name.clone(), spec.map()?))
        };
        let maps: Vec<(String, Map)> = match names.iter().map(read).collect() {
            Ok(maps) => maps,
            Err(error) => return report_bad_input(&error as &MapSpecError),
        };
        for isa in self.isa.0 {
            let report =
                tron_bench::run(&maps, isa, self.seconds, |what| eprintln!("measuring {what}"));
            if self.json {
                print_json(&report);
            } else {
                say(&report.to_text());
            }
        }
        ExitCode::SUCCESS
    }
}
