//! Tron: maps as text, and a game with a search.
//!
//! Moves are simultaneous: each side is searched without knowing the move of the other. The rules
//! are in the room `tron`, the game is in the room `engine`.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use super::{Params, Proven, SetupError};
use crate::bits::Isa;
use crate::engine::{self, tron_engine};
use crate::game::{LOSS, WIN};
use crate::search::Limits;
use crate::tron::{Direction, Map, MapError};

/// A position of Tron as text: a line with the width and the height, from 1 to 62, then one line of
/// characters for each row of the grid. `#` is a wall, a space is free, `1` and `2` are the heads
/// of the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TronMap(Map);

impl FromStr for TronMap {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Self, MapError> {
        text.parse().map(Self)
    }
}

impl fmt::Display for TronMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A player of Tron, by its number on maps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TronSide {
    /// `1` on maps.
    One,
    /// `2` on maps.
    Two,
}

/// The result of a finished game of Tron.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TronResult {
    /// The other side crashed, or has no free cell to move to.
    Won(TronSide),
    /// Both sides crashed or are stuck, or both moved to the same cell.
    Draw,
}

/// What a search found for one side.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TronReport {
    /// The move to play. North if all neighbours are walls.
    pub direction: Direction,
    /// The win rate of the side, from 0 to 1.
    pub value: f64,
    /// The proven value for the side, which does not know the simultaneous move of the other.
    pub proven: Option<Proven>,
    /// The number of playouts of this search.
    pub playouts: u64,
}

/// Plays Tron. Both sides move simultaneously, leave a wall where they were, and lose if they move
/// into a wall.
///
/// ```
/// use ciclon::{Direction, Limits, Params, TronEngine, TronMap, TronResult, TronSide};
///
/// let map: TronMap = "5 3\n1    \n ### \n    2\n".parse()?;
/// let mut engine = TronEngine::new(&map, &Params::preset("laschet")?)?;
/// let limits = Limits { playouts: Some(100), ..Limits::default() };
/// while engine.result().is_none() {
///     let one = engine.choose(TronSide::One, &limits).direction;
///     let two = engine.choose(TronSide::Two, &limits).direction;
///     engine.play(one, two);
/// }
/// println!("{}{:?}", engine.map(), engine.result());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TronEngine(Box<dyn engine::TronEngine>);

impl TronEngine {
    /// An engine at a position.
    pub fn new(map: &TronMap, params: &Params) -> Result<Self, SetupError> {
        Ok(Self(tron_engine(&map.0, Isa::best(), params.inner())?))
    }

    /// The position.
    pub fn map(&self) -> TronMap {
        TronMap(self.0.map())
    }

    /// The result. `None` if the game goes on.
    pub fn result(&self) -> Option<TronResult> {
        self.0.result().map(|points_of_one| match points_of_one {
            WIN => TronResult::Won(TronSide::One),
            LOSS => TronResult::Won(TronSide::Two),
            _ => TronResult::Draw,
        })
    }

    /// Searches the position for a side, which does not know the simultaneous move of the other.
    /// Ends when a limit is reached or the value is proven. Without limits this may never return.
    pub fn choose(&mut self, side: TronSide, limits: &Limits) -> TronReport {
        self.choose_until(side, limits, &AtomicBool::new(false))
    }

    /// Like [`choose`](Self::choose). Another thread can end it by setting `stop`.
    pub fn choose_until(
        &mut self,
        side: TronSide,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> TronReport {
        let (direction, found) = self.0.choose(side as usize, limits, stop);
        let proven = Proven::of(found.status);
        TronReport { direction, value: found.value, proven, playouts: found.stats.playouts }
    }

    /// Plays the simultaneous moves of both sides. Does nothing if the game is over.
    pub fn play(&mut self, one: Direction, two: Direction) {
        self.0.play([one, two]);
    }
}

impl fmt::Debug for TronEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TronEngine").field("map", &self.map().to_string()).finish_non_exhaustive()
    }
}
