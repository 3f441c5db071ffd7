//! `ciclon analyze` and `ciclon solve`: the value of a position, and what can be proven about it.
//!
//! The progress line goes to the terminal; the analysis itself is returned, as text or for JSON.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::drawing;
use super::report::{NamedMove, NamedReport};
use super::show::{self, ShowError};
use super::table::lay_out;
use crate::bits::Isa;
use crate::engine::{HavannahEngine, Updates, read_files};
use crate::havannah::notation::NotationError;
use crate::havannah::weights::LoadError;
use crate::havannah::{Geometry, Notation, PlayError};
use crate::params::{FinalMove, Params};
use crate::search::{Limits, Report};

/// The position, the limits and the settings.
#[derive(Clone, Debug)]
pub struct AnalyzeOptions {
    pub position: Position,
    pub limits: Limits,
    pub params: Params,
    pub isa: Isa,
    /// Search until the value of every move is proven, not only that of the position.
    pub every_move: bool,
}

/// Where a position comes from.
#[derive(Clone, Debug)]
pub enum Position {
    /// Moves on a board of a size.
    Moves { size: usize, moves: Vec<String> },
    /// A game of a record, counted from 1, after `ply` turns.
    Record { path: PathBuf, game: usize, ply: Option<usize> },
}

/// Why there is no such position.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    #[error(transparent)]
    NotACell(NotationError),
    #[error("'{}' cannot be played: {reason}", .text.escape_debug())]
    Illegal {
        text: String,
        #[source]
        reason: PlayError,
    },
    #[error(transparent)]
    Record(ShowError),
    #[error(transparent)]
    Weights(LoadError),
}

/// What was found.
#[derive(Serialize)]
pub struct Analysis {
    pub size: usize,
    pub to_move: String,
    #[serde(flatten)]
    pub report: NamedReport,
    #[serde(skip)]
    board: String,
}

/// Analyses a position. A progress line goes to the terminal, if there is one.
pub fn analyze(options: &AnalyzeOptions) -> Result<Analysis, PositionError> {
    let mut engine = engine_at(options)?;
    let bar = Progress::new();
    let mut limits = options.limits;
    if options.params.final_move == FinalMove::MaxRobust {
        // This rule takes more time when no move has both the most visits and the best value.
        limits.extra_time = limits.time.unwrap_or_default() / 2;
    }
    let mut report = bar.watch(&mut engine, &limits);
    if options.every_move {
        prove_every_move(&mut engine, &mut report, options, &bar);
    }
    Ok(Analysis {
        size: engine.geometry().size,
        to_move: engine.to_move().to_string(),
        report: NamedReport::new(report, engine.geometry()),
        board: drawing::text(&engine, Notation::Letternum),
    })
}

/// An engine at the position.
fn engine_at(options: &AnalyzeOptions) -> Result<HavannahEngine, PositionError> {
    let AnalyzeOptions { isa, params, .. } = options;
    match &options.position {
        Position::Record { path, game, ply } => {
            let replayed = show::open(path, *game, *ply, *isa, params);
            Ok(replayed.map_err(PositionError::Record)?.engine)
        }
        Position::Moves { size, moves } => {
            read_files(params, *size).map_err(PositionError::Weights)?;
            let mut engine = HavannahEngine::new(*size, *isa, params).expect("the size is a base");
            for text in moves {
                let cell = engine.geometry().read_cell(Notation::Letternum, text);
                let placed = engine.place(engine.to_move(), cell.map_err(PositionError::NotACell)?);
                let illegal = |reason| PositionError::Illegal { text: text.clone(), reason };
                placed.map_err(illegal)?;
            }
            Ok(engine)
        }
    }
}

