//! One trait for every kind of search. It answers: which move, what value, what is proven.
//!
//! `limits` says when a search has to stop, `report` what it found. The searches are in `mcts` and
//! `alpha_beta`; nothing here depends on them.

mod limits;
mod report;

pub use limits::{Ending, Limits, SearchClock};
pub use report::{MoveReport, PolicyReport, Report, SearchStats};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::Move;

/// What can report on a search, also while it runs.
pub trait Reporter {
    /// What is known now; `time` is the time that the search took.
    fn report(&self, time: Duration) -> Report;
}

/// A search from one position. The position can be moved on.
pub trait Search: Reporter + Send {
    /// Makes the moves of `line`, and keeps what is known of the position after them.
    fn advance(&mut self, line: &[Move]);

    /// Searches until a limit is reached, the root is solved, or `stop` is set. Calls `progress` now and
    /// then; a search may never call it.
    fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Ending;
}
