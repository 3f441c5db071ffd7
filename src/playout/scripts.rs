//! A simulated game as policies learn from it: its moves in order, and who won.

/// The two moves before a move. A number that is no move's stands for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    pub before: usize,
    pub last: usize,
}

/// A simulated game.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    /// Move numbers, those of the tree first.
    pub moves: &'a [u16],
    /// How many are of the tree.
    pub line: usize,
    pub first_side: usize,
    /// The side that won; none in a draw.
    pub winner: Option<usize>,
}

/// A move of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    pub side: usize,
    pub number: usize,
    pub context: Context,
}

impl Script<'_> {
    /// What the game was worth to a side, from 0 to 1.
    #[inline(always)]
    pub fn reward(&self, side: usize) -> f32 {
        match self.winner {
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }

    /// The moves of the playout, where `none` stands for no move before.
    #[inline(always)]
    pub fn playout(&self, none: usize) -> impl Iterator<Item = Played> + '_ {
        (self.line..self.moves.len()).map(move |ply| self.played(ply, none))
    }

    /// All moves, those of the tree among them.
    #[inline(always)]
    pub fn all(&self, none: usize) -> impl Iterator<Item = Played> + '_ {
        (0..self.moves.len()).map(move |ply| self.played(ply, none))
    }

    #[inline(always)]
    fn played(&self, ply: usize, none: usize) -> Played {
        let earlier = |plies: usize| {
            if ply >= plies { self.moves[ply - plies] as usize } else { none }
        };
        Played {
            side: self.first_side ^ (ply & 1),
            number: self.moves[ply] as usize,
            context: Context { before: earlier(2), last: earlier(1) },
        }
    }
}
