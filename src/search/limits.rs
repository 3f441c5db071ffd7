//! When to stop, and the loop that does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Search;
use crate::params::{FinalMove, Selection};
use crate::playout::Playouts;

/// What ends a search. Whatever comes first does; a solved root always does.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    pub playouts: Option<u64>,
    pub time: Option<Duration>,
    /// How much longer a search may take than its time, when no move has both the most visits and
    /// the best value.
    pub extra_time: Duration,
    /// Stop as soon as no other move can get as many visits within the limits.
    pub stop_when_decided: bool,
    /// Search even where a single move is left that does not lose at once.
    pub until_solved: bool,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The value of the position is known.
    Solved,
    /// There is but one move to make.
    OnlyMove,
    /// No other move could get as many visits any more.
    Decided,
    Limit,
    Stopped,
}

/// Playouts between two looks at the clock: some fifty microseconds.
const BATCH: u64 = 64;

/// How many more playouts a search may make by the rule of the max-robust child, when no move has
/// both the most visits and the best value.
const EXTENSION: f64 = 1.5;

impl<P: Playouts> Search<P> {
    /// Searches until a limit is reached, the root is solved, or `stop` is set. `progress` is
    /// called now and then.
    pub fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        mut progress: impl FnMut(&Self),
    ) -> Ending {
        let begin = Instant::now();
        let ending = self.run_from(begin, limits, stop, &mut progress);
        let most_time = limits.time.map(|time| time + limits.extra_time);
        let is_late = || most_time.is_some_and(|time| begin.elapsed() >= time);
        self.tree.sweep(|| is_late() || stop.load(Ordering::Relaxed));
        ending
    }

    fn run_from(
        &mut self,
        begin: Instant,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut impl FnMut(&Self),
    ) -> Ending {
        self.playout_count = 0;
        self.prepare_root();
        if !limits.until_solved && self.has_only_move() {
            return Ending::OnlyMove;
        }
        let has_limit = limits.playouts.is_some() || limits.time.is_some();
        if self.params.selection == Selection::Flat && !has_limit {
            // Without a tree nothing more would ever be proven.
            return if self.is_solved() { Ending::Solved } else { Ending::Limit };
        }
        let mut limits = *limits;
        let is_max_robust = self.params.final_move == FinalMove::MaxRobust;
        let mut may_extend = is_max_robust || !limits.extra_time.is_zero();
        loop {
            if self.is_solved() {
                return Ending::Solved;
            }
            if stop.load(Ordering::Relaxed) {
                return Ending::Stopped;
            }
            let left = limits.playouts.map_or(u64::MAX, |most| most - self.playout_count.min(most));
            // Without any time there is still a first batch: a move should rest on something.
            let is_late =
                self.playout_count > 0 && limits.time.is_some_and(|time| begin.elapsed() >= time);
            if left == 0 || is_late {
                if !(may_extend && self.lacks_max_robust_move()) {
                    return Ending::Limit;
                }
                may_extend = false;
                let more = if is_max_robust { EXTENSION } else { 1.0 };
                limits.playouts = limits.playouts.map(|most| (most as f64 * more) as u64);
                limits.time = limits.time.map(|time| time + limits.extra_time);
                continue;
            }
            if limits.stop_when_decided {
                let rate = self.playout_count as f64 / begin.elapsed().as_secs_f64();
                let by_time = limits.time.map_or(u64::MAX, |time| {
                    (rate * time.saturating_sub(begin.elapsed()).as_secs_f64()) as u64
                });
                if self.playout_count > 0 && self.is_decided(left.min(by_time)) {
                    return Ending::Decided;
                }
            }
            let each = u64::from(self.params.playouts);
            let iterations = left.div_ceil(each).min((BATCH / each).max(1));
            let is_interrupted = || {
                let is_late = limits.time.is_some_and(|time| begin.elapsed() >= time);
                is_late || stop.load(Ordering::Relaxed)
            };
            for _ in 0..iterations {
                self.iterate(is_interrupted);
                if self.is_solved() {
                    break;
                }
            }
            self.tree.keep_counts_in_range();
            progress(self);
        }
    }

    fn has_only_move(&self) -> bool {
        self.tree.children().is_some_and(|handle| self.tree.block(handle).count() == 1)
    }
}
