//! Plays a million random games from the empty board of each base, on all cores: how many there are in
//! a second, and how they end.
//!
//!     cargo run --release --example playouts

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use ciclon::{Board, Outcome, Playouts, Policy};

/// Games for each base, in batches that the threads take one by one.
const GAMES: usize = 1_000_000;
const BATCH: usize = 10_000;

/// How games end, and the order in which they are counted: the kinds of win as in `WinKind`, then draws.
const ENDINGS: [&str; 4] = ["fork", "bridge", "ring", "draw"];
type Counts = [usize; ENDINGS.len()];

/// Plays one batch. It has a seed of its own: the counts do not depend on the threads.
fn play_batch(playouts: &mut Playouts, batch: usize, counts: &mut Counts) {
    playouts.set_seed(batch as u64);
    for _ in 0..BATCH {
        // A stone that wins in several ways counts once: fork before bridge before ring.
        let ending = match playouts.run().outcome {
            Outcome::Won { wins, .. } => wins.kind().expect("a win is of some kind") as usize,
            _ => ENDINGS.len() - 1,
        };
        counts[ending] += 1;
    }
}

/// The work of one thread: batches until there are none left.
fn play_batches(board: &Board, next_batch: &AtomicUsize) -> Counts {
    let mut playouts = Playouts::new(board, Policy::Random, 0);
    let mut counts = Counts::default();
    loop {
        let batch = next_batch.fetch_add(1, Relaxed);
        if batch >= GAMES / BATCH {
            return counts;
        }
        play_batch(&mut playouts, batch, &mut counts);
    }
}

fn main() {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    println!("{threads} threads");
    println!("base  playouts/s{}", ENDINGS.map(|ending| format!("{ending:>10}")).join(""));
    for size in Board::MIN_SIZE..=Board::MAX_SIZE {
        let board = &Board::new(size).expect("every size between is a base");
        let (begin, next_batch) = (Instant::now(), &AtomicUsize::new(0));
        let counts: Vec<Counts> = thread::scope(|scope| {
            let start = |_| scope.spawn(move || play_batches(board, next_batch));
            let threads: Vec<_> = (0..threads).map(start).collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
        });
        let per_second = GAMES as f64 / begin.elapsed().as_secs_f64();
        let shares = [0, 1, 2, 3].map(|ending| {
            let count: usize = counts.iter().map(|counts| counts[ending]).sum();
            format!("{:>8.2} %", 100.0 * count as f64 / GAMES as f64)
        });
        println!("{size:>4}  {per_second:>10.0}{}", shares.join(""));
    }
}
