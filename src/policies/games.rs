//! A simulated game as policies learn from it: its moves, what was before each of them, and who won.

/// The two moves before a move. A number that is no move's stands for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    pub before: usize,
    pub last: usize,
}

/// A simulated game that can be learned from.
pub trait LearnableGame {
    /// The side that won; none in a draw.
    fn winner(&self) -> Option<usize>;

    /// The moves of the playout, where `none` stands for no move before.
    fn playout(&self, none: usize) -> impl Iterator<Item = PlayedMove>;

    /// All moves, those of the tree among them.
    fn all(&self, none: usize) -> impl Iterator<Item = PlayedMove>;

    /// What the game was worth to a side, from 0 to 1.
    #[inline(always)]
    fn reward(&self, side: usize) -> f32 {
        match self.winner() {
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }
}

/// A simulated game of sides that move in turn.
#[derive(Clone, Copy, Debug)]
pub struct SequentialGame<'a> {
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
pub struct PlayedMove {
    pub side: usize,
    pub number: usize,
    pub context: Context,
}

impl LearnableGame for SequentialGame<'_> {
    #[inline(always)]
    fn winner(&self) -> Option<usize> {
        self.winner
    }

    #[inline(always)]
    fn playout(&self, none: usize) -> impl Iterator<Item = PlayedMove> {
        (self.line..self.moves.len()).map(move |ply| self.played(ply, none))
    }

    #[inline(always)]
    fn all(&self, none: usize) -> impl Iterator<Item = PlayedMove> {
        (0..self.moves.len()).map(move |ply| self.played(ply, none))
    }
}

impl SequentialGame<'_> {
    #[inline(always)]
    fn played(&self, ply: usize, none: usize) -> PlayedMove {
        let earlier = |plies: usize| {
            if ply >= plies { self.moves[ply - plies] as usize } else { none }
        };
        PlayedMove {
            side: self.first_side ^ (ply & 1),
            number: self.moves[ply] as usize,
            context: Context { before: earlier(2), last: earlier(1) },
        }
    }
}

/// A simulated game of sides that move at once, where a move is the cell it leads to.
#[derive(Clone, Copy, Debug)]
pub struct SimultaneousGame<'a> {
    /// Where the sides are after each step; before the first, where they began.
    pub cells: &'a [[u16; 2]],
    /// How many steps are of the tree.
    pub line: usize,
    /// The side whose moves count as made after those of the other in the same step (Laschet 2012 §5.2); if
    /// none, both are made after the step before, which is the last that is known (§3.1).
    pub second: Option<usize>,
    pub winner: Option<usize>,
}

impl LearnableGame for SimultaneousGame<'_> {
    #[inline(always)]
    fn winner(&self) -> Option<usize> {
        self.winner
    }

    #[inline(always)]
    fn playout(&self, _none: usize) -> impl Iterator<Item = PlayedMove> {
        self.after(self.line)
    }

    #[inline(always)]
    fn all(&self, _none: usize) -> impl Iterator<Item = PlayedMove> {
        self.after(0)
    }
}

impl SimultaneousGame<'_> {
    /// The moves after so many steps.
    #[inline(always)]
    fn after(&self, steps: usize) -> impl Iterator<Item = PlayedMove> {
        let pairs = self.cells[steps..].array_windows();
        pairs.flat_map(move |[from, to]| [self.played(0, from, to), self.played(1, from, to)])
    }

    #[inline(always)]
    fn played(&self, side: usize, from: &[u16; 2], to: &[u16; 2]) -> PlayedMove {
        let seen = if self.second == Some(side) { to } else { from };
        let context = Context { before: from[side] as usize, last: seen[1 - side] as usize };
        PlayedMove { side, number: to[side] as usize, context }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laschet's figure 3: A, C, E, G, I are the moves of player 1, B, D, F, H, J those of player 2.
    #[test]
    fn moves_at_once_are_answers_to_the_step_before() {
        let [a, b, c, d, e, f, g, h] = [1, 2, 3, 4, 5, 6, 7, 8];
        let cells = [[a, b], [c, d], [e, f], [g, h]];
        let played = |second, line| -> Vec<[usize; 4]> {
            let steps = SimultaneousGame { cells: &cells, line, second, winner: Some(0) };
            let numbers = |played: PlayedMove| {
                let PlayedMove { side, number, context: Context { before, last } } = played;
                [side, before, last, number]
            };
            steps.playout(0).map(numbers).collect()
        };
        let [a, b, c, d, e, f, g, h] = [a, b, c, d, e, f, g, h].map(usize::from);
        assert_eq!(played(None, 1), [[0, c, d, e], [1, d, c, f], [0, e, f, g], [1, f, e, h]]);
        assert_eq!(played(Some(1), 1), [[0, c, d, e], [1, d, e, f], [0, e, f, g], [1, f, g, h]]);
        assert_eq!(played(None, 0)[..2], [[0, a, b, c], [1, b, a, d]]);
        let steps = SimultaneousGame { cells: &cells, line: 3, second: None, winner: Some(0) };
        assert_eq!((steps.playout(0).count(), steps.all(0).count()), (0, 6));
        assert_eq!([0, 1].map(|side| steps.reward(side)), [1.0, 0.0]);
    }
}
