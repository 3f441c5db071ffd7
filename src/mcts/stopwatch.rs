//! The time of each step of an iteration, measured on a sample of iterations.
//!
//! A stopwatch that is off costs one branch a step.

use std::time::{Duration, Instant};

/// The steps of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Select,
    Expand,
    Playout,
    BackUp,
}

/// The number of phases.
pub const PHASES: usize = 4;

/// One iteration in `EVERY` is timed: reading the clock costs about 20 ns.
const EVERY: u32 = 16;

/// Times the steps of some iterations. It is off unless it is switched on.
#[derive(Default)]
pub struct Stopwatch {
    is_on: bool,
    until_next: u32,
    /// When the last step of the timed iteration ended; none if this iteration is not timed.
    running: Option<Instant>,
    times: [Duration; PHASES],
    laps: [u32; PHASES],
}

impl Stopwatch {
    #[cfg(any(test, feature = "cli"))]
    pub fn switch_on(&mut self) {
        *self = Self { is_on: true, ..Self::default() };
    }

    /// The share of each step in the time, without the cost of reading the clock.
    #[cfg(any(test, feature = "cli"))]
    pub fn shares(&self) -> [f64; PHASES] {
        let cost = reading_cost();
        let seconds: [f64; PHASES] = std::array::from_fn(|phase| {
            let reading = cost.as_secs_f64() * f64::from(self.laps[phase]);
            (self.times[phase].as_secs_f64() - reading).max(0.0)
        });
        let sum: f64 = seconds.iter().sum();
        seconds.map(|seconds| if sum > 0.0 { seconds / sum } else { 0.0 })
    }

    /// An iteration begins.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        if self.is_on {
            self.begin_or_skip();
        }
    }

    fn begin_or_skip(&mut self) {
        self.until_next = self.until_next.checked_sub(1).unwrap_or(EVERY - 1);
        self.running = (self.until_next == 0).then(Instant::now);
    }

    /// A step has ended.
    #[inline(always)]
    pub(super) fn lap(&mut self, phase: Phase) {
        if self.is_on {
            self.note(phase);
        }
    }

    fn note(&mut self, phase: Phase) {
        if let Some(last) = self.running {
            let now = Instant::now();
            self.times[phase as usize] += now - last;
            self.laps[phase as usize] += 1;
            self.running = Some(now);
        }
    }
}

/// The time of one reading of the clock: the least of some means, since other programs may take the core
/// between two readings.
#[cfg(any(test, feature = "cli"))]
fn reading_cost() -> Duration {
    const READINGS: u32 = 100;
    let mean = |_| {
        let begin = Instant::now();
        for _ in 0..READINGS {
            std::hint::black_box(Instant::now());
        }
        begin.elapsed() / READINGS
    };
    (0..10).map(mean).min().expect("there are some")
}
