//! `SearchState`: what all threads of a search read, that is the position, the settings, the trees, and
//! the progress of each thread.
//!
//! During an epoch a thread writes only its own `ThreadProgress`, and its tree (through atomic cells and
//! its allocator).

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use super::parallel::RootTotals;
use crate::bits::Isa;
use crate::game::{Hits, MOVE_WORDS, MoveWords, Position, Prospect};
use crate::params::{Params, Rave};
use crate::tree::{Status, Tree};

/// The position of a search, its trees, and what is known.
pub struct SearchState {
    pub(super) isa: Isa,
    pub(super) params: Params,
    pub(super) position: Box<dyn Position>,
    /// The legal moves of the position as a bit set, and their number; empty without RAVE.
    pub(super) legal: (MoveWords, usize),
    /// The number of words of such a set that can contain moves.
    pub(super) move_words: usize,
    /// What is certain at the root without a search; none if it was not looked for yet.
    pub(super) prospect: Option<Prospect>,
    /// One tree, or one for each thread. Reports and the final move come from the first.
    pub(super) trees: Vec<Tree>,
    /// The root counts that several trees agreed on last.
    pub(super) root_totals: RootTotals,
    pub(super) thread_progress: Vec<ThreadProgress>,
}

/// The progress of a thread. Only that thread writes to it during an epoch, once a batch. It has its own
/// cache lines, so that a reader does not slow down other threads.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct ThreadProgress {
    /// Playouts since the search began, and the length of the longest path.
    pub playouts: AtomicU64,
    pub depth: AtomicUsize,
    /// Root counts since the tree's last upkeep: points in the low half, visits in the high half. One
    /// cell, so that a reader sees both from the same batch.
    root: AtomicU64,
    /// The number of moves that each policy chose.
    hits: [AtomicU64; Hits::ROWS],
}

impl ThreadProgress {
    /// The visits and the points of the root since the tree's last upkeep.
    fn root(&self) -> (u32, u32) {
        let root = self.root.load(Relaxed);
        ((root >> 32) as u32, root as u32)
    }

    pub fn add_to_root(&self, visits: u32, points: u32) {
        let gain = u64::from(visits) << 32 | u64::from(points);
        self.root.store(self.root.load(Relaxed) + gain, Relaxed);
    }

    pub fn clear_root(&self) {
        self.root.store(0, Relaxed);
    }

    pub fn set_hits(&self, hits: &Hits) {
        self.hits.iter().zip(hits.counts()).for_each(|(cell, count)| cell.store(*count, Relaxed));
    }
}

impl SearchState {
    /// The tree, or the first of several.
    pub fn tree(&self) -> &Tree {
        &self.trees[0]
    }

    /// The tree that a thread searches in.
    pub(super) fn tree_of(&self, thread: usize) -> &Tree {
        &self.trees[thread % self.trees.len()]
    }

    /// Playouts since the last search began.
    pub fn playout_count(&self) -> u64 {
        self.thread_progress.iter().map(|thread| thread.playouts.load(Relaxed)).sum()
    }

    /// The length of the longest path.
    pub(super) fn depth(&self) -> usize {
        self.thread_progress.iter().map(|thread| thread.depth.load(Relaxed)).max().unwrap_or(0)
    }

    /// The visits and the points of the root of a tree, with those that threads have counted since its
    /// last upkeep.
    pub(super) fn root_counts(&self, tree: usize) -> (u32, u32) {
        let root = self.trees[tree].root();
        let threads = (tree..self.thread_progress.len()).step_by(self.trees.len());
        threads.map(|thread| &self.thread_progress[thread]).fold(
            (root.visits, root.wins),
            |(visits, points), thread| {
                let (more_visits, more_points) = thread.root();
                (visits + more_visits, points + more_points)
            },
        )
    }

    /// The number of playout moves that each policy chose.
    pub(super) fn hits(&self) -> Vec<(&'static str, u64)> {
        let mut sum = Hits::default();
        for thread in &self.thread_progress {
            sum.add(&std::array::from_fn(|row| thread.hits[row].load(Relaxed)));
        }
        sum.rows()
    }

    /// Whether the value of the root is proven, and a move with this value is known. A value kept from
    /// an earlier search comes without its moves.
    pub(super) fn is_solved(&self) -> bool {
        self.trees.iter().any(is_solved)
    }
}

/// The legal moves of a position as a bit set, and their number; empty without RAVE.
pub(super) fn words_of(params: &Params, position: &dyn Position) -> (MoveWords, usize) {
    let mut words = [0; MOVE_WORDS];
    if params.rave == Rave::Off {
        return (words, 0);
    }
    let moves = position.legal_moves();
    moves.iter().for_each(|next| words[next.number() / 64] |= 1 << (next.number() % 64));
    (words, moves.len())
}

/// Whether the value of a tree's root is proven, and a move with this value is known.
#[inline]
pub(super) fn is_solved(tree: &Tree) -> bool {
    let status = tree.root_status();
    status.is_proven()
        && tree
            .children()
            .is_none_or(|handle| Status::best(tree.block(handle).statuses()).turned() == status)
}
