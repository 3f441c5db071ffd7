//! What the engine thinks of a position, and what it can prove: `analyze` and `solve`.

use std::fmt::{self, Write as _};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::table::lay_out;
use crate::bits::Isa;
use crate::engine::Engine;
use crate::game::{Game, Move};
use crate::havannah::notation::NotationError;
use crate::havannah::{Base, Board, Notation, PlayError};
use crate::params::Params;
use crate::playout::BoardPlayouts;
use crate::search::{Limits, MoveReport, Report, Search};
use crate::with_base;

/// What to look at, and for how long.
#[derive(Clone, Debug)]
pub struct Options {
    pub size: usize,
    /// The moves that lead to the position.
    pub moves: Vec<String>,
    pub limits: Limits,
    pub params: Params,
    pub isa: Isa,
    /// Go on until the value of every move is known, not only that of the position.
    pub every_move: bool,
}

/// A move that leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MovesError {
    NotACell(NotationError),
    Illegal { text: String, reason: PlayError },
}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACell(error) => error.fmt(f),
            Self::Illegal { text, reason } => {
                write!(f, "'{}' cannot be played: {reason}", text.escape_debug())
            }
        }
    }
}

impl std::error::Error for MovesError {}

/// What was found.
#[derive(Serialize)]
pub struct Analysis {
    pub size: usize,
    pub to_move: String,
    #[serde(flatten)]
    pub report: Report,
    #[serde(skip)]
    board: String,
}

/// Analyses a position; a line of progress goes to the terminal, if there is one.
pub fn analyze(options: &Options) -> Result<Analysis, MovesError> {
    with_base!(options.size, B => analyze_on::<B>(options)).expect("the size is a base")
}

fn analyze_on<B: Base>(options: &Options) -> Result<Analysis, MovesError> {
    let mut engine = Engine::<BoardPlayouts<B>>::havannah(options.isa, &options.params);
    engine.set_position(read_moves(&options.moves)?);
    let bar = Progress::new();
    let mut report =
        engine.analyze(&options.limits, &AtomicBool::new(false), |search| bar.show(search));
    if options.every_move {
        prove_every_move(&mut engine, &mut report, options, &bar);
    }
    let position = engine.position();
    Ok(Analysis {
        size: options.size,
        to_move: position.to_move().to_string(),
        report,
        board: position.to_string(),
    })
}

/// The position after some moves.
fn read_moves<B: Base>(moves: &[String]) -> Result<Board<B>, MovesError> {
    let mut board = Board::new();
    for text in moves {
        let cell = Notation::Letternum.read(B::TABLES, text).map_err(MovesError::NotACell)?;
        let illegal = |reason| MovesError::Illegal { text: text.clone(), reason };
        board.play(cell).map_err(illegal)?;
    }
    Ok(board)
}

/// Solves the position behind each move whose value is not known, within what is left of the time
/// and the playouts.
fn prove_every_move<B: Base>(
    engine: &mut Engine<BoardPlayouts<B>>,
    report: &mut Report,
    options: &Options,
    bar: &Progress,
) {
    let board = *engine.position();
    let begin = Instant::now();
    let spent = Duration::from_secs_f64(report.seconds);
    for found in report.moves.iter_mut().filter(|found| found.status == "none") {
        let limits = Limits {
            time: options.limits.time.map(|time| time.saturating_sub(spent + begin.elapsed())),
            playouts: options.limits.playouts.map(|most| most - report.playouts.min(most)),
            until_solved: true,
        };
        let cell = Notation::Letternum.read(B::TABLES, &found.name).expect("it was written so");
        let mut next = board;
        next.advance(Move::new(cell.index()));
        engine.set_position(next);
        let reply = engine.analyze(&limits, &AtomicBool::new(false), |search| bar.show(search));
        // The reply's status is that of the other side.
        found.status = match reply.status {
            "win" => "loss",
            "loss" => "win",
            other => other,
        };
        found.proof_depth = reply.proof_depth.map(|depth| depth + 1);
        report.playouts += reply.playouts;
    }
    engine.set_position(board);
    report.seconds = (spent + begin.elapsed()).as_secs_f64();
    report.per_second = report.playouts as f64 / report.seconds.max(1e-9);
}

/// A line on the terminal that says how far a search is.
struct Progress(ProgressBar);

impl Progress {
    fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{elapsed} {msg}");
        bar.set_style(style.expect("the template is well-formed"));
        Self(bar)
    }

    fn show<B: Base>(&self, search: &Search<BoardPlayouts<B>>) {
        // A message is only made when it may be seen, and not for every batch of playouts.
        let is_due = search.playout_count() % 4096 < 64;
        if self.0.is_hidden() || !is_due {
            return;
        }
        let best = search.best_move().map(|best| search.position().name_of(best));
        let root = search.tree().root();
        let value = 100.0 * (1.0 - f64::from(root.wins) / (2.0 * f64::from(root.visits.max(1))));
        self.0.set_message(format!(
            "{} playouts, best {}, value {value:.1}%, {} nodes",
            search.playout_count(),
            best.as_deref().unwrap_or("-"),
            search.tree().counts().nodes
        ));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Moves that are shown to people.
const SHOWN: usize = 12;

impl Analysis {
    /// The analysis for people: the board, the best moves, the main line.
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

    /// What is proven, for people: the value of the position and of each move.
    pub fn to_proof_text(&self) -> String {
        let values = self.report.moves.iter().map(|found| match found.proof_depth {
            Some(depth) if found.status != "none" => {
                format!("{:>4} {} ({depth} plies)\n", found.name, found.status)
            }
            _ => format!("{:>4} none\n", found.name),
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

fn table_of(moves: &[MoveReport]) -> String {
    let percent =
        |rate: Option<f64>| rate.map_or("-".to_string(), |r| format!("{:.1}%", 100.0 * r));
    let row = |found: &MoveReport| {
        let status = match found.proof_depth {
            Some(depth) => format!("{} in {depth}", found.status),
            None => "-".to_string(),
        };
        vec![
            found.name.clone(),
            found.visits.to_string(),
            percent(found.win_rate),
            percent(found.rave),
            status,
        ]
    };
    lay_out(
        &["move", "visits", "win rate", "rave", "proof"],
        &moves.iter().map(row).collect::<Vec<_>>(),
    )
}
