//! What matches need of a game: its rules, how it begins, and who can play it.
//!
//! Havannah and Tron implement it, each in a folder. Referee, runner and log know nothing else of them.

use super::contestant::Contestant;
use super::game_result::End;
use super::program::Program;
use crate::bits::Isa;
use crate::havannah::Colour;
use crate::params::Params;

/// Who has won (none in a draw), and how.
pub type Verdict = (Option<Colour>, End);

/// A game in progress. In Tron White is `1` on the map, and Black is `2`.
pub trait Game: Sized {
    /// What a side does when it is its turn, apart from resigning.
    type Move: Copy;

    /// How many times as long as its other moves the first move of a contestant may take.
    const FIRST_MOVE: u32;

    /// The sides whose turn it is, in the order in which they are asked. With several, all of them
    /// choose before any of them moves.
    fn to_move(&self) -> Vec<Colour>;

    /// Refuses a move that loses at once because the rules do not know it, with its text.
    fn check(&self, chosen: Self::Move) -> Result<(), String>;

    /// Plays a move of each side in [`to_move`](Self::to_move).
    fn play(&mut self, moves: &[Self::Move]);

    /// The result by the rules; none if the game goes on.
    fn verdict(&self) -> Option<Verdict>;

    /// The game so far as a log has it.
    fn move_names(&self) -> Vec<String>;
}

/// How a game begins: a position, and moves from there of which the contestants are told.
pub struct Opening<G: Game> {
    pub game: G,
    pub moves: Vec<G::Move>,
}

/// A game with the settings of a match.
pub trait GameKind: Sync {
    type Game: Game;

    /// How the games of a pair begin.
    fn opening(&self, pair: u64) -> Opening<Self::Game>;

    /// An engine of this program as a contestant.
    fn engine(&self, params: &Params, isa: Isa) -> Box<dyn Contestant<Self::Game>>;

    /// Another program as a contestant.
    fn program(&self, program: &Program) -> Box<dyn Contestant<Self::Game>>;
}
