//! Moves that search passes to a playout: PoolRave and PPR (Duguépéroux 2016 §3.2, §4).
//!
//! - Search makes the list before the playout, from the RAVE values of a node above the leaf: the N best
//!   moves (PoolRave), or those above a threshold (PPR).
//! - With probability `p` a move is a random one of the list. Otherwise PoolRave plays any move.
//! - PPR draws a number `xi`. It plays from the list if `xi <= p`, otherwise from the last `1 - xi` part of
//!   the possible moves (algorithm 1).
//! - The paper does not give the order of the possible moves. It matters: most of the gain is the
//!   "additional bias" of §4.
//! - Here they are a list in which the last move fills the gap of the one played, so the last part moves
//!   over the board and both sides meet there. Row by row, the last part stays in one place, which loses;
//!   shuffled, there is no bias and no gain (1,000 playouts, base 6, 200 games each: 65, 36 and 53 % +- 7).
//! - A list without legal moves leaves the move to other policies.
//!
//! N and p of PoolRave are not in the paper.

use crate::params::{MoveOrder, Params};
use crate::rng::Rng;

/// The list of moves from search, and how it is used.
pub struct Pool {
    /// The probability of a move from the list.
    chance: f32,
    /// The order of the possible moves, for PPR.
    tail: Option<MoveOrder>,
    /// The list from search, and the moves of it that are left in this playout.
    list: Vec<u16>,
    left: Vec<u16>,
}

/// The source of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pick {
    Listed(usize),
    /// One of the last `n` possible moves, in the order of the board or of the list.
    OfBoard(u32),
    OfList(u32),
}

impl Pool {
    pub fn new(params: &Params) -> Option<Self> {
        let (chance, tail) = match (params.ppr, params.pool_rave) {
            (true, _) => (params.ppr_chance, Some(params.ppr_order)),
            (false, true) => (params.pool_chance, None),
            (false, false) => return None,
        };
        Some(Self { chance, tail, list: Vec::new(), left: Vec::new() })
    }

    /// The list, to be filled by the caller.
    pub fn list_mut(&mut self) -> &mut Vec<u16> {
        &mut self.list
    }

    /// Starts a playout.
    #[inline(always)]
    pub fn begin(&mut self) {
        self.left.clear();
        self.left.extend_from_slice(&self.list);
    }

    /// The move, or where to take it from; `None` leaves it to another policy.
    #[inline(always)]
    pub fn pick(
        &mut self,
        possible: u32,
        is_legal: impl Fn(usize) -> bool,
        rng: &mut Rng,
    ) -> Option<Pick> {
        if self.list.is_empty() {
            return None;
        }
        let xi = rng.unit();
        if xi > self.chance {
            let part = (((1.0 - xi) * possible as f32) as u32).max(1);
            return match self.tail {
                Some(MoveOrder::Board) => Some(Pick::OfBoard(part)),
                Some(MoveOrder::List) => Some(Pick::OfList(part)),
                Some(MoveOrder::Shuffled) | None => None,
            };
        }
        while !self.left.is_empty() {
            let at = rng.below(self.left.len() as u32) as usize;
            let number = self.left[at] as usize;
            if is_legal(number) {
                return Some(Pick::Listed(number));
            }
            self.left.swap_remove(at);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(settings: &[&str], list: &[u16]) -> Pool {
        let mut params = Params::default();
        settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
        let mut pool = Pool::new(&params).expect("a pool");
        pool.list_mut().extend_from_slice(list);
        pool.begin();
        pool
    }

    #[test]
    fn moves_of_the_list_come_with_its_probability() {
        let mut pool = pool(&["pool_rave=true", "pool_chance=0.3"], &[4, 5, 6]);
        let mut rng = Rng::new(1);
        let picks: Vec<_> = (0..10_000).map(|_| pool.pick(50, |n| n != 5, &mut rng)).collect();
        let count = |wanted| picks.iter().filter(|pick| **pick == wanted).count();
        let [four, six] = [4, 6].map(|number| count(Some(Pick::Listed(number))));
        assert!((1400..1600).contains(&four) && (1400..1600).contains(&six), "{four} {six}");
        assert_eq!(four + six + count(None), picks.len());
    }

    #[test]
    fn the_rest_of_ppr_is_the_end_of_the_board() {
        let mut pool = pool(&["ppr=true", "ppr_order=board"], &[4]);
        let mut rng = Rng::new(1);
        let picks: Vec<_> = (0..10_000).map(|_| pool.pick(50, |_| true, &mut rng)).collect();
        let listed = picks.iter().filter(|pick| **pick == Some(Pick::Listed(4))).count();
        assert!((7800..8200).contains(&listed), "{listed}");
        // xi is between 0.8 and 1: at most the last ten moves of fifty.
        let parts = picks.iter().filter_map(|pick| match pick {
            Some(Pick::OfBoard(part)) => Some(*part),
            _ => None,
        });
        let parts: Vec<u32> = parts.collect();
        assert_eq!(listed + parts.len(), picks.len());
        assert!(parts.contains(&1) && parts.contains(&9) && parts.iter().all(|part| *part <= 10));
    }

    #[test]
    fn an_empty_list_says_nothing() {
        let mut rng = Rng::new(1);
        assert_eq!(pool(&["ppr=true"], &[]).pick(50, |_| true, &mut rng), None);
        let mut used_up = pool(&["ppr=true", "ppr_chance=1"], &[3, 4]);
        assert_eq!(used_up.pick(50, |_| false, &mut rng), None);
        assert!(used_up.left.is_empty());
        used_up.begin();
        assert_eq!(used_up.left, [3, 4], "the next playout has them again");
    }
}
