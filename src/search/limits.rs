//! When a search has to stop.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// What ends a search. Whatever comes first does; a solved root always does.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Simulated games, or positions where there are none.
    pub playouts: Option<u64>,
    /// Time that has passed.
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
    /// A limit was reached.
    Limit,
    /// It was told to stop.
    Stopped,
}

/// A search under way: when it began, and what ends it.
#[derive(Clone, Copy)]
pub struct SearchClock<'a> {
    pub begin: Instant,
    pub limits: Limits,
    pub stop: &'a AtomicBool,
}

impl SearchClock<'_> {
    pub fn is_late(&self) -> bool {
        self.limits.time.is_some_and(|time| self.begin.elapsed() >= time)
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// The playouts that are left of the limit.
    pub fn left(&self, done: u64) -> u64 {
        self.limits.playouts.map_or(u64::MAX, |most| most - done.min(most))
    }
}
