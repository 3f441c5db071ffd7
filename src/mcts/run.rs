//! The loop around iterations: until a limit is reached, the root is solved, or it is stopped.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::outlook::Tally;
use super::parallel::{BATCH, Round, have_news, share_proofs, work_together};
use super::{Mcts, Outlook};
use crate::params::{FinalMove, Selection};
use crate::search::{Ending, Found, Limits, Watch};
use crate::tree::{MOST_VISITS, Tree};

/// How many more playouts a search may make by the rule of the max-robust child, when no move has
/// both the most visits and the best value.
const EXTENSION: f64 = 1.5;

/// How often threads stop, at the most, because memory has run out or one tree has proven what others
/// should know.
const PAUSE_EVERY: Duration = Duration::from_millis(10);

/// Whether no other move can get as many visits within the limits, if that matters.
fn is_decided(watch: &Watch, outlook: &Outlook) -> bool {
    let done = outlook.playout_count();
    if !watch.limits.stop_when_decided || done == 0 {
        return false;
    }
    let rate = done as f64 / watch.begin.elapsed().as_secs_f64();
    let by_time = watch.limits.time.map_or(u64::MAX, |time| {
        (rate * time.saturating_sub(watch.begin.elapsed()).as_secs_f64()) as u64
    });
    outlook.is_decided(watch.left(done).min(by_time))
}

impl Mcts {
    /// Searches until a limit is reached, the root is solved, or `stop` is set. `progress` is
    /// called now and then.
    pub fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&dyn Found),
    ) -> Ending {
        let watch = Watch { begin: Instant::now(), limits: *limits, stop };
        let ending = self.run_until(watch, progress);
        if self.outlook.trees.len() > 1 {
            self.outlook.exchange();
        }
        let most_time = limits.time.map(|time| time.saturating_add(limits.extra_time));
        let is_late = || most_time.is_some_and(|time| watch.begin.elapsed() >= time);
        for tree in &mut self.outlook.trees {
            tree.sweep(|| is_late() || watch.is_stopped());
        }
        ending
    }

    fn run_until(&mut self, mut watch: Watch, progress: &mut dyn FnMut(&dyn Found)) -> Ending {
        self.outlook.tallies.iter().for_each(|tally| tally.playouts.store(0, Relaxed));
        if self.outlook.position.result().is_some() {
            return Ending::Solved;
        }
        self.prepare_root();
        if !watch.limits.until_solved && self.outlook.has_only_move() {
            return Ending::OnlyMove;
        }
        let Limits { playouts, time, extra_time, .. } = watch.limits;
        let has_limit = playouts.is_some() || time.is_some();
        if self.outlook.params.selection == Selection::Flat && !has_limit {
            // Without a tree nothing more would ever be proven.
            return if self.outlook.is_solved() { Ending::Solved } else { Ending::Limit };
        }
        let is_max_robust = self.outlook.params.final_move == FinalMove::MaxRobust;
        let mut may_extend = is_max_robust || !extra_time.is_zero();
        loop {
            if self.outlook.is_solved() {
                return Ending::Solved;
            }
            if watch.is_stopped() {
                return Ending::Stopped;
            }
            let done = self.outlook.playout_count();
            // Without any time there is still a first batch: a move should rest on something.
            if watch.left(done) == 0 || (done > 0 && watch.is_late()) {
                if self.outlook.trees.len() > 1 {
                    self.outlook.exchange();
                }
                if !(may_extend && self.outlook.lacks_max_robust_move()) {
                    return Ending::Limit;
                }
                may_extend = false;
                let more = if is_max_robust { EXTENSION } else { 1.0 };
                let limits = &mut watch.limits;
                limits.playouts = limits.playouts.map(|most| (most as f64 * more) as u64);
                limits.time = limits.time.map(|time| time.saturating_add(limits.extra_time));
                continue;
            }
            if is_decided(&watch, &self.outlook) {
                return Ending::Decided;
            }
            let playouts = watch.left(done);
            if self.workers.len() == 1 {
                let worker = &mut self.workers[0];
                let is_full = || self.outlook.tree().is_full();
                worker.enter(&self.outlook, None).batch(playouts.min(BATCH), &is_full);
            } else {
                self.round(&watch, playouts, progress);
            }
            self.keep_up(|| watch.is_late() || watch.is_stopped());
            progress(&self.outlook);
        }
    }

    /// Lets all threads work until something has to be done alone.
    fn round(&mut self, watch: &Watch, playouts: u64, progress: &mut dyn FnMut(&dyn Found)) {
        let Self { outlook, workers } = self;
        let outlook = &*outlook;
        let deadline = watch.limits.time.and_then(|time| watch.begin.checked_add(time));
        let round = Round::new(workers.len(), playouts, deadline, watch.stop);
        let begin = Instant::now();
        work_together(outlook, workers, &round, &mut || {
            let is_over = outlook.is_round_over(watch, begin.elapsed());
            if !is_over {
                progress(outlook);
            }
            is_over
        });
    }

    /// What is done between two stretches of work.
    fn keep_up(&mut self, is_interrupted: impl Fn() -> bool) {
        let outlook = &mut self.outlook;
        for tree in 0..outlook.trees.len() {
            let (visits, points) = outlook.root_counts(tree);
            let root = outlook.trees[tree].root();
            outlook.trees[tree].add_to_root(visits - root.visits, points - root.wins);
        }
        outlook.tallies.iter().for_each(Tally::clear_root);
        share_proofs(&outlook.trees, outlook.params.stacked);
        let has_many = outlook.trees.len() > 1;
        let is_full = outlook.trees.iter().any(|tree| tree.root().visits >= MOST_VISITS);
        if has_many && (outlook.params.root_exchange > 0 || is_full || outlook.nears_overflow()) {
            // Counts of several trees are halved by the exchange: in all of them, and in what they agreed on.
            outlook.exchange();
        }
        for tree in &mut outlook.trees {
            tree.make_room(&is_interrupted);
            if !has_many {
                tree.keep_counts_in_range();
            }
        }
    }
}

impl Outlook {
    /// Whether the threads have to stop for something.
    fn is_round_over(&self, watch: &Watch, so_far: Duration) -> bool {
        let exchange = u64::from(self.params.root_exchange);
        self.is_solved()
            || watch.is_stopped()
            || (watch.is_late() && self.playout_count() > 0)
            || is_decided(watch, self)
            || self.nears_overflow()
            || (exchange > 0 && self.trees.len() > 1 && so_far >= Duration::from_millis(exchange))
            || (so_far >= PAUSE_EVERY
                && (self.trees.iter().any(Tree::is_full) || have_news(&self.trees)))
    }

    /// Whether counts have to be halved, or exchanged before they are too large to be added up.
    fn nears_overflow(&self) -> bool {
        let visits = |tree: usize| self.root_counts(tree).0;
        match self.trees.len() {
            1 => visits(0) >= MOST_VISITS,
            trees => {
                let most = MOST_VISITS / 2 / trees as u32;
                (0..trees)
                    .any(|tree| visits(tree).saturating_sub(self.ledger.root_visits()) >= most)
            }
        }
    }

    /// Gives what each tree has counted at the root to all of them.
    fn exchange(&mut self) {
        self.ledger.exchange(&mut self.trees);
    }

    fn has_only_move(&self) -> bool {
        let children = self.tree().children();
        children.is_some_and(|handle| self.tree().block(handle).count() == 1)
    }
}