/// Solves the position after each move whose value is not proven, within what is left of the time
/// and the playouts.
fn prove_every_move(
    engine: &mut HavannahEngine,
    report: &mut Report,
    options: &AnalyzeOptions,
    bar: &Progress,
) {
    let begin = Instant::now();
    let spent = Duration::from_secs_f64(report.stats.seconds);
    for found in report.moves.iter_mut().filter(|found| !found.status.is_proven()) {
        let limits = Limits {
            time: options.limits.time.map(|time| time.saturating_sub(spent + begin.elapsed())),
            playouts: options.limits.playouts.map(|most| most - report.stats.playouts.min(most)),
            until_solved: true,
            ..Limits::default()
        };
        let placed = engine.place(engine.to_move(), engine.geometry().cell_of(found.next));
        placed.expect("the move is legal");
        let reply = bar.watch(engine, &limits);
        engine.undo();
        // The status is seen by the other side.
        found.status = reply.status.turned();
        found.proof_depth = reply.proof_depth.map(|depth| depth + 1);
        report.stats.playouts += reply.stats.playouts;
    }
    report.stats.seconds = (spent + begin.elapsed()).as_secs_f64();
    report.stats.per_second = report.stats.playouts as f64 / report.stats.seconds.max(1e-9);
}

/// A progress line on the terminal.
struct Progress(ProgressBar);

impl Progress {
    fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{elapsed} {msg}");
        bar.set_style(style.expect("the template is well-formed"));
        Self(bar)
    }

    /// Searches a position and shows the progress.
    fn watch(&self, engine: &mut HavannahEngine, limits: &Limits) -> Report {
        let geometry = engine.geometry();
        let mut show = |report: &Report| self.show(report, geometry);
        // Without a terminal no reports are made.
        let updates = (!self.0.is_hidden())
            .then_some(Updates { every: Duration::from_millis(200), show: &mut show });
        engine.analyze(limits, &AtomicBool::new(false), updates)
    }

    fn show(&self, report: &Report, geometry: &Geometry) {
        let name = |best| geometry.write_move(Notation::Letternum, best);
        self.0.set_message(format!(
            "{} playouts, best {}, value {:.1}%, {} nodes",
            report.stats.playouts,
            report.best.map_or_else(|| "-".to_string(), name),
            100.0 * report.value,
            report.stats.nodes
        ));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The number of moves in the text.
const SHOWN: usize = 12;

impl Analysis {
    /// The analysis as text: the board, the best moves, the principal variation.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n{} to move\n{}", self.board, self.to_move, self.report);
        if !self.report.moves.is_empty() {
            let shown = &self.report.moves[..self.report.moves.len().min(SHOWN)];
            write!(text, "\n{}", table_of(shown)).expect("strings take everything");
        }
        if self.report.moves.len() > SHOWN {
            let others = self.report.moves.len() - SHOWN;
            writeln!(text, "and {others} more moves (--json has them all)")
                .expect("strings take everything");
        }
        text
    }

    /// The proofs as text: the value of the position and of each move.
    pub fn to_proof_text(&self) -> String {
        let values = self.report.moves.iter().map(|NamedMove { name, report }| {
            match report.proof_depth.filter(|_| report.status.is_proven()) {
                Some(depth) => format!("{name:>4} {} ({depth} plies)\n", report.status.name()),
                None => format!("{name:>4} none\n"),
            }
        });
        format!(
            "{}\n{} to move\n{}\n{}",
            self.board,
            self.to_move,
            self.report,
            values.collect::<String>()
        )
    }
}

fn table_of(moves: &[NamedMove]) -> String {
    let percent =
        |rate: Option<f64>| rate.map_or("-".to_string(), |r| format!("{:.1}%", 100.0 * r));
    // A search has either RAVE values or prior probabilities.
    let has_priors = moves.iter().any(|found| found.report.prior.is_some());
    let row = |NamedMove { name, report }: &NamedMove| {
        let status = match report.proof_depth {
            Some(depth) => format!("{} in {depth}", report.status.name()),
            None => "-".to_string(),
        };
        vec![
            name.clone(),
            report.visits.to_string(),
            percent(report.win_rate),
            percent(if has_priors { report.prior } else { report.rave }),
            status,
        ]
    };
    lay_out(
        &["move", "visits", "win rate", if has_priors { "prior" } else { "rave" }, "proof"],
        &moves.iter().map(row).collect::<Vec<_>>(),
    )
}
