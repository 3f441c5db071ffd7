//! The report of a search of Havannah with named moves, as JSON and as text.
//!
//! The names and the order of the JSON fields are an interface for scripts.

use std::fmt;

use serde::Serialize;

use crate::game::Move;
use crate::havannah::{Geometry, Notation};
use crate::search::{MoveReport, PolicyReport, Report, SearchStats};
use crate::tree::Status;

/// A [`MoveReport`] with the name of the move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedMove {
    #[serde(rename = "move")]
    pub name: String,
    #[serde(flatten)]
    pub report: MoveReport,
}

/// A [`Report`] with the names of the moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedReport {
    pub status: Status,
    pub value: f64,
    pub best: Option<String>,
    pub proof_depth: Option<u32>,
    #[serde(flatten)]
    pub stats: SearchStats,
    pub pv: Vec<String>,
    pub policies: Vec<PolicyReport>,
    pub moves: Vec<NamedMove>,
}

impl NamedReport {
    /// Converts a report on a position of this board.
    pub fn new(report: Report, geometry: &Geometry) -> Self {
        let name = |next: Move| geometry.write_move(Notation::Letternum, next);
        let moves = report.moves.into_iter();
        Self {
            status: report.status,
            value: report.value,
            best: report.best.map(name),
            proof_depth: report.proof_depth,
            stats: report.stats,
            pv: report.pv.into_iter().map(name).collect(),
            policies: report.policies,
            moves: moves.map(|report| NamedMove { name: name(report.next), report }).collect(),
        }
    }
}

impl fmt::Display for NamedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self.proof_depth {
            Some(depth) => format!("{} in {depth} plies", self.status.name()),
            None if self.status.is_proven() => self.status.name().to_string(),
            None => format!("{:.1}%", 100.0 * self.value),
        };
        writeln!(f, "best {}  value {value}", self.best.as_deref().unwrap_or("-"))?;
        writeln!(
            f,
            "{} playouts in {:.2} s, {:.0}/s; {} nodes, {:.1} MB, depth {}; {} nodes kept, {} recycled",
            self.stats.playouts,
            self.stats.seconds,
            self.stats.per_second,
            self.stats.nodes,
            self.stats.bytes as f64 / (1 << 20) as f64,
            self.stats.depth,
            self.stats.kept,
            self.stats.recycled
        )?;
        if !self.policies.is_empty() {
            let total: u64 = self.policies.iter().map(|row| row.moves).sum();
            let share = |row: &PolicyReport| 100.0 * row.moves as f64 / total.max(1) as f64;
            let rows = self.policies.iter().map(|row| format!("{} {:.1}%", row.policy, share(row)));
            writeln!(f, "playout moves by {}", rows.collect::<Vec<_>>().join(", "))?;
        }
        writeln!(f, "pv {}", self.pv.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scripts depend on these fields.
    #[test]
    fn fields_keep_their_names_and_their_order() {
        let geometry = Geometry::of_size(4).expect("a base");
        let next = Move::new(1);
        let found = MoveReport {
            next,
            visits: 3,
            win_rate: Some(0.5),
            rave: None,
            prior: None,
            status: Status::DRAWN,
            proof_depth: Some(7),
        };
        let report = Report {
            status: Status::UNKNOWN,
            value: 0.25,
            best: Some(next),
            proof_depth: None,
            stats: SearchStats {
                playouts: 4,
                seconds: 0.5,
                per_second: 8.0,
                threads: 1,
                nodes: 2,
                kept: 5,
                recycled: 6,
                bytes: 9,
                depth: 10,
            },
            pv: vec![next, Move::new(0)],
            policies: vec![PolicyReport { policy: "random", moves: 11 }],
            moves: vec![found],
        };
        let json = serde_json::to_string(&NamedReport::new(report, geometry)).expect("JSON");
        let expected = [
            r#"{"status":"none","value":0.25,"best":"a2","proof_depth":null,"playouts":4,"#,
            r#""seconds":0.5,"per_second":8.0,"threads":1,"nodes":2,"kept":5,"recycled":6,"#,
            r#""bytes":9,"depth":10,"pv":["a2","a1"],"policies":[{"policy":"random","moves":11}],"#,
            r#""moves":[{"move":"a2","visits":3,"win_rate":0.5,"rave":null,"status":"draw","#,
            r#""proof_depth":7}]}"#,
        ];
        assert_eq!(json, expected.concat());
    }
}
