//! A match with its progress on the terminal: `ciclon match`.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::matches::referee::GameResult;
use crate::matches::runner::{self, MatchError, Options};
use crate::matches::standing::Standing;

/// Between two lines where there is no terminal to draw a bar on.
const INTERVAL: Duration = Duration::from_secs(10);

/// Plays a match under the eyes of the user.
pub fn contest(options: &Options) -> Result<(Vec<GameResult>, Standing), MatchError> {
    let progress = Progress::new();
    let mut shown = Instant::now();
    let games = runner::run(options, &mut |standing, left| match &progress {
        Progress::Bar(bar) => {
            bar.set_length(standing.games + left);
            bar.set_position(standing.games);
            if standing.games > 0 {
                bar.set_message(standing.line());
            }
        }
        Progress::Lines => {
            let is_due = shown.elapsed() >= INTERVAL || left == 0;
            if is_due && standing.games > 0 {
                shown = Instant::now();
                eprintln!("{} of {}  {}", standing.games, standing.games + left, standing.line());
            }
        }
    })?;
    if let Progress::Bar(bar) = &progress {
        bar.finish_and_clear();
    }
    let standing = Standing::new(&options.settings, &games, options.sprt);
    Ok((games, standing))
}

enum Progress {
    Bar(ProgressBar),
    Lines,
}

impl Progress {
    fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines;
        }
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {eta} left");
        bar.set_style(style.expect("the template is well-formed"));
        bar.enable_steady_tick(Duration::from_millis(500));
        Self::Bar(bar)
    }
}
