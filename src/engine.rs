//! The engine: a game, its history, and a search that goes along with it. No input, no output.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::bits::Isa;
use crate::game::{Game, Move, MoveSet};
use crate::havannah::{Base, Board};
use crate::params::{Params, PlayoutPolicy};
use crate::playout::{BoardPlayouts, Playouts, Policy};
use crate::search::{Ending, Limits, Report, Search};

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
pub struct Engine<P: Playouts> {
    search: Search<P>,
    /// The positions before each move, oldest first.
    history: Vec<P::Game>,
    ending: Option<Ending>,
}

impl<B: Base> Engine<BoardPlayouts<B>> {
    /// An engine for Havannah, at the empty board.
    pub fn havannah(isa: Isa, params: &Params) -> Self {
        let playouts = BoardPlayouts::new(isa, policy_of::<B>(params));
        Self::new(isa, params, Board::new(), playouts)
    }
}

/// The policy of an engine's playouts on a base.
pub fn policy_of<B: Base>(params: &Params) -> Policy {
    match params.policy {
        PlayoutPolicy::Random => Policy::Random,
        PlayoutPolicy::Mate => Policy::Mate { plies: params.mate_plies as usize * B::SIZE },
    }
}

impl<P: Playouts> Engine<P> {
    pub fn new(isa: Isa, params: &Params, position: P::Game, playouts: P) -> Self {
        let search = Search::new(isa, params, position, playouts);
        Self { search, history: Vec::new(), ending: None }
    }

    pub fn position(&self) -> &P::Game {
        self.search.position()
    }

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
        self.search.set_position(position);
    }

    /// Makes a move. What the search knows of it is kept.
    pub fn play(&mut self, next: Move) -> Result<(), IllegalMove> {
        let legal = self.position().legal_moves();
        let is_move = next.number() < MoveSet::<P::Game>::CAPACITY;
        if !is_move || !legal.contains(next.number()) {
            return Err(IllegalMove);
        }
        self.history.push(self.position().clone());
        self.search.advance(next);
        Ok(())
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let before = self.history.pop();
        let undone = before.is_some();
        before.into_iter().for_each(|position| self.search.set_position(position));
        undone
    }

    /// Searches the position, and says what it found. `progress` is called now and then.
    pub fn analyze(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: impl FnMut(&Search<P>),
    ) -> Report {
        let begin = Instant::now();
        self.ending =
            (self.position().result().is_none()).then(|| self.search.run(limits, stop, progress));
        self.search.report(begin.elapsed())
    }
}
