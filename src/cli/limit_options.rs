//! The options of what players may take.

use std::time::Duration;

use crate::matches::contestant::Limit;
use clap::Args;

use super::matches::BadMatch;
use super::{parse_playouts, parse_seconds};

/// What the players may take: for both, or for one of them. [`LimitOptions::both`] says if one is
/// missing: the parser would name all nine.
#[derive(Args)]
pub struct LimitOptions {
    /// Playouts for each move
    #[arg(long, value_parser = parse_playouts, conflicts_with_all = ["seconds", "clock"])]
    playouts: Option<u64>,
    /// Seconds for each move
    #[arg(long, value_parser = parse_seconds, conflicts_with = "clock")]
    seconds: Option<Duration>,
    /// Seconds for the game
    #[arg(long, value_parser = parse_seconds)]
    clock: Option<Duration>,
    /// Playouts for each move of the first player
    #[arg(long, value_parser = parse_playouts, conflicts_with_all = ["seconds_a", "clock_a"])]
    playouts_a: Option<u64>,
    /// Seconds for each move of the first player
    #[arg(long, value_parser = parse_seconds, conflicts_with = "clock_a")]
    seconds_a: Option<Duration>,
    /// Seconds for the game of the first player
    #[arg(long, value_parser = parse_seconds)]
    clock_a: Option<Duration>,
    /// Playouts for each move of the second player
    #[arg(long, value_parser = parse_playouts, conflicts_with_all = ["seconds_b", "clock_b"])]
    playouts_b: Option<u64>,
    /// Seconds for each move of the second player
    #[arg(long, value_parser = parse_seconds, conflicts_with = "clock_b")]
    seconds_b: Option<Duration>,
    /// Seconds for the game of the second player
    #[arg(long, value_parser = parse_seconds)]
    clock_b: Option<Duration>,
}

/// What every player may take.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct OneLimit {
    /// Playouts for each move
    #[arg(long, value_parser = parse_playouts)]
    playouts: Option<u64>,
    /// Seconds for each move
    #[arg(long, value_parser = parse_seconds)]
    seconds: Option<Duration>,
    /// Seconds for the game
    #[arg(long, value_parser = parse_seconds)]
    clock: Option<Duration>,
}

impl OneLimit {
    pub fn limit(&self) -> Limit {
        let limit = limit_of(self.playouts, self.seconds, self.clock);
        limit.expect("the command line demands one of them")
    }

    /// Whether players have a time for the game.
    pub fn has_clock(&self) -> bool {
        self.clock.is_some()
    }
}

/// The limit that was given, if one was.
pub fn limit_of(
    playouts: Option<u64>,
    seconds: Option<Duration>,
    clock: Option<Duration>,
) -> Option<Limit> {
    let playouts = playouts.map(Limit::Playouts);
    let seconds = seconds.map(|time| Limit::Seconds(time.as_secs_f64()));
    playouts.or(seconds).or(clock.map(|time| Limit::Clock(time.as_secs_f64())))
}

impl LimitOptions {
    /// The limits of the two players.
    pub fn both(&self) -> Result<[Limit; 2], BadMatch> {
        let both = limit_of(self.playouts, self.seconds, self.clock);
        let a = limit_of(self.playouts_a, self.seconds_a, self.clock_a).or(both);
        let b = limit_of(self.playouts_b, self.seconds_b, self.clock_b).or(both);
        let missing = |who: &str| {
            Err(BadMatch(format!("{who} no limit: set --playouts, --seconds or --clock")))
        };
        match [a, b] {
            [Some(a), Some(b)] => Ok([a, b]),
            [None, None] => missing("the players have"),
            [None, _] => missing("player A has"),
            [_, None] => missing("player B has"),
        }
    }

    /// Whether a player has a time for the game.
    pub fn has_clock(&self) -> bool {
        [self.clock, self.clock_a, self.clock_b].iter().any(Option::is_some)
    }
}
