//! Where the time of playouts or of a search goes: a sampling profile as a flame graph, and the self
//! times of the functions as compiled. Inside a kernel, which is one function, `perf annotate` sees more.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use pprof::ProfilerGuardBuilder;

use super::playing::play;
use super::table::lay_out;
use crate::bits::Isa;
use crate::engine::HavannahEngine;
use crate::havannah::Board;
use crate::havannah::playout::{Playouts, Policy};
use crate::params::Params;
use crate::rng::Rng;
use crate::search::Limits;

/// What to profile.
#[derive(Clone, Debug)]
pub struct Options {
    pub size: usize,
    pub work: Work,
    pub time: Duration,
    pub isa: Isa,
    pub output: PathBuf,
}

/// What is done while samples are taken.
#[derive(Clone, Debug)]
pub enum Work {
    RandomPlayouts,
    MatePlayouts,
    Search(Box<Params>),
}

/// Why there is no profile.
#[derive(Debug)]
pub enum ProfileError {
    NotPermitted(String),
    NoSamples,
    Output(PathBuf, io::Error),
    Graph(String),
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPermitted(reason) => {
                write!(f, "sampling is not permitted here (profiling timer and signal): {reason}")
            }
            Self::NoSamples => f.write_str(
                "no samples were taken: the system delivers no profiling signals here, or the \
                 time was too short",
            ),
            Self::Output(path, reason) => write!(f, "cannot write '{}': {reason}", path.display()),
            Self::Graph(reason) => write!(f, "cannot draw the flame graph: {reason}"),
        }
    }
}

impl std::error::Error for ProfileError {}

/// The functions that samples were taken in, most samples first.
pub struct SelfTimes {
    pub samples: usize,
    pub functions: Vec<(String, usize)>,
    pub games: u64,
}

/// Samples per second: a prime, so as not to beat with anything regular.
const FREQUENCY: i32 = 997;
/// Lines of the table.
const SHOWN: usize = 16;

/// Plays games while sampling, and writes the flame graph.
pub fn run(options: &Options) -> Result<SelfTimes, ProfileError> {
    // An unwritable path is known before the time is spent.
    let output = |error| ProfileError::Output(options.output.clone(), error);
    let file = File::create(&options.output).map_err(output)?;
    let not_permitted = |error: pprof::Error| ProfileError::NotPermitted(error.to_string());
    let guard =
        ProfilerGuardBuilder::default().frequency(FREQUENCY).build().map_err(not_permitted)?;
    let games = play_for(options);
    let report = guard.report().build().map_err(not_permitted)?;
    let mut functions = HashMap::new();
    for (frames, count) in &report.data {
        // The profiler tells functions apart as they were compiled: what was inlined into a kernel
        // counts as the kernel.
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

fn play_for(options: &Options) -> u64 {
    let board = Board::new(options.size).expect("the size is a base");
    let policy = match &options.work {
        Work::RandomPlayouts => Policy::Random,
        Work::MatePlayouts => Policy::mate(options.size),
        Work::Search(params) => {
            let limits = Limits { time: Some(options.time), ..Limits::default() };
            let mut engine = HavannahEngine::at(board, options.isa, params);
            return engine.analyze(&limits, &AtomicBool::new(false), None).playouts;
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

impl SelfTimes {
    pub fn to_text(&self, output: &Path) -> String {
        let rows = self.functions.iter().take(SHOWN).map(|(name, count)| {
            let share = 100.0 * *count as f64 / self.samples as f64;
            vec![format!("{share:.1}%"), count.to_string(), name.clone()]
        });
        format!(
            "{}\n{} samples in {} games; flame graph in {}\n",
            lay_out(&["self", "samples", "function"], &rows.collect::<Vec<_>>()),
            self.samples,
            self.games,
            output.display()
        )
    }
}
