//! The rules as a search sees them.

use super::{Position, territory};
use crate::bits::{Isa, Words};
use crate::game::{Game, Move, MoveSet, Prospect};
use crate::params::Params;

impl<W: Words> Game for Position<W> {
    type Words = W;

    const MOVES_STAY: bool = false;
    const IS_SIMULTANEOUS: bool = true;

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

    fn legal_moves(&self) -> MoveSet<Self> {
        if self.result().is_some() {
            return MoveSet::<Self>::empty();
        }
        self.exits(self.to_move()).cells().iter().map(|cell| *cell as usize).collect()
    }

    fn prospect(&self, _isa: Isa, _params: &Params) -> Prospect<MoveSet<Self>> {
        Prospect::Open(self.legal_moves())
    }

    fn ply(&self) -> usize {
        self.ply()
    }

    fn evaluate(&self, isa: Isa) -> Option<f32> {
        Some(territory::value(self, isa))
    }

    fn distinct(&self, moves: MoveSet<Self>) -> MoveSet<Self> {
        moves
    }

    /// The way that the side to move goes.
    fn name_of(&self, of: Move) -> String {
        let way = self.direction(self.to_move(), of);
        way.map_or_else(|| of.number().to_string(), |way| way.name().to_string())
    }
}
