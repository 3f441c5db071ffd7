//! The loop around iterations. It ends when a limit is reached, the root is solved, or `stop` is set.
//!
//! Upkeep (freeing, halving, exchange between trees) happens here, between batches or epochs: no thread
//! is in a tree then.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::parallel::{BATCH, Epoch, have_news, run_epoch, share_proofs};
use super::state::ThreadProgress;
use super::{Mcts, SearchState};
use crate::cores;
use crate::params::{CoreList, FinalMove, Selection};
use crate::search::{Ending, Limits, Reporter, SearchClock};
use crate::tree::{MOST_VISITS, Tree};

/// Factor on the playout limit by the rule of the max-robust child, when no move has both the most
/// visits and the best value.
const EXTENSION: f64 = 1.5;

/// An epoch that ends only because memory has run out, or because one tree has a proof that others lack,
/// takes at least this long.
const PAUSE_EVERY: Duration = Duration::from_millis(10);

/// Whether no other move can reach the most visits within the limits; false unless the limits ask for
/// it.
fn is_decided(clock: &SearchClock, state: &SearchState) -> bool {
    let done = state.playout_count();
    if !clock.limits.stop_when_decided || done == 0 {
        return false;
    }
    let rate = done as f64 / clock.begin.elapsed().as_secs_f64();
    let by_time = clock.limits.time.map_or(u64::MAX, |time| {
        (rate * time.saturating_sub(clock.begin.elapsed()).as_secs_f64()) as u64
    });
    state.is_decided(clock.left(done).min(by_time))
}

impl Mcts {
    /// Searches until a limit is reached, the root is solved, or `stop` is set. Calls `progress` after
    /// every batch, or about once a millisecond.
    pub fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Ending {
        let clock = SearchClock { begin: Instant::now(), limits: *limits, stop };
        if self.uses_epochs() {
            let threads = self.workers.len();
            self.places = match &self.state.params.cores {
                CoreList::Auto => cores::places(threads),
                CoreList::Unbound => Vec::new(),
                CoreList::Named(named) => named.iter().copied().cycle().take(threads).collect(),
            };
        }
        let ending = self.run_until(clock, progress);
        if self.state.trees.len() > 1 {
            self.state.exchange();
        }
        let most_time = limits.time.map(|time| time.saturating_add(limits.extra_time));
        let is_late = || most_time.is_some_and(|time| clock.begin.elapsed() >= time);
        for tree in &mut self.state.trees {
            tree.sweep(|| is_late() || clock.is_stopped());
        }
        ending
    }

    /// Whether threads are started for each epoch. Otherwise the calling thread searches, in batches.
    fn uses_epochs(&self) -> bool {
        self.workers.len() > 1 || matches!(self.state.params.cores, CoreList::Named(_))
    }

