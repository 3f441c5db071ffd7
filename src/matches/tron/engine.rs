//! An engine of this program as a contestant in Tron.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::game::TronGame;
use crate::bits::Isa;
use crate::engine::TronPlayer;
use crate::havannah::Colour;
use crate::matches::contestant::{Answer, Contestant, Fault, Limit, Start};
use crate::params::Params;
use crate::search::Limits;
use crate::tron::Direction;

/// An engine of this program.
pub struct EngineContestant {
    params: Params,
    isa: Isa,
    game: Option<(TronPlayer, Limit)>,
}

impl EngineContestant {
    pub fn new(params: &Params, isa: Isa) -> Self {
        Self { params: params.clone(), isa, game: None }
    }
}

impl Contestant<TronGame> for EngineContestant {
    fn begin(&mut self, _game: &TronGame, start: &Start) -> Result<(), Fault> {
        let params = Params { seed: start.seed, ..self.params.clone() };
        self.game = Some((TronPlayer::new(self.isa, &params), start.limit));
        Ok(())
    }

    fn choose(
        &mut self,
        game: &TronGame,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Answer<Direction>, Fault> {
        let (player, limit) = self.game.as_mut().expect("a game has begun");
        let playouts = match *limit {
            Limit::Playouts(playouts) => Some(playouts),
            Limit::Seconds(_) | Limit::Clock(_) => None,
        };
        let limits = Limits { playouts, time: limit.move_time(left), ..Limits::default() };
        let chosen = player.choose(&game.map_for(side), &limits, stop);
        let (way, report) = chosen.map_err(|error| Fault::Crash(error.to_string()))?;
        Ok(Answer { choice: Some(way), playouts: Some(report.stats.playouts) })
    }
}
