//! `ciclon match` and its relatives: matches with their progress on the terminal.
//! The games are played by `matches` and `experiments`; this file only shows the progress.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::experiments::sweep;
use crate::matches::error::MatchError;
use crate::matches::game_result::GameResult;
use crate::matches::round_robin::{self, RoundRobin};
use crate::matches::runner::{self, MatchOptions};
use crate::matches::standing::Standing;

/// The time between two progress lines where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// Plays a match and shows the progress.
pub fn contest(options: &MatchOptions) -> Result<(Vec<GameResult>, Standing), MatchError> {
    let mut progress = Progress::new();
    let games = runner::run(options, &mut |standing, left| progress.show("", standing, left))?;
    let standing = Standing::new(&options.settings, &games, options.sprt);
    Ok((games, standing))
}

/// Plays a round robin and shows the progress.
pub fn round_robin(options: &round_robin::RoundRobinSettings) -> Result<RoundRobin, MatchError> {
    let mut progress = Progress::new();
    round_robin::run(options, |(a, b), standing, left| {
        let names = format!("{} - {}  ", options.players[a], options.players[b]);
        progress.show(&names, standing, left);
    })
}

/// Plays a sweep and shows the progress.
pub fn sweep(options: &sweep::SweepOptions) -> Result<Vec<sweep::Point>, MatchError> {
    let mut progress = Progress::new();
    sweep::run(options, |value, standing, left| {
        progress.show(&format!("{}={value}  ", options.parameter), standing, left);
    })
}

/// Runs `play` with a callback that shows the progress.
pub fn watched<T>(names: &str, play: impl FnOnce(&mut dyn FnMut(&Standing, u64)) -> T) -> T {
    let mut progress = Progress::new();
    play(&mut |standing, left| progress.show(names, standing, left))
}

/// A bar on a terminal; otherwise a line from time to time.
enum Progress {
    Bar(ProgressBar),
    Lines { shown: Instant },
}

impl Progress {
    fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines { shown: Instant::now() };
        }
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {eta} left");
        bar.set_style(style.expect("the template is well-formed"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Self::Bar(bar)
    }

    fn show(&mut self, names: &str, standing: &Standing, left: u64) {
        let (played, all) = (standing.games, standing.games + left);
        match self {
            Self::Bar(bar) => {
                bar.set_length(all);
                bar.set_position(played);
                if played > 0 {
                    bar.set_message(format!("{names}{}", standing.line()));
                }
            }
            Self::Lines { shown } if (shown.elapsed() >= INTERVAL || left == 0) && played > 0 => {
                *shown = Instant::now();
                eprintln!("{names}{played} of {all}  {}", standing.line());
            }
            Self::Lines { .. } => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
