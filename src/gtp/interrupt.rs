//! When a search has to end: because a command waits and the search gives way, or because the
//! program ends.
//!
//! The stop flag changes only under the lock, so that no command is missed between two searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared between the thread that reads commands and the thread that searches.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// The flag that searches poll. It changes only under the lock.
    stop: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Whether the current search gives way to the next command.
    gives_way: bool,
    /// Whether the program ends.
    is_closing: bool,
    /// The number of commands that were read and not yet taken.
    waiting: usize,
    /// The number of commands taken so far.
    answered: u64,
}

impl Interrupt {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_stop(&self, stop: bool) {
        self.0.stop.store(stop, Ordering::Relaxed);
    }

    /// The flag that searches poll.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stop
    }

    /// Begins a search that new commands do not end.
    pub fn begin(&self) {
        let mut state = self.lock();
        state.gives_way = false;
        self.set_stop(state.is_closing);
    }

    /// Begins a search that ends at the next command.
    pub fn begin_giving_way(&self) {
        let mut state = self.lock();
        state.gives_way = true;
        self.set_stop(state.is_closing || state.waiting > 0);
    }

    /// A command was read.
    pub fn arrive(&self) {
        let mut state = self.lock();
        state.waiting += 1;
        if state.gives_way {
            self.set_stop(true);
        }
    }

    /// A command is taken from the queue to be answered.
    pub fn take(&self) {
        let mut state = self.lock();
        state.waiting -= 1;
        state.answered += 1;
    }

    /// The program ends: stops the current search and every later one.
    pub fn close(&self) {
        let mut state = self.lock();
        state.is_closing = true;
        self.set_stop(true);
    }

    /// The number of commands taken so far. It does not change while a command is stuck.
    pub fn answered(&self) -> u64 {
        self.lock().answered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(interrupt: &Interrupt) -> bool {
        interrupt.flag().load(Ordering::Relaxed)
    }

    #[test]
    fn searches_give_way_or_do_not() {
        let interrupt = Interrupt::default();
        interrupt.begin();
        interrupt.arrive();
        assert!(!stopped(&interrupt), "a move is thought out");
        interrupt.begin_giving_way();
        assert!(stopped(&interrupt), "a command waits already");
        interrupt.take();
        interrupt.begin_giving_way();
        assert!(!stopped(&interrupt));
        interrupt.arrive();
        assert!(stopped(&interrupt));
        interrupt.take();
        interrupt.begin();
        assert!(!stopped(&interrupt));
        assert_eq!(interrupt.answered(), 2);
    }

    #[test]
    fn nothing_begins_after_the_end() {
        let interrupt = Interrupt::default();
        interrupt.begin();
        interrupt.close();
        assert!(stopped(&interrupt));
        interrupt.begin();
        assert!(stopped(&interrupt));
        interrupt.begin_giving_way();
        assert!(stopped(&interrupt));
    }
}