    fn run_until(
        &mut self,
        mut clock: SearchClock,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Ending {
        self.state
            .thread_progress
            .iter()
            .for_each(|progress_of_thread| progress_of_thread.playouts.store(0, Relaxed));
        if self.state.position.result().is_some() {
            return Ending::Solved;
        }
        self.prepare_root();
        if !clock.limits.until_solved && self.state.has_only_move() {
            return Ending::OnlyMove;
        }
        let Limits { playouts, time, extra_time, .. } = clock.limits;
        let has_limit = playouts.is_some() || time.is_some();
        if self.state.params.selection == Selection::Flat && !has_limit {
            // Without a tree nothing more can be proven.
            return if self.state.is_solved() { Ending::Solved } else { Ending::Limit };
        }
        let is_max_robust = self.state.params.final_move == FinalMove::MaxRobust;
        let mut may_extend = is_max_robust || !extra_time.is_zero();
        loop {
            if self.state.is_solved() {
                return Ending::Solved;
            }
            if clock.is_stopped() {
                return Ending::Stopped;
            }
            let done = self.state.playout_count();
            // Even without any time one batch is made: a move needs some playouts.
            if clock.left(done) == 0 || (done > 0 && clock.is_late()) {
                if self.state.trees.len() > 1 {
                    self.state.exchange();
                }
                if !(may_extend && self.state.lacks_max_robust_move()) {
                    return Ending::Limit;
                }
                may_extend = false;
                let more = if is_max_robust { EXTENSION } else { 1.0 };
                let limits = &mut clock.limits;
                limits.playouts = limits.playouts.map(|most| (most as f64 * more) as u64);
                limits.time = limits.time.map(|time| time.saturating_add(limits.extra_time));
                continue;
            }
            if is_decided(&clock, &self.state) {
                return Ending::Decided;
            }
            let playouts = clock.left(done);
            if !self.uses_epochs() {
                let worker = &mut self.workers[0];
                let is_full = || self.state.tree().is_full();
                worker.enter(&self.state, None).batch(playouts.min(BATCH), &is_full);
            } else {
                self.epoch(&clock, playouts, progress);
            }
            self.keep_up(|| clock.is_late() || clock.is_stopped());
            progress(&self.state);
        }
    }

    /// Runs one epoch: all threads search until something has to be done by one thread.
    fn epoch(
        &mut self,
        clock: &SearchClock,
        playouts: u64,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) {
        let Self { state, workers, places } = self;
        let state = &*state;
        let deadline = clock.limits.time.and_then(|time| clock.begin.checked_add(time));
        let epoch = Epoch::new(workers.len(), playouts, deadline, clock.stop);
        let begin = Instant::now();
        run_epoch(state, workers, &epoch, places, &mut || {
            let is_over = state.is_epoch_over(clock, begin.elapsed());
            if !is_over {
                progress(state);
            }
            is_over
        });
    }

    /// Upkeep between two batches or epochs, when no thread is in a tree.
    fn keep_up(&mut self, is_interrupted: impl Fn() -> bool) {
        let state = &mut self.state;
        for tree in 0..state.trees.len() {
            let (visits, points) = state.root_counts(tree);
            let root = state.trees[tree].root();
            state.trees[tree].add_to_root(visits - root.visits, points - root.wins);
        }
        state.thread_progress.iter().for_each(ThreadProgress::clear_root);
        share_proofs(&state.trees, state.params.stacked);
        let has_many = state.trees.len() > 1;
        let is_full = state.trees.iter().any(|tree| tree.root().visits >= MOST_VISITS);
        if has_many && (state.params.root_exchange > 0 || is_full || state.nears_overflow()) {
            // With several trees the exchange halves counts: in all trees, and in their `RootTotals`.
            state.exchange();
        }
        for tree in &mut state.trees {
            tree.make_room(&is_interrupted);
            if !has_many {
                tree.keep_counts_in_range();
            }
        }
    }
}

impl SearchState {
    /// Whether the epoch has to end.
    fn is_epoch_over(&self, clock: &SearchClock, so_far: Duration) -> bool {
        let exchange = u64::from(self.params.root_exchange);
        self.is_solved()
            || clock.is_stopped()
            || (clock.is_late() && self.playout_count() > 0)
            || is_decided(clock, self)
            || self.nears_overflow()
            || (exchange > 0 && self.trees.len() > 1 && so_far >= Duration::from_millis(exchange))
            || (so_far >= PAUSE_EVERY
                && (self.trees.iter().any(Tree::is_full) || have_news(&self.trees)))
    }

    /// Whether visits are near their limit: one tree has to halve its counts, several have to exchange
    /// them before the sum overflows.
    fn nears_overflow(&self) -> bool {
        let visits = |tree: usize| self.root_counts(tree).0;
        match self.trees.len() {
            1 => visits(0) >= MOST_VISITS,
            trees => {
                let most = MOST_VISITS / 2 / trees as u32;
                (0..trees)
                    .any(|tree| visits(tree).saturating_sub(self.root_totals.root_visits()) >= most)
            }
        }
    }

    /// Gives the counts that each tree has gained at the root to all trees.
    fn exchange(&mut self) {
        self.root_totals.exchange(&mut self.trees);
    }

    fn has_only_move(&self) -> bool {
        let children = self.tree().children();
        children.is_some_and(|handle| self.tree().block(handle).count() == 1)
    }
}

#[cfg(test)]
mod tests;
