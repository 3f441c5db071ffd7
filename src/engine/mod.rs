//! The engine: a game, its history, and a search that follows it. No input, no output (except
//! `read_files`, which checks the files that settings name).
//!
//! - This file: the engine for any game.
//! - `havannah`: Havannah, with set-up stones and the pie rule. `tron`: Tron.
//! - `clock`: the limits of a move. `player`: an engine with a clock that also swaps and resigns.
//! - `tron_player`: a Tron player that is shown maps. `openings`: the values of first moves.

mod clock;
mod havannah;
pub mod openings;
mod player;
mod tron;
#[cfg(any(test, feature = "cli"))]
mod tron_player;

pub use clock::{Clock, GameTime, TimeControl};
pub use havannah::{HavannahEngine, Turn, Updates};
pub use player::{Choice, Player};
pub use tron::{TronEngine, tron_engine};
#[cfg(any(test, feature = "cli"))]
pub use tron_player::TronPlayer;

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::game::{Move, Position};
use crate::havannah::weights::{LoadError, PatternWeights};
use crate::params::Params;
use crate::search::{Ending, Limits, Report, Reporter, Search};

/// Checks the files that settings name, for a board of a size. Call it before an engine is made from
/// outside settings, and before it changes to another board. Without this check a bad file is a panic
/// when the search is made.
pub fn read_files(params: &Params, size: usize) -> Result<(), LoadError> {
    PatternWeights::load(&params.pattern_file, size).map(|_| ())
}

/// The move is illegal. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is illegal")]
pub struct IllegalMove;

/// Constructs a search at a position.
type NewSearch<P> = Box<dyn Fn(&P) -> Box<dyn Search> + Send>;

/// Plays a game, and keeps the search tree from move to move.
///
/// The search is lazy: it stays at `searched` until it is needed, and then advances along `ahead`
/// in one step. A move that is made and taken back in between costs nothing.
pub struct Engine<P: Position + Clone + PartialEq> {
    new_search: NewSearch<P>,
    search: Box<dyn Search>,
    /// Where the search stands. `ahead` has the moves from there to `position`.
    searched: P,
    ahead: Vec<Move>,
    position: P,
    /// The position before each move, oldest first.
    history: Vec<P>,
    ending: Option<Ending>,
}

impl<P: Position + Clone + PartialEq> Engine<P> {
    /// An engine at a position.
    pub fn new(position: P, new_search: impl Fn(&P) -> Box<dyn Search> + Send + 'static) -> Self {
        Self {
            search: new_search(&position),
            new_search: Box::new(new_search),
            searched: position.clone(),
            ahead: Vec::new(),
            position,
            history: Vec::new(),
            ending: None,
        }
    }

    pub fn position(&self) -> &P {
        &self.position
    }

    /// The position before each move, oldest first.
    pub fn history(&self) -> &[P] {
        &self.history
    }

    /// Why the last search ended.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Sets another kind of search or other settings. The tree is dropped; the game so far stays.
    pub fn set_search(&mut self, new_search: impl Fn(&P) -> Box<dyn Search> + Send + 'static) {
        self.new_search = Box::new(new_search);
        self.replace_position(self.position.clone());
    }

    /// Goes to a position. The game so far and the tree are dropped.
    pub fn set_position(&mut self, position: P) {
        self.history.clear();
        self.replace_position(position);
    }

    /// Goes to a position as if by a move: undo works, but the tree is dropped.
    pub fn set_next_position(&mut self, position: P) {
        self.history.push(self.position.clone());
        self.replace_position(position);
    }

    /// Replaces the current position. The history stays; the tree is dropped.
    pub fn replace_position(&mut self, position: P) {
        self.ahead.clear();
        self.search = (self.new_search)(&position);
        self.searched = position.clone();
        self.position = position;
    }

    /// Makes a move. The search keeps the subtree of the move.
    pub fn play(&mut self, next: Move) -> Result<(), IllegalMove> {
        if !self.position.legal_moves().contains(&next) {
            return Err(IllegalMove);
        }
        self.history.push(self.position.clone());
        self.ahead.push(next);
        self.position.advance(next);
        Ok(())
    }

    /// Replaces the position to which the next undo returns.
    pub fn set_position_before(&mut self, before: P) {
        if let Some(last) = self.history.last_mut() {
            *last = before;
        }
    }

    /// Takes the last move back. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.history.pop() else {
            return false;
        };
        let was_ahead = self.ahead.pop().is_some();
        if was_ahead && (!self.ahead.is_empty() || self.searched == before) {
            self.position = before;
        } else {
            self.replace_position(before);
        }
        true
    }

    /// Advances the search to the current position.
    pub fn catch_up(&mut self) {
        self.search.advance(&self.ahead);
        self.ahead.clear();
        self.searched = self.position.clone();
    }

    /// Searches the position and returns what was found. `progress` is called from time to time.
    pub fn analyze(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Report {
        let begin = Instant::now();
        self.catch_up();
        let time_left = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let limits = Limits { time: time_left, ..*limits };
        let is_over = self.position.result().is_some();
        self.ending = (!is_over).then(|| self.search.run(&limits, stop, progress));
        self.search.report(begin.elapsed())
    }

    /// What is known about the position, without a search.
    pub fn report(&mut self) -> Report {
        self.catch_up();
        self.search.report(std::time::Duration::ZERO)
    }
}
