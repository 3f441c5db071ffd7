//! The engine: a game, its history, and a search that goes along with it. No input, no output.
//!
//! This file is the engine for any game; `havannah` one for Havannah, with set-ups and the pie rule;
//! `clock` what a move may take; `player` puts them together and decides about swapping and
//! resigning; `tron` is an engine for Tron, `tron_player` one
//! that is shown maps; `openings` is what first moves are worth.

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

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::game::{Move, Position};
use crate::havannah::weights::{LoadError, PatternWeights};
use crate::params::Params;
use crate::search::{Ending, Limits, Report, Reporter, Search};

/// Reads the files that settings name, for a board of a size. To be asked before an engine is made of
/// settings that came from outside, or goes to another board: what cannot be used is told here.
pub fn read_files(params: &Params, size: usize) -> Result<(), LoadError> {
    PatternWeights::load(&params.pattern_file, size).map(|_| ())
}

/// A move that cannot be made; nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove;

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the move is illegal")
    }
}

impl std::error::Error for IllegalMove {}

/// Makes a search at a position.
type NewSearch<P> = Box<dyn Fn(&P) -> Box<dyn Search> + Send>;

/// Plays a game, and keeps what it knows from move to move.
///
/// The search stays where it was until it is needed: then the moves made since are taken at once,
/// and a move that was made and taken back costs nothing.
pub struct Engine<P: Position + Clone + PartialEq> {
    new_search: NewSearch<P>,
    search: Box<dyn Search>,
    /// Where the search stands, and the moves from there to the position.
    searched: P,
    ahead: Vec<Move>,
    position: P,
    /// The positions before each move, oldest first.
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

    /// The positions before each move, oldest first.
    pub fn history(&self) -> &[P] {
        &self.history
    }

    /// Why the last search ended.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Another kind of search, or other settings: what is known of the position is forgotten, the game
    /// so far is not.
    pub fn set_search(&mut self, new_search: impl Fn(&P) -> Box<dyn Search> + Send + 'static) {
        self.new_search = Box::new(new_search);
        self.replace_position(self.position.clone());
    }

    /// Goes to a position, forgetting the game so far.
    pub fn set_position(&mut self, position: P) {
        self.history.clear();
        self.replace_position(position);
    }

    /// Goes to a position that can be taken back like a move, but of which nothing is known.
    pub fn set_next_position(&mut self, position: P) {
        self.history.push(self.position.clone());
        self.replace_position(position);
    }

    /// Puts another position in the place of this one: the game before it stays.
    pub fn replace_position(&mut self, position: P) {
        self.ahead.clear();
        self.search = (self.new_search)(&position);
        self.searched = position.clone();
        self.position = position;
    }

    /// Makes a move. What the search knows of it is kept.
    pub fn play(&mut self, next: Move) -> Result<(), IllegalMove> {
        if !self.position.legal_moves().contains(&next) {
            return Err(IllegalMove);
        }
        self.history.push(self.position.clone());
        self.ahead.push(next);
        self.position.advance(next);
        Ok(())
    }

    /// Says what position to go back to when the last move is taken back.
    pub fn set_position_before(&mut self, before: P) {
        if let Some(last) = self.history.last_mut() {
            *last = before;
        }
    }

    /// Takes the last move back; false if there is none.
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

    /// Takes the search to the position, along the moves made since it was last needed.
    pub fn catch_up(&mut self) {
        self.search.advance(&self.ahead);
        self.ahead.clear();
        self.searched = self.position.clone();
    }

    /// Searches the position, and says what it found. `progress` is called now and then.
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

    /// What is known of the position, without a search.
    pub fn report(&mut self) -> Report {
        self.catch_up();
        self.search.report(std::time::Duration::ZERO)
    }
}
