//! `analyze`, `solve`, `params` and `openings`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::bits::Isa;
use crate::engine::read_files;
use crate::params::{Games, Group, ParamError, Params, Row};
use crate::search::Limits;
use crate::tools::{analyze, openings};
use clap::Args;

use super::{
    Player, parse_isa, parse_playouts, parse_seconds, parse_size, print_json, report_bad_input, say,
};

/// A position, and who looks at it.
#[derive(Args)]
pub struct Position {
    /// A game record (SGF or HGF) to look into
    #[arg(conflicts_with_all = ["size", "moves"])]
    record: Option<PathBuf>,
    /// The game of the record, if it has several
    #[arg(long, default_value = "1", requires = "record")]
    game: usize,
    /// The turns of the record to play [default: all]
    #[arg(long, requires = "record")]
    ply: Option<usize>,
    /// Base of the board
    #[arg(long, value_parser = parse_size, required_unless_present = "record")]
    size: Option<usize>,
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

impl Position {
    fn options(&self, limits: Limits) -> Result<analyze::AnalyzeOptions, ParamError> {
        let moves = self.moves.split_whitespace().map(str::to_string).collect();
        let position = match (&self.record, self.size) {
            (None, Some(size)) => analyze::Position::Moves { size, moves },
            (record, _) => analyze::Position::Record {
                path: record.clone().unwrap_or_default(),
                game: self.game,
                ply: self.ply,
            },
        };
        let params = self.player.params_alone(limits.playouts)?;
        Ok(analyze::AnalyzeOptions { position, limits, params, isa: self.isa, every_move: false })
    }
}

#[derive(Args)]
pub struct Analyze {
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

impl Analyze {
    pub fn run(self) -> ExitCode {
        let options = self;
        let has_limit = options.until_solved || options.playouts.is_some();
        let default_time = (!has_limit).then_some(Duration::from_secs(5));
        let limits = Limits {
            playouts: options.playouts,
            time: options.seconds.or(default_time),
            until_solved: options.until_solved,
            ..Limits::default()
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
}

/// Exit code of a search that ended before the position was solved.
const NOT_SOLVED: u8 = 3;

#[derive(Args)]
pub struct Solve {
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

impl Solve {
    pub fn run(self) -> ExitCode {
        let options = self;
        let limits = Limits {
            playouts: options.playouts,
            time: options.seconds,
            until_solved: true,
            ..Limits::default()
        };
        let to_solve = match options.position.options(limits) {
            Ok(to_solve) => analyze::AnalyzeOptions { every_move: options.every_move, ..to_solve },
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
        let report = &analysis.report;
        let is_solved = report.status.is_proven()
            && (!options.every_move
                || report.moves.iter().all(|found| found.report.status.is_proven()));
        if is_solved { ExitCode::SUCCESS } else { ExitCode::from(NOT_SOLVED) }
    }
}

#[derive(Args)]
pub struct ListParams {
    #[command(flatten)]
    player: Player,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ListParams {
    pub fn run(self) -> ExitCode {
        let options = self;
        let params = match options.player.params_of_any_game() {
            Ok(params) => params,
            Err(error) => return report_bad_input(&error),
        };
        let rows = params.rows();
        if options.json {
            print_json(&rows);
            return ExitCode::SUCCESS;
        }
        let widest = Params::all_presets().map(|(name, _)| name.len()).max().unwrap_or(0);
        let presets =
            Params::all_presets().map(|(name, meaning)| format!("  {name:widest$}  {meaning}\n"));
        let groups = rows.chunk_by(|a, b| (a.group, a.games) == (b.group, b.games)).map(group_text);
        say(&format!("Presets\n{}{}", presets.collect::<String>(), groups.collect::<String>()));
        ExitCode::SUCCESS
    }
}

/// Rows of one group and the same games, below a heading.
fn group_text(rows: &[Row]) -> String {
    let Row { group, games, .. } = &rows[0];
    let heading = match (group, games) {
        (Group::Havannah | Group::Tron, _) | (_, Games::Both) => group.to_string(),
        _ => format!("{group}, in {games} only"),
    };
    let rows = rows.iter().map(|row| {
        let source = if row.source.is_empty() { "" } else { &format!(" [{}]", row.source) };
        let Row { name, value, default, range, meaning, .. } = row;
        format!("{name} = {value}  (default {default}; {range})\n    {meaning}{source}\n")
    });
    format!("\n{heading}\n{}", rows.collect::<String>())
}

#[derive(Args)]
pub struct Openings {
    /// Bases to make the table for
    #[arg(long, value_delimiter = ',', default_value = "2,3,4,5,6,7,8,9,10", value_parser = parse_size)]
    sizes: Vec<usize>,
    /// Playouts for each first move
    #[arg(long, default_value = "1000000", value_parser = parse_playouts)]
    playouts: u64,
    #[command(flatten)]
    player: Player,
}

impl Openings {
    pub fn run(self) -> ExitCode {
        let params = match self.player.params() {
            Ok(params) => params,
            Err(error) => return report_bad_input(&error),
        };
        let refused = self.sizes.iter().find_map(|size| read_files(&params, *size).err());
        if let Some(error) = refused {
            return report_bad_input(&error);
        }
        say("# base, cell, win rate of the first player, playouts: ciclon openings\n");
        for size in self.sizes {
            let lines = openings::openings(size, Isa::best(), &params, self.playouts);
            say(&lines.expect("the size is a base"));
        }
        ExitCode::SUCCESS
    }
}
