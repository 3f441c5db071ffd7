//! The engine: a game, its history, and a search that goes along with it. No input, no output.
//!
//! This file is the engine for any game; `any_base` one for Havannah on a base chosen at run time;
//! `clock` what a move may take; `player` puts them together and decides about swapping and
//! resigning; `tron` is an engine for Tron, `look_ahead` how it plays without playouts, `tron_player` one
//! that is shown maps; `openings` is what first moves are worth.

mod any_base;
mod clock;
mod look_ahead;
pub mod openings;
mod player;
mod tron;
mod tron_player;

pub use any_base::{HavannahEngine, Turn, Updates, havannah_engine};
pub use clock::{Clock, GameTime, TimeControl};
pub use player::{Choice, Player};
pub use tron::{TronEngine, tron_engine};
pub use tron_player::TronPlayer;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::bits::Isa;
use crate::game::{Game, Move, MoveSet};
use crate::havannah::weights::{LoadError, PatternWeights};
use crate::havannah::{Base, Board};
use crate::params::Params;
use crate::playout::{BoardPlayouts, Playouts};
use crate::search::{Ending, Limits, Outlook, Report, Search};

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

/// Plays a game, and keeps what it knows from move to move.
///
/// The search stays where it was until it is needed: then the moves made since are taken at once,
/// and a move that was made and taken back costs nothing.
pub struct Engine<P: Playouts> {
    search: Search<P>,
    position: P::Game,
    /// The positions before each move, oldest first.
    history: Vec<P::Game>,
    /// The moves that the search has yet to follow.
    ahead: Vec<Move>,
    ending: Option<Ending>,
}

impl<B: Base> Engine<BoardPlayouts<B>> {
    /// An engine for Havannah, at the empty board.
    pub fn havannah(isa: Isa, params: &Params) -> Self {
        Self::new(isa, params, Board::new(), || BoardPlayouts::new(isa, params))
    }
}

impl<P: Playouts> Engine<P> {
    /// An engine at a position; every thread of its search has playouts of its own.
    pub fn new(isa: Isa, params: &Params, position: P::Game, playouts: impl Fn() -> P) -> Self {
        let search = Search::new(isa, params, position.clone(), playouts);
        Self { search, position, history: Vec::new(), ahead: Vec::new(), ending: None }
    }

    pub fn position(&self) -> &P::Game {
        &self.position
    }

    /// The positions before each move, oldest first.
    pub fn history(&self) -> &[P::Game] {
        &self.history
    }

    /// The search, where it stood when it was last needed.
    pub fn search(&self) -> &Search<P> {
        &self.search
    }

    pub fn search_mut(&mut self) -> &mut Search<P> {
        &mut self.search
    }

    /// Why the last search ended.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Goes to a position, forgetting the game so far.
    pub fn set_position(&mut self, position: P::Game) {
        self.history.clear();
        self.jump(position);
    }

    /// Goes to a position that can be taken back like a move, but of which nothing is known.
    pub fn set_next_position(&mut self, position: P::Game) {
        self.history.push(self.position.clone());
        self.jump(position);
    }

    fn jump(&mut self, position: P::Game) {
        self.ahead.clear();
        self.search.set_position(position.clone());
        self.position = position;
    }

    /// Makes a move. What the search knows of it is kept.
    pub fn play(&mut self, next: Move) -> Result<(), IllegalMove> {
        let legal = self.position.legal_moves();
        let is_move = next.number() < MoveSet::<P::Game>::CAPACITY;
        if !is_move || !legal.contains(next.number()) {
            return Err(IllegalMove);
        }
        self.history.push(self.position.clone());
        self.ahead.push(next);
        self.position.advance(next);
        Ok(())
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.history.pop() else {
            return false;
        };
        match self.ahead.pop() {
            Some(_) => self.position = before,
            None => self.jump(before),
        }
        true
    }

    /// Takes the search to the position, along the moves made since it was last needed.
    pub fn catch_up(&mut self) {
        self.search.advance(&self.ahead);
        self.ahead.clear();
    }

    /// Searches the position, and says what it found. `progress` is called now and then.
    pub fn analyze(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: impl FnMut(&Outlook<P::Game>),
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
