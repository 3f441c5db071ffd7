//! The traits of a position for search and engine. The rules themselves are in `position`.

use super::playout::TronPlayouts;
use super::{Position, territory};
use crate::bits::{Isa, Words};
use crate::game::{self, Evaluate, LeafWork, Move};
use crate::params::Params;

impl<W: Words> game::Position for Position<W> {
    #[inline]
    fn to_move(&self) -> usize {
        self.to_move()
    }

    #[inline]
    fn result(&self) -> Option<u32> {
        self.result()
    }

    #[inline]
    fn advance(&mut self, next: Move) {
        self.make(next);
    }

    fn list_moves(&self, moves: &mut Vec<Move>) {
        if self.result().is_none() {
            let from = moves.len();
            let exits = self.exits(self.to_move());
            moves.extend(exits.cells().iter().map(|cell| Move::new(*cell as usize)));
            moves[from..].sort_unstable();
        }
    }

    fn move_span(&self) -> usize {
        self.grid().span()
    }

    fn ply(&self) -> usize {
        self.ply()
    }

    fn is_simultaneous(&self) -> bool {
        true
    }

    fn has_rave(&self) -> bool {
        false
    }

    /// The direction in which the side to move goes.
    fn name_of(&self, of: Move) -> String {
        let way = self.direction(self.to_move(), of);
        way.map_or_else(|| of.number().to_string(), |way| way.name().to_string())
    }

    fn hash(&self) -> u64 {
        self.hash()
    }

    fn canonical_hash(&self) -> u64 {
        self.canonical_hash()
    }

    fn boxed(&self) -> Box<dyn game::Position> {
        Box::new(self.clone())
    }

    fn leaf_work(&self, isa: Isa, params: &Params) -> Box<dyn LeafWork> {
        Box::new(TronPlayouts::new(isa, params, self))
    }
}

impl<W: Words> Evaluate for Position<W> {
    fn evaluate(&self, isa: Isa) -> Option<f32> {
        Some(territory::value(self, isa))
    }
}
