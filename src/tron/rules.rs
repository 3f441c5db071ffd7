//! The rules as a search sees them.

use super::{Position, regions, territory};
use crate::bits::{Isa, Words};
use crate::game::{Game, Move, MoveSet, Prospect, WIN};
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

    /// Separated players fill the space that is left to each (Laschet 2012 §5.5).
    fn prospect(&self, _isa: Isa, params: &Params) -> Prospect<MoveSet<Self>> {
        if params.separation_cut
            && self.chosen().is_none()
            && let Some(settled) = regions::settle(self)
        {
            let side = self.to_move();
            let points = if side == 0 { settled.points } else { WIN - settled.points };
            let best = Move::new(settled.first[side]);
            return Prospect::Settled { points, best, plies: 2 * settled.steps as u32 };
        }
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
