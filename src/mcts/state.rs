//! What all threads of a search see: the position, the settings, the trees, and how far each thread is.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use super::parallel::RootTotals;
use crate::bits::Isa;
use crate::game::{Hits, MOVE_WORDS, MoveWords, Position, Prospect};
use crate::params::{Params, Rave};
use crate::tree::{Status, Tree};

/// A position, and what is known of it.
pub struct SearchState {
    pub(super) isa: Isa,
    pub(super) params: Params,
    pub(super) position: Box<dyn Position>,
    /// The legal moves of the position, where RAVE counts them, and how many there are.
    pub(super) legal: (MoveWords, usize),
    /// The words of such sets that have moves at all.
    pub(super) move_words: usize,
    /// What is certain at the root without search.
    pub(super) prospect: Option<Prospect>,
    /// One tree, or one for each thread; the first is the one that is read.
    pub(super) trees: Vec<Tree>,
    /// What several trees agree on.
    pub(super) root_totals: RootTotals,
    /// How far each thread is.
    pub(super) thread_progress: Vec<ThreadProgress>,
}

/// How far a thread is, written by it after a batch of iterations and by no one else meanwhile. It has
/// cache lines of its own: who reads it now and then does not disturb the others.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct ThreadProgress {
    /// Playouts since the search began, and the longest path.
    pub playouts: AtomicU64,
    pub depth: AtomicUsize,
    /// Values of the root since the tree's last upkeep, and above them its visits: in one cell, as they
    /// belong together.
    root: AtomicU64,
    /// Moves that each policy chose.
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

    /// The tree that a thread grows.
    pub(super) fn tree_of(&self, thread: usize) -> &Tree {
        &self.trees[thread % self.trees.len()]
    }

    /// Playouts since the last search began.
    pub fn playout_count(&self) -> u64 {
        self.thread_progress
            .iter()
            .map(|progress_of_thread| progress_of_thread.playouts.load(Relaxed))
            .sum()
    }

    /// The longest path.
    pub(super) fn depth(&self) -> usize {
        self.thread_progress
            .iter()
            .map(|progress_of_thread| progress_of_thread.depth.load(Relaxed))
            .max()
            .unwrap_or(0)
    }

    /// The visits and the points of the root of a tree, so far.
    pub(super) fn root_counts(&self, tree: usize) -> (u32, u32) {
        let root = self.trees[tree].root();
        let threads = (tree..self.thread_progress.len()).step_by(self.trees.len());
        threads.map(|thread| &self.thread_progress[thread]).fold(
            (root.visits, root.wins),
            |(visits, points), progress_of_thread| {
                let (more_visits, more_points) = progress_of_thread.root();
                (visits + more_visits, points + more_points)
            },
        )
    }

    /// The moves of playouts that each policy chose.
    pub(super) fn hits(&self) -> Vec<(&'static str, u64)> {
        let mut sum = Hits::default();
        for progress_of_thread in &self.thread_progress {
            sum.add(&std::array::from_fn(|row| progress_of_thread.hits[row].load(Relaxed)));
        }
        sum.rows()
    }

    /// Whether the value of the root is known, and a move that has it: of a value known from an
    /// earlier search the moves are gone.
    pub(super) fn is_solved(&self) -> bool {
        self.trees.iter().any(is_solved)
    }
}

/// The legal moves of a position as bits, and how many there are; none where no RAVE asks for them.
pub(super) fn words_of(params: &Params, position: &dyn Position) -> (MoveWords, usize) {
    let mut words = [0; MOVE_WORDS];
    if params.rave == Rave::Off {
        return (words, 0);
    }
    let moves = position.legal_moves();
    moves.iter().for_each(|next| words[next.number() / 64] |= 1 << (next.number() % 64));
    (words, moves.len())
}

/// Whether the value of a tree's root is known, and a move that has it.
#[inline]
pub(super) fn is_solved(tree: &Tree) -> bool {
    let status = tree.root_status();
    status.is_proven()
        && tree
            .children()
            .is_none_or(|handle| Status::best(tree.block(handle).statuses()).turned() == status)
}
