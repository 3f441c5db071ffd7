//! An engine of this program as a contestant in Havannah.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::game::HavannahGame;
use crate::bits::Isa;
use crate::engine::{Choice, GameTime, Player, TimeControl, Turn};
use crate::havannah::Colour;
use crate::matches::contestant::{Answer, Contestant, Fault, Limit, Start};
use crate::params::Params;

/// An engine of this program.
pub struct EngineContestant {
    params: Params,
    isa: Isa,
    player: Option<Player>,
}

impl EngineContestant {
    pub fn new(params: &Params, isa: Isa) -> Self {
        Self { params: params.clone(), isa, player: None }
    }

    fn player(&mut self) -> &mut Player {
        self.player.as_mut().expect("a game has begun")
    }
}

fn time_control(limit: Limit) -> TimeControl {
    let nothing = TimeControl::default();
    match limit {
        Limit::Playouts(playouts) => TimeControl { move_playouts: Some(playouts), ..nothing },
        Limit::Seconds(seconds) => {
            TimeControl { move_time: Some(Duration::from_secs_f64(seconds)), ..nothing }
        }
        Limit::Clock(seconds) => {
            let main = Duration::from_secs_f64(seconds);
            let game = GameTime { main, period: Duration::ZERO, stones: 0 };
            TimeControl { game: Some(game), ..nothing }
        }
    }
}

impl Contestant<HavannahGame> for EngineContestant {
    fn begin(&mut self, game: &HavannahGame, start: &Start) -> Result<(), Fault> {
        let params = Params { seed: start.seed, ..self.params.clone() };
        let control = time_control(start.limit);
        self.player = Player::new(game.geometry().size, self.isa, &params, control);
        Ok(())
    }

    fn watch(&mut self, _game: &HavannahGame, played: Turn) -> Result<(), Fault> {
        let engine = self.player().engine_mut();
        match played {
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
        _game: &HavannahGame,
        side: Colour,
        left: Option<Duration>,
        stop: &AtomicBool,
    ) -> Result<Answer<Turn>, Fault> {
        let player = self.player();
        if let Some(left) = left {
            player.clock_mut().set_left(side, left, 0);
        }
        let (choice, report) = player.choose(side, stop).expect("the game goes on");
        player.make(side, choice);
        let choice = match choice {
            Choice::Place(cell) => Some(Turn::Place(side, cell)),
            Choice::Swap => Some(Turn::Swap),
            Choice::Resign => None,
        };
        Ok(Answer { choice, playouts: Some(report.stats.playouts) })
    }
}
