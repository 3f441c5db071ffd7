//! Havannah in matches: `game` is the rules, `openings` how games begin; `engine` and `program` are who
//! can play.

mod engine;
mod game;
mod openings;
mod program;

use super::Settings;
use super::contestant::Contestant;
use super::error::MatchError;
use super::game::{GameKind, Opening};
use super::program::Program;
use crate::bits::Isa;
use crate::engine::read_files;
use crate::params::Params;
use engine::EngineContestant;
use openings::Openings;
use program::ProgramContestant;

pub use game::HavannahGame;

/// Havannah on the board of a match.
pub struct Havannah {
    size: usize,
    pie: bool,
    openings: Openings,
}

impl Havannah {
    /// As a match has it. Reads the files that the engines are set up with.
    pub fn new(settings: &Settings) -> Result<Self, MatchError> {
        let Settings { size, pie, .. } = *settings;
        let openings = Openings::new(settings)?;
        settings.check_engines(|params| {
            let params = params.for_havannah().map_err(|error| error.to_string())?;
            read_files(&params, size).map_err(|error| error.to_string())
        })?;
        Ok(Self { size, pie, openings })
    }
}

impl GameKind for Havannah {
    type Game = HavannahGame;

    fn opening(&self, pair: u64) -> Opening<HavannahGame> {
        Opening { game: HavannahGame::new(self.size, self.pie), moves: self.openings.moves(pair) }
    }

    fn engine(&self, params: &Params, isa: Isa) -> Box<dyn Contestant<HavannahGame>> {
        let params = Params { pie: self.pie, ..params.clone() };
        Box::new(EngineContestant::new(&params, isa))
    }

    fn program(&self, program: &Program) -> Box<dyn Contestant<HavannahGame>> {
        Box::new(ProgramContestant::new(program))
    }
}
