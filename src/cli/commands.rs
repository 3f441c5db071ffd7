//! The commands of the program.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

#[cfg(all(unix, feature = "profiler"))]
use super::profile;
use super::{experiments, games, learn, matches, measure, round_robin, say, search, tron};

/// A Havannah engine: exact rules on SIMD bitboards, fast playouts, Monte-Carlo tree search.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game at the terminal
    Play(games::Play),
    /// Talk the Go Text Protocol on the standard input and output, for tournaments and interfaces
    Gtp(games::Gtp),
    /// Search a position: the best move, the value of every move, the main line
    Analyze(search::Analyze),
    /// Prove the value of a position (exit code 3 if a limit came first)
    Solve(search::Solve),
    /// Tron: a bot for contests, and a game at the terminal
    Tron(tron::TronOptions),
    /// Play players against each other, and say what the results mean
    Match(Box<matches::Match>),
    /// Play several players against each other: table, ratings and a page of plots
    RoundRobin(round_robin::RoundRobinOptions),
    /// Play the experiments of the papers, and sweep over parameters
    Experiment(Box<experiments::ExperimentOptions>),
    /// Show a position of a game record, as text and as a picture
    Show(games::Show),
    /// List every parameter: value, default, range, meaning, source
    Params(search::ListParams),
    /// Learn from games of the engine against itself: the weights of local patterns
    Learn(learn::Learn),
    /// Make the table of what first moves are worth, for the pie rule
    Openings(search::Openings),
    /// Measure playouts and search iterations per second, against the floor, the textbook baseline
    /// and the playouts alone
    Bench(measure::Bench),
    /// Sample where the time of playouts or of a search goes: a flame graph and the self times
    #[cfg(all(unix, feature = "profiler"))]
    Profile(profile::Profile),
}

/// Does what the arguments of the program say.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error),
    };
    match cli.command {
        Command::Play(options) => options.run(),
        Command::Gtp(options) => options.run(),
        Command::Analyze(options) => options.run(),
        Command::Solve(options) => options.run(),
        Command::Tron(options) => options.run(),
        Command::Match(options) => options.run(),
        Command::RoundRobin(options) => options.run(),
        Command::Experiment(options) => options.run(),
        Command::Show(options) => options.run(),
        Command::Params(options) => options.run(),
        Command::Learn(options) => options.run(),
        Command::Openings(options) => options.run(),
        Command::Bench(options) => options.run(),
        #[cfg(all(unix, feature = "profiler"))]
        Command::Profile(options) => options.run(),
    }
}

/// Help and version as they are; an error as the one line that names what is wrong.
fn report_usage(error: &clap::Error) -> ExitCode {
    let asked = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
    let short = [ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand];
    if asked.contains(&error.kind()) {
        say(&error.to_string());
        ExitCode::SUCCESS
    } else if short.contains(&error.kind()) {
        eprint!("{error}");
        ExitCode::from(2)
    } else {
        // The message goes up to the first empty line, with a line for each missing argument.
        let text = error.to_string();
        let message = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
        eprintln!("{}", message.collect::<Vec<_>>().join(" "));
        ExitCode::from(2)
    }
}
