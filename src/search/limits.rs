//! When a search has to stop, and why it stopped.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// What ends a search: the limit that is reached first, or a solved root.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// The most playouts; positions, in a search without playouts.
    pub playouts: Option<u64>,
    /// The most time.
    pub time: Option<Duration>,
    /// Time that is added once, when no move has both the most visits and the best value.
    pub extra_time: Duration,
    /// Stop when no other move can reach the most visits within the limits.
    pub stop_when_decided: bool,
    /// Search even if only one move does not lose at once.
    pub until_solved: bool,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The value of the position is known.
    Solved,
    /// Only one move does not lose at once.
    OnlyMove,
    /// No other move could reach the most visits.
    Decided,
    /// A limit was reached.
    Limit,
    /// It was stopped by the caller.
    Stopped,
}

/// The clock of a running search: its begin, its limits, and the flag that stops it.
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

    /// The playouts that are left before the limit, after `done` playouts.
    pub fn left(&self, done: u64) -> u64 {
        self.limits.playouts.map_or(u64::MAX, |most| most - done.min(most))
    }
}
