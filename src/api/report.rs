//! What a search found, in cells.

use std::time::Duration;

use super::Cell;
use crate::game::{DRAW, LOSS, WIN};
use crate::havannah::Geometry;
use crate::search::{self, Ending};
use crate::tree::Status;

/// A value that is proven, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proven {
    /// It wins, whatever the other side does.
    Win,
    /// With the best play of both sides no one wins.
    Draw,
    /// It loses, whatever it does.
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

/// What is known of a move.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct MoveReport {
    /// The cell of the stone.
    pub cell: Cell,
    /// Visits in the tree: of two moves the search prefers the one with more.
    pub visits: u32,
    /// The win rate of the side to move, from 0 to 1; none without visits.
    pub value: Option<f64>,
    /// What is proven of it, for the side to move.
    pub proven: Option<Proven>,
    /// Plies to the end of the game in the proof that was found, this move among them.
    pub proof_depth: Option<u32>,
}

/// What is known of a position after a search.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The move to play; none if the game is over.
    pub best: Option<Cell>,
    /// The win rate of the side to move, from 0 to 1; a draw counts one half.
    pub value: f64,
    /// What is proven of the position, for the side to move.
    pub proven: Option<Proven>,
    /// Plies to the end of the game in the proof that was found: a win may be quicker.
    pub proof_depth: Option<u32>,
    /// The principal variation: what both sides would play.
    pub pv: Vec<Cell>,
    /// The moves that were looked at, best first.
    pub moves: Vec<MoveReport>,
    /// Why the search ended; none if it has not.
    pub ending: Option<Ending>,
    /// Simulated games of this search.
    pub playouts: u64,
    /// What it took.
    pub time: Duration,
    /// Nodes in the tree, those kept from earlier searches among them.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
    /// The longest path in the tree.
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
            playouts: found.playouts,
            time: Duration::from_secs_f64(found.seconds),
            nodes: found.nodes,
            bytes: found.bytes,
            depth: found.depth,
        }
    }
}
