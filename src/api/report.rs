//! What a search found, in cells of the public interface. Data only.
//!
//! Values and proofs are for the side to move.

use std::time::Duration;

use super::Cell;
use crate::game::{DRAW, LOSS, WIN};
use crate::havannah::Geometry;
use crate::search::{self, Ending};
use crate::tree::Status;

/// A proven value, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proven {
    /// The side to move wins against every defence.
    Win,
    /// With best play of both sides nobody wins.
    Draw,
    /// The side to move loses against best play.
    Loss,
}

impl Proven {
    pub(super) fn of(status: Status) -> Option<Self> {
        match status.value()? {
            WIN => Some(Self::Win),
            DRAW => Some(Self::Draw),
            LOSS => Some(Self::Loss),
            _ => None,
        }
    }
}

/// What is known about a move.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MoveReport {
    /// The cell of the stone.
    pub cell: Cell,
    /// Visits in the tree. The search prefers moves with more visits.
    pub visits: u32,
    /// The win rate of the side to move, from 0 to 1. `None` without visits.
    pub value: Option<f64>,
    /// The proven value of the move, for the side to move.
    pub proven: Option<Proven>,
    /// Plies to the end of the game in the proof that was found, including this move.
    pub proof_depth: Option<u32>,
}

/// What is known about a position after a search.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The move to play. `None` if the game is over.
    pub best: Option<Cell>,
    /// The win rate of the side to move, from 0 to 1. A draw counts one half.
    pub value: f64,
    /// The proven value of the position, for the side to move.
    pub proven: Option<Proven>,
    /// Plies to the end of the game in the proof that was found. A shorter win may exist.
    pub proof_depth: Option<u32>,
    /// The principal variation: the best line of both sides.
    pub pv: Vec<Cell>,
    /// The moves that were searched, best first.
    pub moves: Vec<MoveReport>,
    /// Why the search ended. `None` while it runs.
    pub ending: Option<Ending>,
    /// The number of playouts of this search.
    pub playouts: u64,
    /// The time of this search.
    pub time: Duration,
    /// The number of nodes in the tree, including those kept from earlier searches.
    pub nodes: usize,
    /// The size of the tree in bytes.
    pub bytes: usize,
    /// The length of the longest path in the tree.
    pub depth: usize,
}

impl Report {
    pub(super) fn of(geometry: &Geometry, found: &search::Report, ending: Option<Ending>) -> Self {
        let cell = |next| Cell::of(geometry, geometry.cell_of(next));
        let of_move = |found: &search::MoveReport| MoveReport {
            cell: cell(found.next),
            visits: found.visits,
            value: found.win_rate,
            proven: Proven::of(found.status),
            proof_depth: found.proof_depth,
        };
        Self {
            best: found.best.map(cell),
            value: found.value,
            proven: Proven::of(found.status),
            proof_depth: found.proof_depth,
            pv: found.pv.iter().copied().map(cell).collect(),
            moves: found.moves.iter().map(of_move).collect(),
            ending,
            playouts: found.stats.playouts,
            time: Duration::from_secs_f64(found.stats.seconds),
            nodes: found.stats.nodes,
            bytes: found.stats.bytes,
            depth: found.stats.depth,
        }
    }
}
