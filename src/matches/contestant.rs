//! Who takes part in a game: an engine of this program, or another program.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bits::Isa;
use crate::engine::{Choice, GameTime, Player, TimeControl, Turn};
use crate::havannah::Colour;
use crate::params::Params;

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

    fn control(self) -> TimeControl {
        let nothing = TimeControl::default();
        match self {
            Self::Playouts(playouts) => TimeControl { move_playouts: Some(playouts), ..nothing },
            Self::Seconds(seconds) => {
                TimeControl { move_time: Some(Duration::from_secs_f64(seconds)), ..nothing }
            }
            Self::Clock(seconds) => {
                let main = Duration::from_secs_f64(seconds);
                let game = GameTime { main, period: Duration::ZERO, stones: 0 };
                TimeControl { game: Some(game), ..nothing }
            }
        }
    }
}

/// What a player has to know before a game.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub size: usize,
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

/// What a player did in its turn, and the playouts it took, if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub choice: Choice,
    pub playouts: Option<u64>,
}

/// One side of a game.
pub trait Contestant {
    /// Begins a game at the empty board.
    fn begin(&mut self, start: &Start) -> Result<(), Fault>;

    /// Learns what was played, by the opponent or as part of the opening.
    fn watch(&mut self, turn: Turn) -> Result<(), Fault>;

    /// Plays a side's turn, with so much time left on its clock, if there is one.
    fn choose(
        &mut self,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Move, Fault>;
}

/// An engine of this program.
pub struct Internal {
    params: Params,
    isa: Isa,
    player: Option<Player>,
}

impl Internal {
    pub fn new(params: &Params, isa: Isa) -> Self {
        Self { params: params.clone(), isa, player: None }
    }

    fn player(&mut self) -> &mut Player {
        self.player.as_mut().expect("a game has begun")
    }
}

impl Contestant for Internal {
    fn begin(&mut self, start: &Start) -> Result<(), Fault> {
        let params = Params { seed: start.seed, ..self.params.clone() };
        self.player = Player::new(start.size, self.isa, &params, start.limit.control());
        Ok(())
    }

    fn watch(&mut self, turn: Turn) -> Result<(), Fault> {
        let engine = self.player().engine_mut();
        match turn {
            Turn::Place(colour, cell) => {
                engine.place(colour, cell).expect("the referee lets legal moves through");
            }
            Turn::Swap => {
                engine.swap();
            }
        }
        Ok(())
    }

    fn choose(
        &mut self,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Move, Fault> {
        let player = self.player();
        if let Some(left) = left {
            player.clock_mut().set_left(side, left, 0);
        }
        let (choice, report) = player.choose(side, stop).expect("the game goes on");
        player.make(side, choice);
        Ok(Move { choice, playouts: Some(report.playouts) })
    }
}
