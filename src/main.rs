//! The command line: reads options, calls the tools, prints their reports.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use ciclon::bits::Isa;
use ciclon::cores;
use ciclon::params::{ParamError, Params, Row};
use ciclon::search::Limits;
use ciclon::tools::{analyze, bench, profile, signature};
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

/// A Havannah engine: exact rules on SIMD bitboards, fast playouts, Monte-Carlo tree search.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Search a position: the best move, the value of every move, the main line
    Analyze(Analyze),
    /// Prove the value of a position (exit code 3 if a limit came first)
    Solve(Solve),
    /// List every parameter: value, default, range, meaning, source
    Params(ListParams),
    /// Measure playouts and search iterations per second, against the floor, the textbook baseline
    /// and the playouts alone
    Bench(Bench),
    /// Sample where the time of playouts or of a search goes: a flame graph and the self times
    Profile(Profile),
}

/// A position, and who looks at it.
#[derive(Args)]
struct Position {
    /// Base of the board
    #[arg(long, value_parser = parse_size)]
    size: usize,
    /// The moves played so far, like "a1 c3"
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    #[command(flatten)]
    player: Player,
    /// Instruction set: portable, avx2, avx512 or best
    #[arg(long, default_value = "best", value_parser = parse_isa)]
    isa: Isa,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A preset, and what is changed in it.
#[derive(Args)]
struct Player {
    /// Preset: flat, uct, rave or rave130
    #[arg(long, default_value = Params::DEFAULT_PRESET, value_parser = parse_preset)]
    preset: Params,
    /// Set a parameter, as name=value (ciclon params lists them)
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
}

#[derive(Args)]
struct Analyze {
    #[command(flatten)]
    position: Position,
    /// Seconds to search [default: 5, without another limit]
    #[arg(long, value_parser = parse_seconds, conflicts_with = "until_solved")]
    seconds: Option<Duration>,
    /// Playouts to search
    #[arg(long, value_parser = parse_playouts, conflicts_with = "until_solved")]
    playouts: Option<u64>,
    /// Search until the position is solved
    #[arg(long)]
    until_solved: bool,
}

#[derive(Args)]
struct Solve {
    #[command(flatten)]
    position: Position,
    /// Seconds to give up after
    #[arg(long, value_parser = parse_seconds)]
    seconds: Option<Duration>,
    /// Playouts to give up after
    #[arg(long, value_parser = parse_playouts)]
    playouts: Option<u64>,
    /// Go on until the value of every move is known
    #[arg(long)]
    every_move: bool,
}

#[derive(Args)]
struct ListParams {
    #[command(flatten)]
    player: Player,
    /// Print JSON
    #[arg(long)]
    json: bool,
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
    #[arg(long, conflicts_with = "preset")]
    mate: bool,
    /// A search with this preset, rather than playouts alone: flat, uct, rave or rave130
    #[arg(long, value_parser = parse_preset)]
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

fn parse_playouts(text: &str) -> Result<u64, String> {
    let playouts = text.parse().ok().filter(|playouts| *playouts > 0);
    playouts.ok_or_else(|| format!("'{text}' is no number of playouts"))
}

fn parse_preset(text: &str) -> Result<Params, ParamError> {
    Params::preset(text)
}

fn parse_isa(text: &str) -> Result<Isa, ciclon::bits::isa::IsaError> {
    if text == "best" { Ok(Isa::best()) } else { text.parse() }
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
        Command::Analyze(options) => run_analyze(options),
        Command::Solve(options) => run_solve(options),
        Command::Params(options) => run_params(options),
        Command::Bench(options) => run_bench(options),
        Command::Profile(options) => run_profile(options),
    }
}

/// Exit code of a search that ended before the position was solved.
const NOT_SOLVED: u8 = 3;

/// One line about what is wrong with the input.
fn report_bad_input(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}

impl Player {
    fn params(&self) -> Result<Params, ParamError> {
        let mut params = self.preset.clone();
        self.settings.iter().try_for_each(|text| params.assign(text))?;
        Ok(params)
    }
}

impl Position {
    fn options(&self, limits: Limits) -> Result<analyze::Options, ParamError> {
        Ok(analyze::Options {
            size: self.size,
            moves: self.moves.split_whitespace().map(str::to_string).collect(),
            limits,
            params: self.player.params()?,
            isa: self.isa,
            every_move: false,
        })
    }
}

fn run_analyze(options: Analyze) -> ExitCode {
    let has_limit = options.until_solved || options.playouts.is_some();
    let default_time = (!has_limit).then_some(Duration::from_secs(5));
    let limits = Limits {
        playouts: options.playouts,
        time: options.seconds.or(default_time),
        until_solved: options.until_solved,
    };
    let to_analyze = match options.position.options(limits) {
        Ok(to_analyze) => to_analyze,
        Err(error) => return report_bad_input(&error),
    };
    match analyze::analyze(&to_analyze) {
        Ok(analysis) if options.position.json => print_json(&analysis),
        Ok(analysis) => say(&analysis.to_text()),
        Err(error) => return report_bad_input(&error),
    }
    ExitCode::SUCCESS
}

fn run_solve(options: Solve) -> ExitCode {
    let limits = Limits { playouts: options.playouts, time: options.seconds, until_solved: true };
    let to_solve = match options.position.options(limits) {
        Ok(to_solve) => analyze::Options { every_move: options.every_move, ..to_solve },
        Err(error) => return report_bad_input(&error),
    };
    let analysis = match analyze::analyze(&to_solve) {
        Ok(analysis) => analysis,
        Err(error) => return report_bad_input(&error),
    };
    if options.position.json {
        print_json(&analysis);
    } else {
        say(&analysis.to_proof_text());
    }
    let is_known = |status: &str| status != "none";
    let is_solved = is_known(analysis.report.status)
        && (!options.every_move
            || analysis.report.moves.iter().all(|found| is_known(found.status)));
    if is_solved { ExitCode::SUCCESS } else { ExitCode::from(NOT_SOLVED) }
}

fn run_params(options: ListParams) -> ExitCode {
    let params = match options.player.params() {
        Ok(params) => params,
        Err(error) => return report_bad_input(&error),
    };
    let rows = params.rows();
    if options.json {
        print_json(&rows);
        return ExitCode::SUCCESS;
    }
    let presets = Params::PRESETS.map(|(name, meaning)| format!("  {name:8} {meaning}\n"));
    let rows = rows.iter().map(|row| {
        let source = if row.source.is_empty() { "" } else { &format!(" [{}]", row.source) };
        let Row { name, value, default, range, meaning, .. } = row;
        format!("{name} = {value}  (default {default}; {range})\n    {meaning}{source}\n")
    });
    say(&format!("Presets\n{}\n{}", presets.concat(), rows.collect::<String>()));
    ExitCode::SUCCESS
}

/// Prints to the standard output. That someone stopped listening is no error of ours.
fn say(text: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).ok();
}

fn print_json(value: &impl serde::Serialize) {
    say(&(serde_json::to_string_pretty(value).expect("reports are plain data") + "\n"));
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

fn run_bench(options: Bench) -> ExitCode {
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
    let to_measure = bench::Options {
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

fn run_profile(options: Profile) -> ExitCode {
    let [isa] = options.isa.0[..] else {
        eprintln!("error: a profile is for one instruction set, not 'all'");
        return ExitCode::from(2);
    };
    let to_profile = profile::Options {
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
