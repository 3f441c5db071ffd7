//! Leaf parallelisation: the playouts of one leaf, made by several threads.
//!
//! One thread goes down the tree, hands the line of moves to the others, makes its own share of the
//! playouts, and waits for theirs. Waiting is done by looking, with a yield now and then: a playout is
//! over in a few microseconds, sooner than a sleeping thread would be awake.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::game::{LeafWork, Move, Value};
use crate::mcts::worker::{Played, Worker};
use crate::params::Params;

/// Looks before a thread lets others have its core.
const LOOKS: u32 = 200;

/// The threads that make the playouts of a leaf together, the one in the tree among them.
pub struct Crew {
    posts: Vec<Post>,
    verdict: Verdict,
    is_over: AtomicBool,
}

/// Where a helper gets its work from.
#[repr(align(128))]
struct Post {
    /// Errands given and errands done. The giver of work touches the errand while they are equal, the
    /// helper while they are not: so the lock is never waited for.
    given: AtomicU64,
    done: AtomicU64,
    errand: Mutex<Errand>,
}

struct Errand {
    line: Vec<Move>,
    pool: Vec<u16>,
    share: u32,
    games: Vec<Played>,
}

/// What the finished playouts of a leaf say.
#[repr(align(128))]
struct Verdict {
    /// Finished playouts, and above them their values.
    finished: AtomicU64,
    /// The finished playouts that are enough if they agree.
    enough: AtomicU64,
}

impl Verdict {
    fn begin(&self, enough: u64) {
        self.finished.store(0, Relaxed);
        self.enough.store(enough, Relaxed);
    }

    fn add(&self, value: Value) {
        self.finished.fetch_add(1 | u64::from(value.parts()) << 32, Relaxed);
    }

    /// Whether the rest can be left out.
    fn is_clear(&self) -> bool {
        let found = self.finished.load(Relaxed);
        let (finished, parts) = (found & 0xffff_ffff, found >> 32);
        finished >= self.enough.load(Relaxed)
            && (parts == 0 || parts == u64::from(Value::WIN.parts()) * finished)
    }
}

impl Crew {
    pub fn new(threads: usize) -> Self {
        let post = |_| Post {
            given: AtomicU64::new(0),
            done: AtomicU64::new(0),
            errand: Mutex::new(Errand {
                line: Vec::new(),
                pool: Vec::new(),
                share: 0,
                games: Vec::new(),
            }),
        };
        Self {
            posts: (1..threads).map(post).collect(),
            verdict: Verdict { finished: AtomicU64::new(0), enough: AtomicU64::new(0) },
            is_over: AtomicBool::new(false),
        }
    }

    /// The threads, the one in the tree among them.
    pub fn threads(&self) -> usize {
        self.posts.len() + 1
    }

    /// Makes the playouts of a leaf: as many as the settings say, but one for each thread at the least.
    pub fn simulate(&self, worker: &mut Worker, params: &Params) -> Vec<Played> {
        let threads = self.threads() as u32;
        let all = params.playouts.max(threads);
        let enough = if params.leaf_stop { all.div_ceil(2) } else { u32::MAX };
        self.verdict.begin(u64::from(enough));
        let Worker { leaves, line, rng, moves, .. } = worker;
        for (number, post) in self.posts.iter().enumerate() {
            let mut errand = post.errand();
            errand.line.clone_from(line);
            if leaves.wants_pool() {
                errand.pool.clone_from(moves);
            }
            // If they cannot be divided, the first helpers make one more.
            errand.share = all / threads + u32::from((number as u32) < all % threads);
            drop(errand);
            post.given.fetch_add(1, Release);
        }
        let mut games = Vec::with_capacity(all as usize);
        self.make(all / threads, params, &mut **leaves, line, rng, &mut games);
        for post in &self.posts {
            wait_until(|| post.done.load(Acquire) == post.given.load(Relaxed));
            games.append(&mut post.errand().games);
        }
        assert!(!self.is_over.load(Acquire), "a helper has failed");
        games
    }

    /// Makes a share of the playouts, unless they are not needed any more.
    fn make(
        &self,
        share: u32,
        params: &Params,
        leaves: &mut dyn LeafWork,
        line: &[Move],
        rng: &mut crate::rng::Rng,
        games: &mut Vec<Played>,
    ) {
        for _ in 0..share {
            if self.verdict.is_clear() {
                return;
            }
            let game = Played::new(params, leaves, line, rng);
            self.verdict.add(game.value);
            games.push(game);
        }
    }

    /// Makes playouts for the thread in the tree, until there is no more to do.
    pub fn help(&self, worker: &mut Worker, params: &Params) {
        let post = &self.posts[worker.thread - 1];
        loop {
            let done = post.done.load(Relaxed);
            wait_until(|| post.given.load(Acquire) != done || self.is_over.load(Acquire));
            if post.given.load(Acquire) == done {
                return;
            }
            let _done = Done { post, is_over: &self.is_over };
            let Errand { line, pool, share, games } = &mut *post.errand();
            let Worker { leaves, rng, .. } = &mut *worker;
            if leaves.wants_pool() {
                leaves.set_pool(pool);
            }
            self.make(*share, params, &mut **leaves, line, rng, games);
        }
    }

    /// Lets the helpers go when what is given goes, even by a panic.
    pub fn lead(&self) -> Lead<'_> {
        Lead(&self.is_over)
    }
}

impl Post {
    fn errand(&self) -> MutexGuard<'_, Errand> {
        self.errand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An errand is done when this goes, after the errand itself was let go of; even by a panic, of which the
/// thread in the tree hears.
struct Done<'a> {
    post: &'a Post,
    is_over: &'a AtomicBool,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.is_over.store(true, Release);
        }
        self.post.done.fetch_add(1, AcqRel);
    }
}

pub struct Lead<'a>(&'a AtomicBool);

impl Drop for Lead<'_> {
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
        let verdict = Verdict { finished: AtomicU64::new(0), enough: AtomicU64::new(0) };
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
            verdict.begin(3);
            values.iter().for_each(|value| verdict.add(*value));
            assert_eq!(verdict.is_clear(), is_clear, "{values:?}");
        }
    }
}
