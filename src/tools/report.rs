//! What a search found, with moves by their names: as JSON and for people.

use std::fmt;

use serde::Serialize;

use crate::game::{Position, names_of};
use crate::search::Report;

/// What is known of a move at the root.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedMove {
    #[serde(rename = "move")]
    pub name: String,
    pub visits: u32,
    /// From 0 to 1, for the side to move; none without visits.
    pub win_rate: Option<f64>,
    pub rave: Option<f64>,
    /// The prior probability, where the search goes by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// `win`, `loss`, `draw` or `none`, for the side to move.
    pub status: &'static str,
    /// Plies to the end of the game in the proof that was found, this move among them.
    pub proof_depth: Option<u32>,
}

/// What a policy did in the playouts of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NamedPolicy {
    pub policy: &'static str,
    pub moves: u64,
}

/// A [`Report`] with names.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedReport {
    /// `win`, `loss`, `draw` or `none`, for the side to move.
    pub status: &'static str,
    pub value: f64,
    pub best: Option<String>,
    pub proof_depth: Option<u32>,
    pub playouts: u64,
    pub seconds: f64,
    pub per_second: f64,
    pub threads: usize,
    pub nodes: usize,
    pub kept: usize,
    pub recycled: usize,
    pub bytes: usize,
    pub depth: usize,
    pub pv: Vec<String>,
    pub policies: Vec<NamedPolicy>,
    pub moves: Vec<NamedMove>,
}

impl NamedReport {
    /// A report on a position.
    pub fn new(report: &Report, position: &dyn Position) -> Self {
        let moves = report.moves.iter().map(|found| NamedMove {
            name: position.name_of(found.next),
            visits: found.visits,
            win_rate: found.win_rate,
            rave: found.rave,
            prior: found.prior,
            status: found.status.name(),
            proof_depth: found.proof_depth,
        });
        let policies = report.policies.iter();
        let policies = policies.map(|row| NamedPolicy { policy: row.policy, moves: row.moves });
        Self {
            status: report.status.name(),
            value: report.value,
            best: report.best.map(|best| position.name_of(best)),
            proof_depth: report.proof_depth,
            playouts: report.playouts,
            seconds: report.seconds,
            per_second: report.per_second,
            threads: report.threads,
            nodes: report.nodes,
            kept: report.kept,
            recycled: report.recycled,
            bytes: report.bytes,
            depth: report.depth,
            pv: names_of(position, &report.pv),
            policies: policies.collect(),
            moves: moves.collect(),
        }
    }
}

impl fmt::Display for NamedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self.proof_depth {
            Some(depth) => format!("{} in {depth} plies", self.status),
            None if self.status != "none" => self.status.to_string(),
            None => format!("{:.1}%", 100.0 * self.value),
        };
        writeln!(f, "best {}  value {value}", self.best.as_deref().unwrap_or("-"))?;
        writeln!(
            f,
            "{} playouts in {:.2} s, {:.0}/s; {} nodes, {:.1} MB, depth {}; {} nodes kept, {} recycled",
            self.playouts,
            self.seconds,
            self.per_second,
            self.nodes,
            self.bytes as f64 / (1 << 20) as f64,
            self.depth,
            self.kept,
            self.recycled
        )?;
        if !self.policies.is_empty() {
            let total: u64 = self.policies.iter().map(|row| row.moves).sum();
            let share = |row: &NamedPolicy| 100.0 * row.moves as f64 / total.max(1) as f64;
            let rows = self.policies.iter().map(|row| format!("{} {:.1}%", row.policy, share(row)));
            writeln!(f, "playout moves by {}", rows.collect::<Vec<_>>().join(", "))?;
        }
        writeln!(f, "pv {}", self.pv.join(" "))
    }
}
