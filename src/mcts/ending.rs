//! The move to play at the end of a search (Nahue 2014 §3.4).
//!
//! - A proven win comes first, the quickest of them. A proven loss comes last, the longest before
//!   others.
//! - The moves between are ordered by the `final_move` rule of the parameters.
//! - A proven draw has the value one half and keeps its visits. It comes before a move that is a draw at
//!   best.

use super::SearchState;
use crate::game::{DRAW, LOSS, Move, Prospect, WIN};
use crate::params::{FinalMove, Params};
use crate::tree::{Block, Status};

impl SearchState {
    /// The move to play; `None` if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        if self.position.result().is_some() {
            return None;
        }
        match self.prospect {
            Some(Prospect::Win(best) | Prospect::Loss(best) | Prospect::Settled { best, .. }) => {
                return Some(best);
            }
            Some(Prospect::Over(_)) => return None,
            Some(Prospect::Draw { .. }) | None => {
                return self.position.legal_moves().first().copied();
            }
            Some(Prospect::Open { .. }) => {}
        }
        let block = self.tree().block(self.tree().children()?);
        let best = best_index(&block, &self.params, self.params.final_move)?;
        Some(Move::new(block.moves[best] as usize))
    }

    /// Whether the move with the most visits still has them after `playouts_left` more playouts; false
    /// if the final move is not chosen by visits.
    pub(super) fn is_decided(&self, playouts_left: u64) -> bool {
        let by_visits = [FinalMove::Robust, FinalMove::MaxRobust];
        let Some(handle) = self.tree().children() else {
            return false;
        };
        let block = self.tree().block(handle);
        let visits = match self.trees[..] {
            [_] => (0..block.count()).map(|index| block.visits(index)).collect(),
            _ => self.root_totals.visits(&self.trees),
        };
        let (mut most, mut second) = (0, 0);
        for (visits, status) in visits.into_iter().zip(block.statuses()) {
            if status != Status::LOST {
                (most, second) = (most.max(visits), second.max(most.min(visits)));
            }
        }
        by_visits.contains(&self.params.final_move)
            && u64::from(most) > u64::from(second) + playouts_left
    }

    /// Whether no move has both the most visits and the highest win rate.
    pub(super) fn lacks_max_robust_move(&self) -> bool {
        let Some(handle) = self.tree().children() else {
            return false;
        };
        let block = self.tree().block(handle);
        let by = |rule| best_index(&block, &self.params, rule);
        by(FinalMove::Max) != by(FinalMove::Robust)
    }
}

/// The best child of a block by a rule.
pub(super) fn best_index(block: &Block, params: &Params, rule: FinalMove) -> Option<usize> {
    let ranks = ranks(block, params, rule);
    (0..block.count()).max_by(|a, b| ranks[*a].order(&ranks[*b]))
}

/// The ranks of the children of a block, read once before they are compared: other threads may change
/// the block.
fn ranks(block: &Block, params: &Params, rule: FinalMove) -> Vec<Rank> {
    let sure = Status::best(block.statuses()).lower();
    (0..block.count()).map(|index| Rank::new(block, index, sure, params, rule)).collect()
}

/// The children of a block, best first.
pub(super) fn order_of(block: &Block, params: &Params) -> Vec<usize> {
    let ranks = ranks(block, params, params.final_move);
    let mut order: Vec<usize> = (0..block.count()).collect();
    order.sort_by(|a, b| ranks[*b].order(&ranks[*a]));
    order
}

/// The keys that moves are ordered by, the most important first.
struct Rank {
    /// 3: proven win. 2: unproven, or a draw. 1: no better than what another move is sure of. 0: proven
    /// loss.
    class: u32,
    /// For proven wins and losses: higher is better, a short win or a long loss.
    length: i64,
    score: f64,
    visits: u32,
}

impl Rank {
    /// The rank of a child; `sure` are the points that some child of the block has for certain.
    fn new(block: &Block, index: usize, sure: u32, params: &Params, rule: FinalMove) -> Self {
        let (visits, status) = (block.real_visits(index), block.status(index));
        let depth = block.proof_depth(index).map_or(0, i64::from);
        let (class, length) = match status.value() {
            Some(WIN) => (3, -depth),
            Some(LOSS) => (0, depth),
            _ if status.lower() < sure && status.upper() <= sure => (1, 0),
            _ => (2, 0),
        };
        let value = match status.value() {
            Some(DRAW) => 0.5,
            // A move without visits has no value.
            _ if visits == 0 => -1.0,
            // Prior visits and wins included.
            _ => block.win_rate(index),
        };
        let score = match rule {
            FinalMove::Max => value,
            FinalMove::Robust | FinalMove::MaxRobust => f64::from(visits),
            FinalMove::Secure if visits == 0 => f64::NEG_INFINITY,
            FinalMove::Secure => value - f64::from(params.secure_a) / f64::from(visits).sqrt(),
        };
        Self { class, length, score, visits }
    }

    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let by_class = (self.class, self.length).cmp(&(other.class, other.length));
        let by_score = by_class.then(self.score.total_cmp(&other.score));
        by_score.then(self.visits.cmp(&other.visits))
    }
}
