//! Leaf parallelisation: the playouts of one leaf, made by several threads.
//!
//! One thread selects, gives the line of moves to the helpers, makes its own share of the playouts, and
//! waits for theirs. Threads wait by spinning, with a yield now and then: a playout takes a few
//! microseconds, less than it takes to wake a sleeping thread.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::game::{LeafWork, Move, Value};
use crate::mcts::worker::{PlayoutResult, Worker};
use crate::params::Params;

/// Checks before a waiting thread yields its core.
const LOOKS: u32 = 200;

/// The threads that make the playouts of a leaf together: the one in the tree and its helpers.
pub struct LeafThreads {
    slots: Vec<HelperSlot>,
    agreement: LeafAgreement,
    is_over: AtomicBool,
}

/// The job of one helper.
#[repr(align(128))]
struct HelperSlot {
    /// The number of jobs given and of jobs done. The thread in the tree uses the job while they are
    /// equal, the helper while they differ: so no thread waits for the lock.
    given: AtomicU64,
    done: AtomicU64,
    job: Mutex<LeafJob>,
}

struct LeafJob {
    line: Vec<Move>,
    pool: Vec<u16>,
    share: u32,
    games: Vec<PlayoutResult>,
}

/// The results of the finished playouts of a leaf.
#[repr(align(128))]
struct LeafAgreement {
    /// The number of finished playouts in the low half, the sum of their values in the high half.
    finished: AtomicU64,
    /// The number of finished playouts that is enough if they agree.
    enough: AtomicU64,
}

impl LeafAgreement {
    fn begin(&self, enough: u64) {
        self.finished.store(0, Relaxed);
        self.enough.store(enough, Relaxed);
    }

    fn add(&self, value: Value) {
        self.finished.fetch_add(1 | u64::from(value.parts()) << 32, Relaxed);
    }

    /// Whether the remaining playouts can be left out.
    fn is_clear(&self) -> bool {
        let found = self.finished.load(Relaxed);
        let (finished, parts) = (found & 0xffff_ffff, found >> 32);
        finished >= self.enough.load(Relaxed)
            && (parts == 0 || parts == u64::from(Value::WIN.parts()) * finished)
    }
}

impl LeafThreads {
    pub fn new(threads: usize) -> Self {
        let slot = |_| HelperSlot {
            given: AtomicU64::new(0),
            done: AtomicU64::new(0),
            job: Mutex::new(LeafJob {
                line: Vec::new(),
                pool: Vec::new(),
                share: 0,
                games: Vec::new(),
            }),
        };
        Self {
            slots: (1..threads).map(slot).collect(),
            agreement: LeafAgreement { finished: AtomicU64::new(0), enough: AtomicU64::new(0) },
            is_over: AtomicBool::new(false),
        }
    }

    /// The number of threads, including the one in the tree.
    pub fn threads(&self) -> usize {
        self.slots.len() + 1
    }

    /// Makes the playouts of a leaf: the number in the settings, but at least one for each thread.
    pub fn simulate(&self, worker: &mut Worker, params: &Params) -> Vec<PlayoutResult> {
        let threads = self.threads() as u32;
        let all = params.playouts.max(threads);
        let enough = if params.leaf_stop { all.div_ceil(2) } else { u32::MAX };
        self.agreement.begin(u64::from(enough));
        let Worker { leaves, line, rng, moves, .. } = worker;
        for (number, slot) in self.slots.iter().enumerate() {
            let mut job = slot.job();
            job.line.clone_from(line);
            if leaves.wants_pool() {
                job.pool.clone_from(moves);
            }
            // The first helpers make the remainder, one each.
            job.share = all / threads + u32::from((number as u32) < all % threads);
            drop(job);
            slot.given.fetch_add(1, Release);
        }
        let mut games = Vec::with_capacity(all as usize);
        self.make(all / threads, params, &mut **leaves, line, rng, &mut games);
        for slot in &self.slots {
            wait_until(|| slot.done.load(Acquire) == slot.given.load(Relaxed));
            games.append(&mut slot.job().games);
        }
        assert!(!self.is_over.load(Acquire), "a helper has failed");
        games
    }

    /// Makes a share of the playouts, until the finished ones are enough.
    fn make(
        &self,
        share: u32,
        params: &Params,
        leaves: &mut dyn LeafWork,
        line: &[Move],
        rng: &mut crate::rng::Rng,
        games: &mut Vec<PlayoutResult>,
    ) {
        for _ in 0..share {
            if self.agreement.is_clear() {
                return;
            }
            let game = PlayoutResult::new(params, leaves, line, rng);
            self.agreement.add(game.value);
            games.push(game);
        }
    }

    /// The loop of a helper: makes playouts for the thread in the tree, until that thread has ended.
    pub fn help(&self, worker: &mut Worker, params: &Params) {
        let slot = &self.slots[worker.thread - 1];
        loop {
            let done = slot.done.load(Relaxed);
            wait_until(|| slot.given.load(Acquire) != done || self.is_over.load(Acquire));
            if slot.given.load(Acquire) == done {
                return;
            }
            let _done = Done { slot, is_over: &self.is_over };
            let LeafJob { line, pool, share, games } = &mut *slot.job();
            let Worker { leaves, rng, .. } = &mut *worker;
            if leaves.wants_pool() {
                leaves.set_pool(pool);
            }
            self.make(*share, params, &mut **leaves, line, rng, games);
        }
    }

    /// Ends the loops of the helpers when the guard is dropped, also by a panic.
    pub fn lead(&self) -> LeadGuard<'_> {
        LeadGuard(&self.is_over)
    }
}

impl HelperSlot {
    fn job(&self) -> MutexGuard<'_, LeafJob> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a job as done when it is dropped, after the lock of the job was released. If the helper
/// panics, it also tells the thread in the tree.
struct Done<'a> {
    slot: &'a HelperSlot,
    is_over: &'a AtomicBool,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.is_over.store(true, Release);
        }
        self.slot.done.fetch_add(1, AcqRel);
    }
}

pub struct LeadGuard<'a>(&'a AtomicBool);

impl Drop for LeadGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, Release);
    }
}

fn wait_until(holds: impl Fn() -> bool) {
    let mut looks = 0;
    while !holds() {
        looks += 1;
        if looks % LOOKS == 0 {
            std::thread::yield_now();
        } else {
            std::hint::spin_loop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enough_playouts_that_agree_are_enough() {
        let agreement = LeafAgreement { finished: AtomicU64::new(0), enough: AtomicU64::new(0) };
        const WIN: Value = Value::WIN;
        const LOSS: Value = Value::LOSS;
        for (values, is_clear) in [
            (&[WIN, WIN, WIN][..], true),
            (&[LOSS, LOSS, LOSS], true),
            (&[WIN, WIN], false),
            (&[WIN, LOSS, WIN], false),
            (&[WIN, WIN, Value::DRAW], false),
            (&[], false),
        ] {
            agreement.begin(3);
            values.iter().for_each(|value| agreement.add(*value));
            assert_eq!(agreement.is_clear(), is_clear, "{values:?}");
        }
    }
}
