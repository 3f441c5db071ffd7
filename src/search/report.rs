//! What a search found. Moves are numbers here: who has a board gives them names.

use std::time::Duration;

use crate::game::Move;
use crate::tree::Status;

/// What is known of a move at the root.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MoveReport {
    #[cfg_attr(feature = "serde", serde(skip))]
    pub next: Move,
    pub visits: u32,
    /// From 0 to 1, for the side to move; none without visits.
    pub win_rate: Option<f64>,
    pub rave: Option<f64>,
    /// The prior probability, where the search goes by it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub prior: Option<f64>,
    /// What is proven, for the side to move.
    pub status: Status,
    /// Plies to the end of the game in the proof that was found, this move among them.
    pub proof_depth: Option<u32>,
}

/// What a policy did in the playouts of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PolicyReport {
    pub policy: &'static str,
    pub moves: u64,
}

/// What a search did, and with what.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SearchStats {
    pub playouts: u64,
    pub seconds: f64,
    pub per_second: f64,
    pub threads: usize,
    /// Nodes in the tree, nodes kept when the root was moved last, nodes recycled so far.
    pub nodes: usize,
    pub kept: usize,
    pub recycled: usize,
    /// Memory of the tree.
    pub bytes: usize,
    /// The longest path in the tree.
    pub depth: usize,
}

impl SearchStats {
    /// Playouts of one thread without a tree.
    pub fn new(playouts: u64, time: Duration) -> Self {
        let seconds = time.as_secs_f64();
        let per_second = if seconds > 0.0 { playouts as f64 / seconds } else { 0.0 };
        Self { playouts, seconds, per_second, threads: 1, ..Self::default() }
    }
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// What is proven, for the side to move.
    pub status: Status,
    /// The win rate of the side to move.
    pub value: f64,
    /// The move to play; none if the game is over.
    pub best: Option<Move>,
    /// Plies to the end of the game in the proof that was found: a win may be quicker. None of a value
    /// that is known from an earlier search, as long as no move is known to have it.
    pub proof_depth: Option<u32>,
    pub stats: SearchStats,
    /// The principal variation: what both sides would play; in Tron, where a side has a space of its
    /// own, its moves alone.
    pub pv: Vec<Move>,
    /// How many moves of playouts each policy chose; empty where the random kernel plays alone.
    pub policies: Vec<PolicyReport>,
    /// The moves that were looked at, best first.
    pub moves: Vec<MoveReport>,
}
