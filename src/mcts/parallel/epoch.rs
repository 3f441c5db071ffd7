//! An epoch: the time in which the threads of a search are in its trees.
//!
//! During an epoch nothing is freed or moved. It is over when a thread or the caller ends it, when its
//! playouts are used up, or when time is up. The caller goes on only after the last thread has left.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Playouts between two looks at the clock and at the counts of other threads: some hundred
/// microseconds.
pub const BATCH: u64 = 64;

/// What the threads of an epoch share besides the trees.
pub struct Epoch<'a> {
    threads: u64,
    /// Read by every thread after a batch.
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    /// Playouts that are not handed out yet.
    left: CacheAligned<AtomicU64>,
    /// Read by all threads after every iteration, and written once.
    is_over: CacheAligned<AtomicBool>,
    at_work: Mutex<usize>,
    someone_left: Condvar,
}

/// A value on its own cache lines (processors fetch them in pairs).
#[repr(align(128))]
struct CacheAligned<T>(T);

impl<'a> Epoch<'a> {
    /// An epoch of `threads` threads with `playouts` playouts to make.
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

    /// Hands out playouts; an iteration makes `each` of them. Usually it is a batch. Near the end it is
    /// less, so that all threads end together. Returns 0 if none are left.
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

    /// The time until the deadline, if there is one.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Ends the epoch when the guard is dropped, also if the caller panics.
    pub fn ends_with_caller(&self) -> EndGuard<'_> {
        EndGuard(self)
    }

    /// Makes every thread stop after its iteration.
    pub fn end(&self) {
        self.is_over.0.store(true, Relaxed);
    }

    /// The calling thread counts as active until the guard is dropped.
    pub fn enter(&self) -> ActiveGuard<'_> {
        ActiveGuard(self)
    }

    /// Waits until all threads have left, for at most `time`. Returns whether they have.
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

/// An active thread. It leaves the epoch when this is dropped, also by a panic, which ends the epoch.
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
    fn an_epoch_waits_for_its_threads() {
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
