//! A thread's part of a match: two contestants, and the games they play one after the other.

use std::sync::atomic::AtomicBool;

use super::Settings;
use super::error::MatchError;
use super::game::GameKind;
use super::game_result::GameResult;
use super::game_spec::GameSpec;
use super::havannah::Havannah;
use super::referee;
use super::schedule::Schedule;
use super::tron::Tron;
use crate::bits::Isa;

/// Plays the game of a number; none if it was stopped.
pub type Worker<'a> = Box<dyn FnMut(u64, &AtomicBool) -> Option<GameResult> + 'a>;

/// A [`GameKind`] whatever its moves are.
pub trait AnyGame: Sync {
    /// A worker with contestants of its own.
    fn worker<'a>(&'a self, settings: &'a Settings, isa: Isa) -> Worker<'a>;
}

impl<K: GameKind> AnyGame for K {
    fn worker<'a>(&'a self, settings: &'a Settings, isa: Isa) -> Worker<'a> {
        let Settings { limit_a, limit_b, .. } = *settings;
        let schedule = Schedule::new(settings);
        let [mut a, mut b] = [&settings.a, &settings.b].map(|player| player.contestant(self, isa));
        Box::new(move |game, stop| {
            let (pairing, opening) = (schedule.game(game), self.opening(schedule.pair_of(game)));
            referee::play(&pairing, opening, [limit_a, limit_b], [&mut *a, &mut *b], stop)
        })
    }
}

/// The game of a match, if it can be played with these settings.
pub fn game(settings: &Settings) -> Result<Box<dyn AnyGame>, MatchError> {
    Ok(match settings.game {
        GameSpec::Havannah => Box::new(Havannah::new(settings)?),
        GameSpec::Tron { .. } => Box::new(Tron::new(settings)?),
    })
}
