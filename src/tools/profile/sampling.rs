//! The profiled work, and its samples. The only file that uses the profiler.

use std::collections::HashMap;
use std::fs::File;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use pprof::ProfilerGuardBuilder;

use super::{ProfileError, ProfileOptions, SelfTimes, Work};
use crate::engine::HavannahEngine;
use crate::havannah::Board;
use crate::havannah::playout::{Playouts, Policy};
use crate::rng::Rng;
use crate::search::Limits;
use crate::tools::playing::play;

/// Samples per second. A prime, so that it does not resonate with periodic work.
const FREQUENCY: i32 = 997;

/// Runs the work while sampling, and writes the flame graph.
pub fn run(options: &ProfileOptions) -> Result<SelfTimes, ProfileError> {
    // A path that cannot be written is an error before the time is spent.
    let output = |error| ProfileError::Output(options.output.clone(), error);
    let file = File::create(&options.output).map_err(output)?;
    let not_permitted = |error: pprof::Error| ProfileError::NotPermitted(error.to_string());
    let guard =
        ProfilerGuardBuilder::default().frequency(FREQUENCY).build().map_err(not_permitted)?;
    let games = play_for(options);
    let report = guard.report().build().map_err(not_permitted)?;
    let mut functions = HashMap::new();
    for (frames, count) in &report.data {
        // The profiler sees functions as compiled. Code inlined into a kernel counts as the kernel.
        let own = frames.frames.first().and_then(|frame| frame.last()).map(|symbol| symbol.name());
        *functions.entry(own.unwrap_or_default()).or_insert(0) += *count as usize;
    }
    let samples = functions.values().sum();
    if samples == 0 {
        return Err(ProfileError::NoSamples);
    }
    report.flamegraph(file).map_err(|error| ProfileError::Graph(error.to_string()))?;
    let mut functions: Vec<(String, usize)> = functions.into_iter().collect();
    functions.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(SelfTimes { samples, functions, games })
}

fn play_for(options: &ProfileOptions) -> u64 {
    let board = Board::new(options.size).expect("the size is a base");
    let policy = match &options.work {
        Work::RandomPlayouts => Policy::Random,
        Work::MatePlayouts => Policy::mate(options.size),
        Work::Search(params) => {
            let limits = Limits { time: Some(options.time), ..Limits::default() };
            let mut engine = HavannahEngine::at(board, options.isa, params);
            return engine.analyze(&limits, &AtomicBool::new(false), None).stats.playouts;
        }
    };
    let mut playouts = Playouts::new(&board, policy, options.isa);
    let (mut rng, mut games) = (Rng::new(1), 0);
    let begin = Instant::now();
    while begin.elapsed() < options.time {
        games += play(&mut playouts, &mut rng, 1000).games;
    }
    games
}
