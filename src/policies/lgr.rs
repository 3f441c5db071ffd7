//! Last good replies (Drake 2009; Baier and Drake 2010; Stankiewicz 2011 §2.2.4).
//!
//! Every move of a playout's winner becomes that side's reply to the move before it, and for the
//! kinds with two, also to the two moves before it. A reply is played whenever it is legal; without
//! one to two moves, the one to the last move is. With forgetting, replies of the loser that were
//! played in the playout are dropped. A draw changes nothing. Each side has tables of its own. Only
//! the moves of the playout count, not those of the tree; the first of them is a reply to the last
//! move of the tree.
//!
//! Laschet 2012 §3.2, for a game with many draws, is an option: the moves of a draw become replies too,
//! and a reply gives way only to one of a higher reward.

use std::hint::select_unpredictable;

use super::games::{Context, LearnableGame};
use crate::params::{LastGoodReply, Params};

/// Stands for no reply.
const NONE: u16 = u16::MAX;

/// Set in a reply that has drawn.
const DRAWN: u16 = 1 << 15;

/// The replies of both sides.
pub struct Replies {
    /// Move numbers are below this; the number itself stands for no move.
    span: usize,
    /// Whether replies to two moves are kept, and whether the loser's are forgotten.
    has_two: bool,
    forgets: bool,
    /// Whether replies are compared by their reward.
    compares: bool,
    /// For each side, the reply to a move.
    to_one: [Vec<u16>; 2],
    /// For each side, the reply to two moves, by the one before and the last.
    to_two: [Vec<u16>; 2],
}

impl Replies {
    /// Tables for moves with numbers below `span`; none if they are not wanted.
    pub fn new(params: &Params, span: usize) -> Option<Self> {
        debug_assert!(span < usize::from(NONE & !DRAWN));
        let (has_two, forgets) = match params.lgr {
            LastGoodReply::Off => return None,
            LastGoodReply::One => (false, false),
            LastGoodReply::Two => (true, false),
            LastGoodReply::OneForgetting => (false, true),
            LastGoodReply::TwoForgetting => (true, true),
        };
        let (one, two) = (span + 1, if has_two { (span + 1) * (span + 1) } else { 0 });
        let table = |length: usize| [vec![NONE; length], vec![NONE; length]];
        let (compares, to_one, to_two) = (params.lgr_compare, table(one), table(two));
        Some(Self { span, has_two, forgets, compares, to_one, to_two })
    }

    /// The reply of a side to the last moves, if it has one that is legal.
    #[inline(always)]
    pub fn reply(
        &self,
        side: usize,
        context: Context,
        is_legal: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        // Whether a reply is legal cannot be foretold: one branch for both. (Any number will do to ask
        // about where there is none.)
        let known = |reply: u16| {
            let is_known = reply != NONE;
            let number = usize::from(select_unpredictable(is_known, reply & !DRAWN, 0));
            (number, is_known & is_legal(number))
        };
        let (mut number, mut is_found) = known(self.to_one[side][context.last]);
        if self.has_two {
            let (to_two, is_legal) = known(self.to_two[side][self.pair(context)]);
            number = select_unpredictable(is_legal, to_two, number);
            is_found |= is_legal;
        }
        is_found.then_some(number)
    }

    /// Learns from a playout.
    #[inline(always)]
    pub fn learn(&mut self, game: &impl LearnableGame) {
        let Some(winner) = game.winner() else {
            if self.compares {
                self.learn_from_draw(game);
            }
            return;
        };
        for played in game.playout(self.span) {
            let number = played.number as u16;
            let pair = self.pair(played.context);
            let (one, two) = (&mut self.to_one[played.side], &mut self.to_two[played.side]);
            let last = played.context.last;
            if played.side == winner {
                // One that has won stays, if replies are compared.
                let stays = |reply: u16| self.compares && reply & DRAWN == 0;
                one[last] = if stays(one[last]) { one[last] } else { number };
                if self.has_two {
                    two[pair] = if stays(two[pair]) { two[pair] } else { number };
                }
            } else if self.forgets {
                // (Never where there is none: no move has so high a number.)
                let is_it = |reply: u16| reply & !DRAWN == number;
                one[last] = select_unpredictable(is_it(one[last]), NONE, one[last]);
                if self.has_two {
                    two[pair] = select_unpredictable(is_it(two[pair]), NONE, two[pair]);
                }
            }
        }
    }

