//! Search iterations per second, against the playouts alone, measured in one run.
//!
//! A search starts from the empty board with an empty tree and runs in parts. Before each part
//! there is a slice of playouts with the same policy. The ratio is the median over several
//! searches.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::bench::median;
use crate::bits::Isa;
use crate::havannah::Board;
use crate::havannah::playout::Playouts;
use crate::mcts::Mcts;
use crate::params::Params;
use crate::rng::Rng;
use crate::search::Limits;

/// A search from the empty board with a preset, one thread.
#[derive(Serialize)]
pub struct SearchRow {
    pub size: usize,
    pub preset: &'static str,
    pub isa: &'static str,
    /// Iterations per second. Each has one playout.
    pub per_second: f64,
    /// Speed relative to the playouts of the preset alone.
    pub playout_ratio: f64,
    /// Nodes added to the tree, per second.
    pub nodes_per_second: f64,
    /// Bytes of the tree per node, at the end.
    pub bytes_per_node: f64,
    /// Shares of the time.
    pub select_share: f64,
    pub expand_share: f64,
    pub playout_share: f64,
    pub backup_share: f64,
}

/// The number of playouts of a search (a second's worth for the best programs of the field), and of
/// its parts.
const PLAYOUTS: u64 = 100_000;
const PARTS: u64 = 20;
/// The time of a slice of playouts.
const SLICE: Duration = Duration::from_millis(5);

/// Measures every preset on a base. `time` is the total.
pub fn measure(size: usize, isa: Isa, time: Duration) -> Vec<SearchRow> {
    let presets = Params::PRESETS.map(|(name, _)| name);
    let share = time.div_f64(presets.len() as f64);
    let board = Board::new(size).expect("the size is a base");
    presets.into_iter().map(|preset| measure_preset(&board, preset, isa, share)).collect()
}

fn measure_preset(board: &Board, preset: &'static str, isa: Isa, time: Duration) -> SearchRow {
    let params = Params::preset(preset).expect("presets have names");
    let mut search = Mcts::new(isa, &params, Box::new(*board));
    search.stopwatch().switch_on();
    let (mut playouts, mut rng) = (Playouts::guided(board, isa, &params), Rng::new(1));
    let limits = Limits { playouts: Some(PLAYOUTS / PARTS), ..Limits::default() };
    let never = AtomicBool::new(false);

    let (mut rates, mut ratios) = (Vec::new(), Vec::new());
    let (mut searched, mut added) = (0.0, 0);
    let begin = Instant::now();
    while rates.is_empty() || begin.elapsed() < time {
        search.set_position(Box::new(*board));
        let recycled = search.tree().counts().recycled;
        let (mut games, mut playing, mut seconds) = (0, Duration::ZERO, 0.0);
        for _ in 0..PARTS {
            let begin = Instant::now();
            while begin.elapsed() < SLICE {
                (0..50).for_each(|_| {
                    playouts.run(&mut rng);
                });
                games += 50;
            }
            playing += begin.elapsed();
            let begin = Instant::now();
            search.run(&limits, &never, &mut |_| ());
            seconds += begin.elapsed().as_secs_f64();
        }
        let counts = search.tree().counts();
        added += counts.nodes + counts.recycled - recycled;
        searched += seconds;
        let rate = search.tree().root().visits as f64 / seconds;
        rates.push(rate);
        ratios.push(rate * playing.as_secs_f64() / games as f64);
    }
    let counts = search.tree().counts();
    let bytes = search.tree().bytes() as f64;
    let [select, expand, playout, backup] = search.stopwatch().shares();
    SearchRow {
        size: board.geometry().size,
        preset,
        isa: isa.name(),
        per_second: median(rates),
        playout_ratio: median(ratios),
        nodes_per_second: added as f64 / searched,
        bytes_per_node: bytes / counts.nodes.max(1) as f64,
        select_share: select,
        expand_share: expand,
        playout_share: playout,
        backup_share: backup,
    }
}
