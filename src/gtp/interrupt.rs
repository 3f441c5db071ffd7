//! When a search has to end: at the next command, if it is one that waits for it, or because the
//! program ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// Shared between the thread that reads and the one that searches.
///
/// `stop` is what a search looks at. The reader counts a command before it asks whether the search
/// gives way; the searcher says that it does before it looks at the count: whichever comes second
/// sees the other, so no command waits for a search that should have ended.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Default)]
struct State {
    stop: AtomicBool,
    gives_way: AtomicBool,
    is_closing: AtomicBool,
    waiting: AtomicUsize,
}

impl Interrupt {
    /// What searches look at.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stop
    }

    /// A search begins that has to be finished, whatever comes in.
    pub fn begin(&self) {
        self.0.gives_way.store(false, SeqCst);
        self.0.stop.store(false, SeqCst);
        if self.is_closing() {
            self.0.stop.store(true, SeqCst);
        }
    }

    /// A search begins that gives way to the next command.
    pub fn begin_giving_way(&self) {
        self.begin();
        self.0.gives_way.store(true, SeqCst);
        if self.0.waiting.load(SeqCst) > 0 {
            self.0.stop.store(true, SeqCst);
        }
    }

    /// A command has come in.
    pub fn arrive(&self) {
        self.0.waiting.fetch_add(1, SeqCst);
        if self.0.gives_way.load(SeqCst) {
            self.0.stop.store(true, SeqCst);
        }
    }

    /// A command is being answered.
    pub fn take(&self) {
        self.0.waiting.fetch_sub(1, SeqCst);
    }

    /// The program ends: this search, and every one from now on.
    pub fn close(&self) {
        self.0.is_closing.store(true, SeqCst);
        self.0.stop.store(true, SeqCst);
    }

    pub fn is_closing(&self) -> bool {
        self.0.is_closing.load(SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(interrupt: &Interrupt) -> bool {
        interrupt.flag().load(SeqCst)
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
    }

    #[test]
    fn nothing_begins_after_the_end() {
        let interrupt = Interrupt::default();
        interrupt.begin();
        interrupt.close();
        assert!(stopped(&interrupt) && interrupt.is_closing());
        interrupt.begin();
        assert!(stopped(&interrupt));
        interrupt.begin_giving_way();
        assert!(stopped(&interrupt));
    }
}
