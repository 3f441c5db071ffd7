//! When a search has to end: at the next command, if it is one that gives way, or because the program
//! ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Shared between the thread that reads and the one that searches.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// What searches look at. It only changes under the lock.
    stop: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The search that runs gives way to the next command.
    gives_way: bool,
    /// The program ends.
    is_closing: bool,
    /// Commands that have come in and are not answered.
    waiting: usize,
    /// Commands that have been answered.
    answered: u64,
}

impl Interrupt {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_stop(&self, stop: bool) {
        self.0.stop.store(stop, Ordering::Relaxed);
    }

    /// What searches look at.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stop
    }

    /// A search begins that has to be finished, whatever comes in.
    pub fn begin(&self) {
        let mut state = self.lock();
        state.gives_way = false;
        self.set_stop(state.is_closing);
    }

    /// A search begins that gives way to the next command.
    pub fn begin_giving_way(&self) {
        let mut state = self.lock();
        state.gives_way = true;
        self.set_stop(state.is_closing || state.waiting > 0);
    }

    /// A command has come in.
    pub fn arrive(&self) {
        let mut state = self.lock();
        state.waiting += 1;
        if state.gives_way {
            self.set_stop(true);
        }
    }

    /// A command is being answered.
    pub fn take(&self) {
        let mut state = self.lock();
        state.waiting -= 1;
        state.answered += 1;
    }

    /// The program ends: this search, and every one from now on.
    pub fn close(&self) {
        let mut state = self.lock();
        state.is_closing = true;
        self.set_stop(true);
    }

    /// Commands that are or have been answered: what stands still while one takes long.
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
