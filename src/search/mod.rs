//! What answers which move, what value, and what is proven: one trait, for every kind of search.
//!
//! `limits` says when a search has to stop, `report` what it found. The searches themselves are rooms of
//! their own: `mcts`, and `alpha_beta`.

mod limits;
mod report;

pub use limits::{Ending, Limits, SearchClock};
pub use report::{MoveReport, PolicyReport, Report, SearchStats};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::Move;

/// What a search has found so far.
pub trait Reporter {
    /// What is known after a search that took some time.
    fn report(&self, time: Duration) -> Report;
}

/// A search from one position, which can be moved on.
pub trait Search: Reporter + Send {
    /// Makes some moves, and keeps what is known of the position after them.
    fn advance(&mut self, line: &[Move]);

    /// Searches until a limit is reached, the root is solved, or `stop` is set. `progress` is called
    /// now and then.
    fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Ending;
}
