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

/// Which moves come before one of sides that move at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepOrder {
    /// The opponent's in the step before, and the own one a step earlier: the own one in between is
    /// implied by where it led (Laschet 2012 §3.1, figure 3: F-G-J).
    AtOnce,
    /// Those of both in the step before (§3.2, for last good replies).
    StepBefore,
    /// As if the sides moved in turn, this one second in each step: the last two moves (§5.2).
    InTurn { second: usize },
}

/// A simulated game of sides that move at once, where a move is the cell it leads to.
#[derive(Clone, Copy, Debug)]
pub struct SimultaneousGame<'a> {
    /// Where the sides are after each step; before the first, where they began.
    pub cells: &'a [[u16; 2]],
    /// Where the sides were a step before they began, if there was one.
    pub earlier: Option<[u16; 2]>,
    /// How many steps are of the tree.
    pub line: usize,
    pub order: StepOrder,
    pub winner: Option<usize>,
}

impl LearnableGame for SimultaneousGame<'_> {
    #[inline(always)]
    fn winner(&self) -> Option<usize> {
        self.winner
    }

    #[inline(always)]
    fn playout(&self, none: usize) -> impl Iterator<Item = PlayedMove> {
        self.after(self.line, none)
    }

    #[inline(always)]
    fn all(&self, none: usize) -> impl Iterator<Item = PlayedMove> {
        self.after(0, none)
    }
}

impl SimultaneousGame<'_> {
    /// The moves after so many steps.
    #[inline(always)]
    fn after(&self, steps: usize, none: usize) -> impl Iterator<Item = PlayedMove> {
        let earlier = if steps > 0 { Some(self.cells[steps - 1]) } else { self.earlier };
        let mut earlier = earlier.map_or([none; 2], |cells| cells.map(usize::from));
        let pairs = self.cells[steps..].array_windows();
        pairs.flat_map(move |[from, to]| {
            let [from, to] = [from, to].map(|cells| cells.map(usize::from));
            let played = [0, 1].map(|side| PlayedMove {
                side,
                number: to[side],
                context: self.order.context(side, earlier, from, to),
            });
            earlier = from;
            played
        })
    }
}

impl StepOrder {
    /// What a side's move comes after: the sides were at `earlier`, then at `from`, and go to `to`.
    #[inline(always)]
    pub fn context(
        self,
        side: usize,
        earlier: [usize; 2],
        from: [usize; 2],
        to: [usize; 2],
    ) -> Context {
        match self {
            Self::AtOnce => Context { before: earlier[side], last: from[1 - side] },
            Self::InTurn { second } if second == side => {
                Context { before: from[side], last: to[1 - side] }
            }
            Self::StepBefore | Self::InTurn { .. } => {
                Context { before: from[side], last: from[1 - side] }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Laschet's figure 3: A, C, E, G, I are the moves of player 1, B, D, F, H, J those of player 2.
    #[test]
    fn moves_at_once_answer_the_step_before_and_the_own_one_a_step_earlier() {
        let [a, b, c, d, e, f, g, h, i, j] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        let cells = [[a, b], [c, d], [e, f], [g, h], [i, j]];
        let none = 99;
        let played = |order, line, earlier| -> Vec<[usize; 4]> {
            let steps = SimultaneousGame { cells: &cells, earlier, line, order, winner: Some(0) };
            let numbers = |played: PlayedMove| {
                let PlayedMove { side, number, context: Context { before, last } } = played;
                [side, before, last, number]
            };
            steps.playout(none).map(numbers).collect()
        };
        let at_once = played(StepOrder::AtOnce, 2, None);
        let step_before = played(StepOrder::StepBefore, 2, None);
        let in_turn = played(StepOrder::InTurn { second: 1 }, 2, None);
        let root = played(StepOrder::AtOnce, 0, None);
        let later_root = played(StepOrder::AtOnce, 0, Some([20, 21]));
        let steps = SimultaneousGame {
            cells: &cells,
            earlier: None,
            line: 4,
            order: StepOrder::AtOnce,
            winner: Some(0),
        };
        let [a, b, c, d, e, f, g, h, i, j] = [a, b, c, d, e, f, g, h, i, j].map(usize::from);
        // F-G-J: without H, which F and J imply, and without I, which was made at the same time.
        assert_eq!(at_once, [[0, c, f, g], [1, d, e, h], [0, e, h, i], [1, f, g, j]]);
        assert_eq!(step_before, [[0, e, f, g], [1, f, e, h], [0, g, h, i], [1, h, g, j]]);
        // G-H-I and H-I-J (§5.2).
        assert_eq!(in_turn, [[0, e, f, g], [1, f, g, h], [0, g, h, i], [1, h, i, j]]);
        assert_eq!(root[..4], [[0, none, b, c], [1, none, a, d], [0, a, d, e], [1, b, c, f]]);
        assert_eq!(later_root[..2], [[0, 20, b, c], [1, 21, a, d]]);
        assert_eq!((steps.playout(none).count(), steps.all(none).count()), (0, 8));
        assert_eq!([0, 1].map(|side| steps.reward(side)), [1.0, 0.0]);
    }
}
