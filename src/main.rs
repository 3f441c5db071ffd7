//! The command line: reads options, calls the tools, prints their reports.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use ciclon::bits::Isa;
use ciclon::cores;
use ciclon::tools::{bench, profile, signature};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

/// A Havannah engine: exact rules on SIMD bitboards, and fast random playouts.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure playouts per second against the floor and the textbook baseline
    Bench(Bench),
    /// Sample where the time of playouts goes: a flame graph and the self times
    Profile(Profile),
}

#[derive(Args)]
struct Bench {
    /// Bases to measure
    #[arg(long, value_delimiter = ',', default_value = "4,5,6,8,10", value_parser = parse_size)]
    sizes: Vec<usize>,
    /// Seconds for each base
    #[arg(long, default_value = "2", value_parser = parse_seconds)]
    seconds: Duration,
    /// Threads, each pinned to a core of its own
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

#[derive(Args)]
struct Profile {
    /// Base of the board
    #[arg(long, default_value = "8", value_parser = parse_size)]
    size: usize,
    /// Playouts with the mate check
    #[arg(long)]
    mate: bool,
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

#[derive(Clone)]
struct Isas(Vec<Isa>);

fn parse_size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| (2..=10).contains(size));
    size.ok_or_else(|| format!("'{text}' is no base from 2 to 10"))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    let seconds = seconds.ok_or_else(|| format!("'{text}' is no time from 0.01 to 86400 seconds"));
    seconds.map(Duration::from_secs_f64)
}

fn parse_threads(text: &str) -> Result<usize, String> {
    let most = cores::count();
    let threads = text.parse().ok().filter(|threads| (1..=most).contains(threads));
    threads
        .ok_or_else(|| format!("'{text}' is no number of threads from 1 to {most}, the cores here"))
}

fn parse_isas(text: &str) -> Result<Isas, ciclon::bits::isa::IsaError> {
    Ok(Isas(match text {
        "best" => vec![Isa::best()],
        "all" => Isa::available(),
        name => vec![name.parse()?],
    }))
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error),
    };
    match cli.command {
        Command::Bench(options) => run_bench(options),
        Command::Profile(options) => return run_profile(options),
    }
    ExitCode::SUCCESS
}

/// Help and version as they are; an error as the one line that names what is wrong.
fn report_usage(error: &clap::Error) -> ExitCode {
    let asked = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
    let short = [ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand];
    if asked.contains(&error.kind()) {
        print!("{error}");
        ExitCode::SUCCESS
    } else if short.contains(&error.kind()) {
        eprint!("{error}");
        ExitCode::from(2)
    } else {
        eprintln!("{}", error.to_string().lines().next().unwrap_or_default());
        ExitCode::from(2)
    }
}

fn run_bench(options: Bench) {
    if options.signature {
        for isa in &options.isa.0 {
            println!("{}", signature::signature(*isa));
        }
        return;
    }
    if let Some(games) = options.games {
        for isa in options.isa.0 {
            for size in &options.sizes {
                println!("base {size}, {isa}: {} moves", bench::play_games(*size, isa, games));
            }
        }
        return;
    }
    let to_measure = bench::Options {
        sizes: options.sizes,
        time: options.seconds,
        threads: options.threads,
        isas: options.isa.0,
    };
    let report = bench::run(&to_measure, |what| eprintln!("measuring {what}"));
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report).expect("the report is plain data"));
    } else {
        print!("{}", report.to_text());
    }
}

fn run_profile(options: Profile) -> ExitCode {
    let [isa] = options.isa.0[..] else {
        eprintln!("error: a profile is for one instruction set, not 'all'");
        return ExitCode::from(2);
    };
    let to_profile = profile::Options {
        size: options.size,
        mate: options.mate,
        time: options.seconds,
        isa,
        output: options.output.clone(),
    };
    match profile::run(&to_profile) {
        Ok(times) => {
            print!("{}", times.to_text(&options.output));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
