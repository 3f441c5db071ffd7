//! The [`Report`] of a search, read from its trees.
//!
//! Values and statuses in a report are seen by the side to move; those of the root in the tree are seen
//! by the side that moved there.

use std::time::Duration;

use super::SearchState;
use super::ending::best_index;
use super::proof::sound;
use crate::game::{LOSS, Move, Prospect, Value, WIN, points_of};
use crate::params::FinalMove;
use crate::search::{MoveReport, PolicyReport, Report, Reporter, SearchStats};
use crate::tree::{Status, Tree};

impl Reporter for SearchState {
    fn report(&self, time: Duration) -> Report {
        let root = self.tree().root();
        let (visits, wins) = self.root_counts(0);
        let counts = || self.trees.iter().map(Tree::counts);
        // The root's status is seen by the side that moved there, so it is turned.
        let status = match self.position.result() {
            Some(points) => {
                let own = points_of(self.position.to_move(), points);
                Status::new(own, own)
            }
            None => self.sound(root.status.turned()),
        };
        let value = match status.value() {
            Some(points) => f64::from(points) / f64::from(WIN),
            None if visits == 0 => 0.5,
            None => 1.0 - f64::from(wins) / (f64::from(Value::WIN.parts()) * f64::from(visits)),
        };
        let best = self.best_move();
        Report {
            status,
            value,
            best,
            // A value kept from an earlier search comes without its moves, until they are found again.
            proof_depth: (status.is_proven() && self.is_solved()).then_some(root.proof_depth),
            stats: SearchStats {
                threads: self.thread_progress.len(),
                nodes: counts().map(|counts| counts.nodes).sum(),
                kept: counts().map(|counts| counts.kept).sum(),
                recycled: counts().map(|counts| counts.recycled).sum(),
                bytes: self.trees.iter().map(Tree::bytes).sum(),
                depth: self.depth(),
                ..SearchStats::new(self.playout_count(), time)
            },
            pv: self.principal_variation(best),
            policies: self.policies(),
            moves: self.moves(),
        }
    }
}

impl SearchState {
    /// The part of a status that holds for the side to move. Where moves are simultaneous, not
    /// everything that is proven in a tree with turns holds.
    fn sound(&self, status: Status) -> Status {
        let is_settled = matches!(self.prospect, Some(Prospect::Settled { .. }));
        let is_exact = !self.position.is_simultaneous() || self.params.stacked || is_settled;
        if is_exact { status } else { sound(status) }
    }

    fn policies(&self) -> Vec<PolicyReport> {
        let rows = self.hits().into_iter();
        rows.map(|(policy, moves)| PolicyReport { policy, moves }).collect()
    }

    /// The best move, followed by the most visited moves below it.
    fn principal_variation(&self, best: Option<Move>) -> Vec<Move> {
        let Some(best) = best else {
            return Vec::new();
        };
        let mut line = vec![best];
        let child_of = |handle, of: Move| {
            let block = self.tree().block(handle);
            block.child(block.find(of)?)
        };
        let mut next = self.tree().children().and_then(|handle| child_of(handle, best));
        while let Some(handle) = next {
            let block = self.tree().block(handle);
            let index = best_index(&block, &self.params, FinalMove::Robust);
            let Some(index) = index.filter(|index| block.real_visits(*index) > 0) else {
                break;
            };
            line.push(Move::new(block.moves[index] as usize));
            next = block.child(index);
        }
        line
    }

    fn moves(&self) -> Vec<MoveReport> {
        let untried = |next: Move, status: Status, depth: u32| MoveReport {
            next,
            visits: 0,
            win_rate: None,
            rave: None,
            prior: None,
            status,
            proof_depth: status.is_proven().then_some(depth),
        };
        let legal = self.position.legal_moves();
        // The other moves are worth at most as much.
        let one_known = |best: Move, points: u32, plies: u32| {
            let others = legal.iter().filter(|next| **next != best);
            let others = others.map(|next| untried(*next, Status::new(LOSS, points), 0));
            let best = untried(best, Status::new(points, points), plies);
            [best].into_iter().chain(others).collect()
        };
        match self.prospect {
            Some(Prospect::Win(best)) => one_known(best, WIN, 1),
            Some(Prospect::Settled { points, best, plies }) => one_known(best, points, plies),
            Some(Prospect::Loss(_)) => {
                legal.iter().map(|next| untried(*next, Status::LOST, 2)).collect()
            }
            Some(Prospect::Draw { plies }) => {
                legal.iter().map(|next| untried(*next, Status::DRAWN, plies)).collect()
            }
            Some(Prospect::Open { forced }) => {
                // Moves that lose at once were not searched.
                let loses = |next: &&Move| forced.is_some_and(|only| only != **next);
                let losing = legal.iter().filter(loses);
                let losing = losing.map(|next| untried(*next, Status::LOST, 2));
                self.searched_moves().into_iter().chain(losing).collect()
            }
            Some(Prospect::Over(_)) | None => Vec::new(),
        }
    }

    fn searched_moves(&self) -> Vec<MoveReport> {
        let Some(handle) = self.tree().children() else {
            return Vec::new();
        };
        let block = self.tree().block(handle);
        let order = super::ending::order_of(&block, &self.params);
        let report = |index: usize| MoveReport {
            next: Move::new(block.moves[index] as usize),
            visits: block.real_visits(index),
            win_rate: (block.real_visits(index) > 0).then(|| block.win_rate(index)),
            rave: block.rave(index).rate(),
            prior: block.rave(index).prior(),
            status: self.sound(block.status(index)),
            proof_depth: block
                .proof_depth(index)
                .filter(|_| self.sound(block.status(index)).is_proven())
                .map(|depth| depth + 1),
        };
        order.into_iter().map(report).collect()
    }
}
