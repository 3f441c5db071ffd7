//! Tron in matches: `game` is the rules; `engine` and `program` are who can play.

mod engine;
mod game;
mod program;

use super::Settings;
use super::contestant::{Contestant, Limit};
use super::error::MatchError;
use super::game::{GameKind, Opening};
use super::program::Program;
use super::schedule::in_turn;
use crate::bits::Isa;
use crate::params::Params;
use crate::tron::Map;
use engine::EngineContestant;
use program::ProgramContestant;

pub use game::TronGame;

/// Tron on the maps of a match.
pub struct Tron {
    maps: Vec<Map>,
}

impl Tron {
    /// As a match has it. Players have no clocks: the contest's protocol has times for moves only.
    pub fn new(settings: &Settings) -> Result<Self, MatchError> {
        let maps = settings.game.maps().iter().map(|map| map.map());
        let maps = maps.collect::<Result<_, _>>().map_err(MatchError::Map)?;
        settings.check_engines(|params| {
            params.for_tron().map(|_| ()).map_err(|error| error.to_string())
        })?;
        let has_clock = |limit: Limit| matches!(limit, Limit::Clock(_));
        if has_clock(settings.limit_a) || has_clock(settings.limit_b) {
            return Err(MatchError::Clock);
        }
        Ok(Self { maps })
    }
}

impl GameKind for Tron {
    type Game = TronGame;

    fn opening(&self, pair: u64) -> Opening<TronGame> {
        let map = in_turn(&self.maps, pair).expect("a match has maps");
        Opening { game: TronGame::new(map), moves: Vec::new() }
    }

    fn engine(&self, params: &Params, isa: Isa) -> Box<dyn Contestant<TronGame>> {
        Box::new(EngineContestant::new(params, isa))
    }

    fn program(&self, program: &Program) -> Box<dyn Contestant<TronGame>> {
        Box::new(ProgramContestant::new(program))
    }
}
