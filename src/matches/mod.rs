//! Matches between players, and what they say.
//!
//! `game_spec` is what is played, `contestant` who plays (an engine of this program, or `external`,
//! another program, which is a `process`), `schedule` which games there are, `referee` plays one, by the
//! time of its `meters`, `log` keeps them, `runner` plays them all on the cores of the machine,
//! `statistics` says what they mean and `standing` says it to people. For Tron, `rider` is who plays,
//! `race` the rules, and `tron` plays a game. `round_robin` is matches between several players, and
//! `rating` what they are worth.

pub mod contestant;
pub mod external;
pub mod game_spec;
pub mod log;
mod meters;
mod process;
pub mod race;
pub mod rating;
pub mod referee;
pub mod rider;
pub mod round_robin;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod statistics;
pub mod tron;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::bits::Isa;
use crate::params::{ParamError, Params};
use contestant::{Contestant, Internal, Limit};
use external::{External, Program};
use game_spec::GameSpec;
use rider::{EngineRider, ProgramRider, Rider};
use schedule::Colours;

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
    fn contestant(&self, isa: Isa, pie: bool) -> Box<dyn Contestant> {
        match self {
            Self::Engine { .. } => {
                let params = self.params().expect("the settings were read before");
                let params = Params { pie, ..params.expect("it is an engine") };
                Box::new(Internal::new(&params, isa))
            }
            Self::Program(program) => Box::new(External::new(program)),
        }
    }

    /// The player itself, for Tron.
    ///
    /// # Panics
    /// If [`params`](Self::params) is an error.
    fn rider(&self, isa: Isa) -> Box<dyn Rider> {
        match self {
            Self::Engine { .. } => {
                let params = self.params().expect("the settings were read before");
                Box::new(EngineRider::new(&params.expect("it is an engine"), isa))
            }
            Self::Program(program) => Box::new(ProgramRider::new(program)),
        }
    }

    /// Whether its settings make sense in Tron.
    pub fn check_tron(&self) -> Result<(), ParamError> {
        self.params()?.map_or(Ok(()), |params| params.for_tron().map(|_| ()))
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

    /// The map of a game of Tron, by its number in the list; each pair of games is on the next.
    pub fn map_of(&self, game: u64) -> Option<usize> {
        let count = self.game.maps().len() as u64;
        self.colours.pair_of(game).checked_rem(count).map(|number| number as usize)
    }
}