    /// Moves of a draw become replies where there are none.
    fn learn_from_draw(&mut self, game: &impl LearnableGame) {
        for played in game.playout(self.span) {
            let reply = played.number as u16 | DRAWN;
            let pair = self.pair(played.context);
            let one = &mut self.to_one[played.side][played.context.last];
            *one = if *one == NONE { reply } else { *one };
            if self.has_two {
                let two = &mut self.to_two[played.side][pair];
                *two = if *two == NONE { reply } else { *two };
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for table in self.to_one.iter_mut().chain(&mut self.to_two) {
            table.fill(NONE);
        }
    }

    pub fn bytes(&self) -> usize {
        let tables = self.to_one.iter().chain(&self.to_two);
        tables.map(|table| size_of_val(&table[..])).sum()
    }

    #[inline(always)]
    fn pair(&self, context: Context) -> usize {
        context.before * (self.span + 1) + context.last
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::SequentialGame;
    use super::*;

    const SPAN: usize = 10;

    /// A game of the moves 1 to 6, the first two in the tree, side 0 first.
    fn script(winner: Option<usize>) -> SequentialGame<'static> {
        SequentialGame { moves: &[1, 2, 3, 4, 5, 6], line: 2, first_side: 0, winner }
    }

    fn replies(kind: LastGoodReply) -> Replies {
        Replies::new(&Params { lgr: kind, ..Params::default() }, SPAN).expect("a kind")
    }

    fn after(before: usize, last: usize) -> Context {
        Context { before, last }
    }

    fn reply(of: &Replies, side: usize, before: usize, last: usize) -> Option<usize> {
        of.reply(side, after(before, last), |_| true)
    }

    #[test]
    fn the_winner_s_moves_become_its_replies() {
        let mut table = replies(LastGoodReply::One);
        table.learn(&script(Some(0)));
        // 3 and 5 are side 0's moves in the playout; 1 and 2 were moves of the tree.
        assert_eq!(reply(&table, 0, 9, 2), Some(3));
        assert_eq!(reply(&table, 0, 9, 4), Some(5));
        assert_eq!(reply(&table, 0, 9, SPAN), None);
        for last in 0..=SPAN {
            assert_eq!(reply(&table, 1, 9, last), None);
        }
        table.learn(&script(Some(1)));
        assert_eq!(reply(&table, 1, 9, 3), Some(4));
        assert_eq!(reply(&table, 1, 9, 5), Some(6));
        // Without forgetting, the loser keeps its replies.
        assert_eq!(reply(&table, 0, 9, 2), Some(3));
    }

    #[test]
    fn replies_to_two_moves_come_before_replies_to_one() {
        let mut table = replies(LastGoodReply::Two);
        table.learn(&script(Some(0)));
        table.learn(&SequentialGame { moves: &[7, 2, 8], line: 2, first_side: 0, winner: Some(0) });
        assert_eq!(reply(&table, 0, 1, 2), Some(3));
        assert_eq!(reply(&table, 0, 7, 2), Some(8));
        assert_eq!(reply(&table, 0, 9, 2), Some(8), "the last reply to 2 alone");
        // What is not legal is not played: then the reply to one move is tried.
        assert_eq!(table.reply(0, after(1, 2), |number| number != 3), Some(8));
        assert_eq!(table.reply(0, after(1, 2), |_| false), None);
    }

    #[test]
    fn forgetting_drops_the_loser_s_replies_that_were_played() {
        for kind in [LastGoodReply::OneForgetting, LastGoodReply::TwoForgetting] {
            let mut table = replies(kind);
            table.learn(&script(Some(0)));
            table.learn(&SequentialGame {
                moves: &[1, 2, 3, 4, 9],
                line: 2,
                first_side: 0,
                winner: Some(1),
            });
            assert_eq!(reply(&table, 0, 1, 2), None, "3 was played and lost");
            assert_eq!(reply(&table, 0, 3, 4), Some(5), "9 was not the reply to 4");
            assert_eq!(reply(&table, 1, 2, 3), Some(4));
        }
    }

    #[test]
    fn replies_that_are_compared_give_way_to_better_ones_only() {
        let params =
            Params { lgr: LastGoodReply::TwoForgetting, lgr_compare: true, ..Params::default() };
        let mut table = Replies::new(&params, SPAN).expect("a kind");
        let game = |moves, winner| SequentialGame { moves, line: 2, first_side: 0, winner };
        table.learn(&game(&[1, 2, 3], None));
        assert_eq!(reply(&table, 0, 1, 2), Some(3), "a draw is a reply");
        table.learn(&game(&[1, 2, 4], None));
        assert_eq!(reply(&table, 0, 1, 2), Some(3), "another draw is no better");
        table.learn(&game(&[1, 2, 5], Some(0)));
        assert_eq!(reply(&table, 0, 1, 2), Some(5), "a win is");
        table.learn(&game(&[1, 2, 6], Some(0)));
        table.learn(&game(&[1, 2, 7], None));
        assert_eq!(reply(&table, 0, 1, 2), Some(5), "another win is no better, nor a draw");
        table.learn(&game(&[1, 2, 6], Some(1)));
        assert_eq!(reply(&table, 0, 1, 2), Some(5), "6 was not the reply");
        table.learn(&game(&[1, 2, 5], Some(1)));
        assert_eq!(reply(&table, 0, 1, 2), None, "it has lost");
        table.learn(&game(&[1, 2, 3], None));
        table.learn(&game(&[1, 2, 3], Some(1)));
        assert_eq!(reply(&table, 0, 1, 2), None, "one that has drawn is forgotten as well");
    }

    #[test]
    fn a_draw_changes_nothing_and_clearing_everything() {
        let mut table = replies(LastGoodReply::TwoForgetting);
        table.learn(&script(Some(0)));
        table.learn(&script(None));
        assert_eq!(reply(&table, 0, 1, 2), Some(3));
        table.clear();
        assert_eq!(reply(&table, 0, 1, 2), None);
    }
}
