//! A round: the time in which the threads of a search are in its trees.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Playouts between two looks at the clock, and at what other threads did: some hundred microseconds.
pub const BATCH: u64 = 64;

/// What the threads of a round share besides the trees.
pub struct Epoch<'a> {
    threads: u64,
    /// When to stop, and whether to: looked at by every thread after a batch.
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    /// Playouts that no thread has taken yet.
    left: CacheAligned<AtomicU64>,
    /// Read by all after every iteration, and written once.
    is_over: CacheAligned<AtomicBool>,
    at_work: Mutex<usize>,
    someone_left: Condvar,
}

/// A value on cache lines of its own (processors fetch them in pairs).
#[repr(align(128))]
struct CacheAligned<T>(T);

impl<'a> Epoch<'a> {
    /// A round of some threads with so many playouts to make.
    pub fn new(
        threads: usize,
        playouts: u64,
        deadline: Option<Instant>,
        stop: &'a AtomicBool,
    ) -> Self {
        Self {
            threads: threads as u64,
            deadline,
            stop,
            left: CacheAligned(AtomicU64::new(playouts)),
            is_over: CacheAligned(AtomicBool::new(false)),
            at_work: Mutex::new(threads),
            someone_left: Condvar::new(),
        }
    }

    /// Takes some playouts, of which an iteration makes `each`: a batch, but near the end less, so that
    /// all threads end together. None are left if it is none.
    pub fn take(&self, each: u64) -> u64 {
        let share = |left: u64| {
            let batch = (left / (2 * self.threads)).clamp(each, BATCH.max(each));
            (batch - batch % each).min(left)
        };
        let taken = |left: u64| (left > 0).then(|| left - share(left));
        self.left.0.fetch_update(Relaxed, Relaxed, taken).map_or(0, share)
    }

    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.is_over.0.load(Relaxed)
    }

    /// Whether time is up, or the search was stopped.
    pub fn is_late(&self) -> bool {
        let is_past = |deadline| Instant::now() >= deadline;
        self.stop.load(Relaxed) || self.deadline.is_some_and(is_past)
    }

    /// The time until it is late, if that is known.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Ends the round when what is given goes, even by a panic of the caller.
    pub fn ends_with_caller(&self) -> EndGuard<'_> {
        EndGuard(self)
    }

    /// Lets every thread stop after its iteration.
    pub fn end(&self) {
        self.is_over.0.store(true, Relaxed);
    }

    /// The calling thread is at work until what it is given goes.
    pub fn enter(&self) -> ActiveGuard<'_> {
        ActiveGuard(self)
    }

    /// Waits until all threads are done, but not for longer; whether they are.
    pub fn wait(&self, time: Duration) -> bool {
        let at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.someone_left.wait_timeout_while(at_work, time, |at_work| *at_work > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

pub struct EndGuard<'a>(&'a Epoch<'a>);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// A thread is at work; it is no more when this goes, even by a panic.
pub struct ActiveGuard<'a>(&'a Epoch<'a>);

impl Drop for ActiveGuard<'_> {
    fn drop(&mut self) {
        let mut at_work = self.0.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        *at_work -= 1;
        if *at_work == 0 {
            self.0.someone_left.notify_all();
        }
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_playout_is_handed_out_once() {
        for (threads, playouts, each) in
            [(1, 0, 1), (2, 1, 1), (8, 1000, 1), (3, 1000, 7), (2, 5, 8)]
        {
            let never = AtomicBool::new(false);
            let epoch = Epoch::new(threads, playouts, None, &never);
            let taken: Vec<u64> = std::iter::from_fn(|| Some(epoch.take(each)))
                .take_while(|taken| *taken > 0)
                .collect();
            assert_eq!(taken.iter().sum::<u64>(), playouts, "{threads} threads");
            assert!(taken.iter().all(|taken| *taken <= BATCH.max(each)));
            let broken = taken.iter().filter(|taken| !taken.is_multiple_of(each)).count();
            assert!(broken <= 1, "only the last may not be whole iterations: {taken:?}");
            assert_eq!(epoch.take(each), 0);
        }
    }

    #[test]
    fn a_round_waits_for_its_threads() {
        let never = AtomicBool::new(false);
        let epoch = Epoch::new(2, 0, None, &never);
        assert!(!epoch.wait(Duration::ZERO));
        let (first, second) = (epoch.enter(), epoch.enter());
        drop(first);
        assert!(!epoch.wait(Duration::from_millis(1)));
        drop(second);
        assert!(epoch.wait(Duration::ZERO));
    }
}
