//! Who takes part in a game: what it may take, what it is asked, and what can go wrong with it.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::game::Game;
use crate::havannah::Colour;

/// What a player may take.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Playouts for each move.
    Playouts(u64),
    /// Seconds for each move.
    Seconds(f64),
    /// Seconds for the game.
    Clock(f64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Playouts(playouts) => write!(f, "{playouts} playouts a move"),
            Self::Seconds(seconds) => write!(f, "{seconds} s a move"),
            Self::Clock(seconds) => write!(f, "{seconds} s a game"),
        }
    }
}

impl Limit {
    /// As much, times a number: a playout at least.
    pub fn times(self, by: f64) -> Self {
        match self {
            Self::Playouts(playouts) => Self::Playouts(((playouts as f64 * by) as u64).max(1)),
            Self::Seconds(seconds) => Self::Seconds(seconds * by),
            Self::Clock(seconds) => Self::Clock(seconds * by),
        }
    }

    pub fn is_timed(self) -> bool {
        !matches!(self, Self::Playouts(_))
    }

    /// The time for a move, with so much left on the clock, if there is one; none if playouts are the
    /// limit.
    pub fn move_time(self, left: Option<Duration>) -> Option<Duration> {
        match self {
            Self::Playouts(_) => None,
            Self::Seconds(seconds) => Some(Duration::from_secs_f64(seconds)),
            Self::Clock(_) => left,
        }
    }
}

/// What a contestant has to know before a game.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub limit: Limit,
    pub seed: u64,
}

/// Why a player cannot go on: it loses the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The program ended or could not be started.
    Crash(String),
    /// The program did not answer in time, and was killed.
    Hang(Duration),
    /// The answer makes no sense, or says that something is wrong.
    Nonsense { sent: String, answer: String },
    /// Someone wants the match to end: no fault of the player.
    Stopped,
}

impl Fault {
    /// A program has ended that was asked something.
    pub(super) fn ended_before(asked: &str) -> Self {
        Self::Crash(format!("it ended before answering '{asked}'"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash(why) => write!(f, "crash: {why}"),
            Self::Hang(time) => write!(f, "no answer for {:.1} s", time.as_secs_f64()),
            Self::Nonsense { sent, answer } => {
                write!(f, "'{}' was answered with '{}'", sent.escape_debug(), answer.escape_debug())
            }
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

/// What a contestant answers when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<M> {
    /// None if it resigns.
    pub choice: Option<M>,
    /// The playouts it took, if that is known.
    pub playouts: Option<u64>,
}

/// One side of a game: an engine of this program, or another program.
pub trait Contestant<G: Game> {
    /// Begins a game, whose opening is still to be played.
    fn begin(&mut self, game: &G, start: &Start) -> Result<(), Fault>;

    /// Learns of a move that was played, by the opponent or as part of the opening. Who looks at the
    /// position when it is asked has nothing to do here.
    fn watch(&mut self, _game: &G, _played: G::Move) -> Result<(), Fault> {
        Ok(())
    }

    /// Chooses a side's move, with so much time left on its clock, if there is one.
    fn choose(
        &mut self,
        game: &G,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Answer<G::Move>, Fault>;
}
