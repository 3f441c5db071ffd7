//! Searches with several threads against one thread, measured in one run: the speed-up of the three
//! kinds of parallel search, and the shares of a thread's time.
//!
//! A search with one thread alternates with a search with all threads. Each starts from the empty
//! board with an empty tree. The speed-up is the median over the pairs.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::bench::median;
use crate::bits::Isa;
use crate::havannah::Board;
use crate::mcts::Mcts;
use crate::params::{Parallel, Params};
use crate::search::Limits;

/// A search from the empty board with a preset and several threads.
#[derive(Serialize)]
pub struct ParallelRow {
    pub size: usize,
    pub preset: &'static str,
    pub parallel: String,
    pub threads: usize,
    /// Playouts of all threads together.
    pub per_second: f64,
    /// Speed relative to one thread.
    pub scaling: f64,
    /// Shares of the first thread's time. With `leaf`, waiting for the others counts as playouts.
    pub select_share: f64,
    pub expand_share: f64,
    pub playout_share: f64,
    pub backup_share: f64,
}

/// The measured presets: one with cheap playouts, where threads collide most, and the one for
/// tournaments.
const PRESETS: [&str; 2] = ["rave", "tournament"];

/// The time of one search.
const SLICE: Duration = Duration::from_millis(150);

/// The minimal number of pairs of searches.
const LEAST_PAIRS: usize = 3;

/// Measures each kind on a base with 2, 4, 8, ... up to `most` threads. `time` is the total.
pub fn measure(size: usize, isa: Isa, most: usize, time: Duration) -> Vec<ParallelRow> {
    let ways = [Parallel::Tree, Parallel::Root, Parallel::Leaf];
    let numbers =
        || (1..).map(|power| 1 << power).take_while(|number| *number < most).chain([most]);
    let kinds = PRESETS.len() * ways.len() * numbers().count();
    let pairs = time.as_secs_f64() / (2.0 * SLICE.as_secs_f64() * kinds as f64);
    let pairs = (pairs.ceil() as usize).max(LEAST_PAIRS);
    let board = Board::new(size).expect("the size is a base");
    let mut rows = Vec::new();
    for preset in PRESETS {
        for way in ways {
            for threads in numbers() {
                rows.push(measure_way(&board, preset, way, isa, threads, pairs));
            }
        }
    }
    rows
}

fn measure_way(
    board: &Board,
    preset: &'static str,
    parallel: Parallel,
    isa: Isa,
    threads: usize,
    pairs: usize,
) -> ParallelRow {
    let search = |threads: usize| {
        let params = Params {
            threads: threads as u32,
            parallel,
            ..Params::preset(preset).expect("presets have names")
        };
        Mcts::new(isa, &params, Box::new(*board))
    };
    let (mut alone, mut together) = (search(1), search(threads));
    // On for both, because reading the clock takes time.
    alone.stopwatch().switch_on();
    together.stopwatch().switch_on();
    let limits = Limits { time: Some(SLICE), ..Limits::default() };
    let rate = |search: &mut Mcts| {
        search.set_position(Box::new(*board));
        let begin = Instant::now();
        search.run(&limits, &AtomicBool::new(false), &mut |_| ());
        search.playout_count() as f64 / begin.elapsed().as_secs_f64()
    };
    let (mut rates, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..pairs {
        let (one, all) = (rate(&mut alone), rate(&mut together));
        rates.push(all);
        ratios.push(all / one);
    }
    let [select, expand, playout, backup] = together.stopwatch().shares();
    ParallelRow {
        size: board.geometry().size,
        preset,
        parallel: parallel.to_string(),
        threads,
        per_second: median(rates),
        scaling: median(ratios),
        select_share: select,
        expand_share: expand,
        playout_share: playout,
        backup_share: backup,
    }
}
