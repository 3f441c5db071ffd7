//! Playouts as search asks for them: games that begin with the moves of a path down the tree.

use super::scripts::Context;
use super::{Guide, Hits, Policy, Simulator, Start};
use crate::bits::Isa;
use crate::game::{DRAW, Game, LOSS, Move, MoveSet, WIN};
use crate::havannah::{Base, Board, Colour, Outcome, Set};
use crate::params::{Params, PlayoutPolicy};
use crate::rng::Rng;

/// Plays the games of a search.
pub trait Playouts: Send {
    type Game: Game;

    /// Makes ready for games that begin at a position of which nothing is known.
    fn start_from(&mut self, position: &Self::Game);

    /// Makes ready for games that begin at a later position of the same game.
    fn move_on_to(&mut self, position: &Self::Game) {
        self.start_from(position);
    }

    /// Plays a game that begins with a line of moves; the points of side 0.
    fn run(&mut self, line: &[Move], rng: &mut Rng) -> u32;

    /// For each side, the moves it made in the last game, of those that were legal at its start;
    /// others may be among them.
    fn made(&self) -> [MoveSet<Self::Game>; 2];

    /// For each side, those of its moves in the last game that won at once or kept the other side from
    /// it, early in the game.
    fn killers(&self) -> [MoveSet<Self::Game>; 2] {
        [MoveSet::<Self::Game>::empty(); 2]
    }

    /// The list of moves that the next game is to prefer, to be filled by their numbers; none if no
    /// policy asks for it.
    fn pool_mut(&mut self) -> Option<&mut Vec<u16>> {
        None
    }

    /// What a move was worth to the side to move after a line of moves, as far as games so far have
    /// shown.
    fn value(&self, _line: &[Move], _of: Move) -> Option<f32> {
        None
    }

    /// The policies that chose moves since the position was set, and how many.
    fn hits(&self) -> Hits {
        Hits::default()
    }

    /// Memory of what was learned.
    fn bytes(&self) -> usize {
        0
    }
}

/// Playouts of Havannah.
pub struct BoardPlayouts<B: Base> {
    isa: Isa,
    policy: Policy,
    simulator: Simulator<B>,
    start: Start<B>,
    /// None for games that the random kernel plays alone.
    guide: Option<Box<Guide<B>>>,
}

impl<B: Base> BoardPlayouts<B> {
    pub fn new(isa: Isa, params: &Params) -> Self {
        let mut guide = Guide::new(params).map(Box::new);
        if let Some(guide) = &mut guide {
            guide.start_from(&Board::new());
        }
        let looks_ahead = guide.as_ref().is_some_and(|guide| guide.havannah_mate_plies > 0);
        let policy = match params.policy {
            PlayoutPolicy::Random if looks_ahead => Policy::Mate { plies: 0 },
            PlayoutPolicy::Random => Policy::Random,
            PlayoutPolicy::Mate => Policy::Mate { plies: params.mate_plies as usize * B::SIZE },
        };
        let start = Start::new(&Board::new(), policy);
        Self { isa, policy, simulator: Simulator::new(), start, guide }
    }

    /// Keeps the mate check from trying plies without looking. The games stay the same; tests compare
    /// them.
    pub fn without_speculation(&mut self) {
        self.start.speculates = false;
    }

    fn set_start(&mut self, position: &Board<B>) {
        let speculates = self.start.speculates;
        self.start = Start { speculates, ..Start::new(position, self.policy) };
    }

    #[cfg(test)]
    pub fn guide_mut(&mut self) -> Option<&mut Guide<B>> {
        self.guide.as_deref_mut()
    }

    /// The moves of the last game.
    pub fn moves(&self) -> &[crate::havannah::Cell] {
        self.simulator.moves()
    }

    /// Plays a game that begins with a line of moves.
    pub fn play(&mut self, line: &[Move], rng: &mut Rng) -> Outcome {
        let Self { isa, simulator, start, guide, .. } = self;
        let playout = match guide {
            None => simulator.run_line(*isa, start, line, rng),
            Some(guide) => simulator.run_guided(*isa, start, guide, line, rng),
        };
        playout.outcome
    }
}

impl<B: Base> Playouts for BoardPlayouts<B> {
    type Game = Board<B>;

    fn start_from(&mut self, position: &Board<B>) {
        if let Some(guide) = &mut self.guide {
            guide.forget();
            guide.start_from(position);
        }
        self.set_start(position);
    }

    fn move_on_to(&mut self, position: &Board<B>) {
        if let Some(guide) = &mut self.guide {
            guide.next_turn();
            guide.start_from(position);
        }
        self.set_start(position);
    }

    fn run(&mut self, line: &[Move], rng: &mut Rng) -> u32 {
        match self.play(line, rng) {
            Outcome::Won { by: Colour::White, .. } => WIN,
            Outcome::Won { by: Colour::Black, .. } => LOSS,
            _ => DRAW,
        }
    }

    fn made(&self) -> [Set<B>; 2] {
        self.simulator.stones(self.isa)
    }

    fn killers(&self) -> [Set<B>; 2] {
        self.guide.as_ref().map_or([Set::<B>::empty(); 2], |guide| guide.killers)
    }

    fn pool_mut(&mut self) -> Option<&mut Vec<u16>> {
        self.guide.as_mut()?.pool_mut()
    }

    fn value(&self, line: &[Move], of: Move) -> Option<f32> {
        let side = Game::to_move(&self.start.board) ^ (line.len() & 1);
        let (before, last) = match *line {
            [.., before, last] => (before.number(), last.number()),
            [last] => (B::INDICES, last.number()),
            [] => (B::INDICES, B::INDICES),
        };
        let context = Context { before, last };
        self.guide.as_ref()?.ngrams()?.value(side, context, of.number())
    }

    fn hits(&self) -> Hits {
        self.guide.as_ref().map_or_else(Hits::default, |guide| guide.hits)
    }

    fn bytes(&self) -> usize {
        self.guide.as_ref().map_or(0, |guide| guide.bytes())
    }
}
