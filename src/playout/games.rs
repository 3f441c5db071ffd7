//! Playouts as search asks for them: games that begin with the moves of a path down the tree.

use super::{Policy, Simulator, Start};
use crate::bits::Isa;
use crate::game::{DRAW, Game, LOSS, Move, MoveSet, WIN};
use crate::havannah::{Base, Board, Colour, Outcome, Set};
use crate::rng::Rng;

/// Plays the games of a search.
pub trait Playouts {
    type Game: Game;

    /// Makes ready for games that begin at a position.
    fn start_from(&mut self, position: &Self::Game);

    /// Plays a game that begins with a line of moves; the points of side 0.
    fn run(&mut self, line: &[Move], rng: &mut Rng) -> u32;

    /// For each side, the moves it made in the last game, of those that were legal at its start;
    /// others may be among them.
    fn made(&self) -> [MoveSet<Self::Game>; 2];
}

/// Playouts of Havannah.
pub struct BoardPlayouts<B: Base> {
    isa: Isa,
    policy: Policy,
    simulator: Simulator<B>,
    start: Start<B>,
}

impl<B: Base> BoardPlayouts<B> {
    pub fn new(isa: Isa, policy: Policy) -> Self {
        let start = Start::new(&Board::new(), policy);
        Self { isa, policy, simulator: Simulator::new(), start }
    }
}

impl<B: Base> Playouts for BoardPlayouts<B> {
    type Game = Board<B>;

    fn start_from(&mut self, position: &Board<B>) {
        self.start = Start::new(position, self.policy);
    }

    fn run(&mut self, line: &[Move], rng: &mut Rng) -> u32 {
        match self.simulator.run_line(self.isa, &self.start, line, rng).outcome {
            Outcome::Won { by: Colour::White, .. } => WIN,
            Outcome::Won { by: Colour::Black, .. } => LOSS,
            _ => DRAW,
        }
    }

    fn made(&self) -> [Set<B>; 2] {
        self.simulator.stones(self.isa)
    }
}
