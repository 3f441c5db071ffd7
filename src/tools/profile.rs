//! Where the time of playouts or of a search goes: a sampling profile as a flame graph, and the
//! self times of the functions as compiled. A kernel is one function; use `perf annotate` to see
//! inside.

mod sampling;

pub use sampling::run;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::table::lay_out;
use crate::bits::Isa;
use crate::params::Params;

/// What to profile.
#[derive(Clone, Debug)]
pub struct ProfileOptions {
    pub size: usize,
    pub work: Work,
    pub time: Duration,
    pub isa: Isa,
    pub output: PathBuf,
}

/// The work that is sampled.
#[derive(Clone, Debug)]
pub enum Work {
    RandomPlayouts,
    MatePlayouts,
    Search(Box<Params>),
}

/// Why there is no profile.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    #[error("sampling is not permitted here (profiling timer and signal): {0}")]
    NotPermitted(String),
    #[error(
        "no samples were taken: the system delivers no profiling signals here, or the time was too short"
    )]
    NoSamples,
    #[error("cannot write '{path}': {reason}", path = .0.display(), reason = .1)]
    Output(PathBuf, #[source] io::Error),
    #[error("cannot draw the flame graph: {0}")]
    Graph(String),
}

/// The number of samples of each function, most samples first.
pub struct SelfTimes {
    pub samples: usize,
    pub functions: Vec<(String, usize)>,
    pub games: u64,
}

/// The number of functions in the table.
const SHOWN: usize = 16;

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
