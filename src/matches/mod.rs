//! Matches between players, and what they say.
//!
//! - What is played: `game` is what a match needs of a game, `havannah` and `tron` are the two games,
//!   `game_spec` is the game as settings and logs name it.
//! - Who plays: `contestant` is one side of a game; `program` is another program, which is a `process`.
//! - One game: `referee` plays it, `meters` has its clocks and counts, `game_result` is what is kept.
//! - Many games: `schedule` says which, `worker` plays those of a thread, `runner` plays them all on the
//!   cores of the machine, `log` keeps them, as do `records`; `error` is why a match cannot be played.
//! - What they mean: `statistics`, and `standing` for people; `round_robin` is matches between several
//!   players, and `rating` what they are worth.

pub mod contestant;
pub mod error;
pub mod game;
pub mod game_result;
pub mod game_spec;
mod havannah;
pub mod log;
mod meters;
mod process;
pub mod program;
pub mod rating;
mod records;
mod referee;
pub mod round_robin;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod statistics;
pub mod tron;
mod worker;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::bits::Isa;
use crate::params::{ParamError, Params};
use contestant::{Contestant, Limit};
use error::MatchError;
use game::GameKind;
use game_result::PlayerSide;
use game_spec::{GameSpec, MapSpec};
use program::Program;
use schedule::{Colours, in_turn};

/// A player as it is written down.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerSpec {
    /// An engine of this program.
    Engine {
        preset: String,
        settings: Vec<String>,
    },
    Program(Program),
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine { preset, settings } => {
                f.write_str(preset)?;
                settings.iter().try_for_each(|setting| write!(f, " {setting}"))
            }
            Self::Program(program) => f.write_str(&program.command.join(" ")),
        }
    }
}

impl PlayerSpec {
    /// The settings of an engine of this program; none of another.
    pub fn params(&self) -> Result<Option<Params>, ParamError> {
        let Self::Engine { preset, settings } = self else {
            return Ok(None);
        };
        let mut params = Params::preset(preset)?;
        settings.iter().try_for_each(|text| params.assign(text))?;
        Ok(Some(params))
    }

    /// The threads it thinks with, as far as is known.
    pub fn threads(&self) -> usize {
        self.params().ok().flatten().map_or(1, |params| params.thread_count())
    }

    /// The player itself.
    ///
    /// # Panics
    /// If [`params`](Self::params) is an error.
    fn contestant<K: GameKind>(&self, game: &K, isa: Isa) -> Box<dyn Contestant<K::Game>> {
        match self {
            Self::Engine { .. } => {
                let params = self.params().expect("the settings were read before");
                game.engine(&params.expect("it is an engine"), isa)
            }
            Self::Program(program) => game.program(program),
        }
    }
}

/// Everything that makes a game of a match what it is: matches of the same settings have the same
/// games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Logs of old have Havannah only, and do not say so.
    #[serde(default)]
    pub game: GameSpec,
    /// Base of the board in Havannah; 0 in Tron.
    pub size: usize,
    pub a: PlayerSpec,
    pub b: PlayerSpec,
    pub limit_a: Limit,
    pub limit_b: Limit,
    pub colours: Colours,
    pub opening_random: usize,
    /// The opening lines of a file, in letternum.
    pub opening_lines: Vec<String>,
    pub pie: bool,
    pub seed: u64,
}

impl Settings {
    /// Where it is played, in words.
    pub fn place(&self) -> String {
        match self.game.maps() {
            [] => format!("base {}", self.size),
            [map] => format!("map {}", map.name),
            maps => format!("{} maps", maps.len()),
        }
    }

    /// The map of a game; none in Havannah. Each pair of games is on the next.
    pub fn map_of(&self, game: u64) -> Option<&MapSpec> {
        in_turn(self.game.maps(), self.colours.pair_of(game))
    }

    /// One of the players.
    pub fn player(&self, seat: PlayerSide) -> &PlayerSpec {
        match seat {
            PlayerSide::A => &self.a,
            PlayerSide::B => &self.b,
        }
    }

    /// Refuses players whose settings cannot be read, or make no sense by `check`.
    fn check_engines(
        &self,
        check: impl Fn(Params) -> Result<(), String>,
    ) -> Result<(), MatchError> {
        for player in [&self.a, &self.b] {
            let params = player.params().map_err(|error| error.to_string());
            let checked = params.and_then(|params| params.map_or(Ok(()), &check));
            checked.map_err(|why| MatchError::Player { name: player.to_string(), why })?;
        }
        Ok(())
    }
}
