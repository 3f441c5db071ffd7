//! What a search found. Values and statuses are seen by the side to move.
//!
//! Moves are numbers here. Their names need a board.

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
    /// The prior probability, if the search uses one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub prior: Option<f64>,
    /// What is proven, for the side to move.
    pub status: Status,
    /// Plies to the end of the game in the proof that was found, including this move.
    pub proof_depth: Option<u32>,
}

/// The number of playout moves that a policy chose.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PolicyReport {
    pub policy: &'static str,
    pub moves: u64,
}

/// What a search did, and its resources.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SearchStats {
    pub playouts: u64,
    pub seconds: f64,
    pub per_second: f64,
    pub threads: usize,
    /// Nodes in the tree, nodes kept when the root was last moved, nodes recycled so far.
    pub nodes: usize,
    pub kept: usize,
    pub recycled: usize,
    /// Bytes of memory of the tree.
    pub bytes: usize,
    /// The length of the longest path in the tree.
    pub depth: usize,
}

impl SearchStats {
    /// The numbers of a search with one thread and no tree.
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
    /// The value for the side to move, from 0 to 1.
    pub value: f64,
    /// The move to play; none if the game is over.
    pub best: Option<Move>,
    /// Plies to the end of the game in the proof that was found; a quicker win may exist. None if the
    /// value is kept from an earlier search, and no move with this value is known yet.
    pub proof_depth: Option<u32>,
    pub stats: SearchStats,
    /// The principal variation. In Tron, after the sides are separated, only the moves of the side to
    /// move.
    pub pv: Vec<Move>,
    /// The number of playout moves that each policy chose; empty if only the random kernel plays.
    pub policies: Vec<PolicyReport>,
    /// The moves that were searched, best first.
    pub moves: Vec<MoveReport>,
}
