//! Simultaneous moves: the counts by which the second side chooses, if each side has its own. A node is
//! a stacked matrix game (Lanctot, Wittlinger, Winands and den Teuling 2013).
//!
//! - A node has a child for each move of the side that chooses first. Below each of them is a block with
//!   a child for each move of the second side: these are the pairs of simultaneous moves.
//! - The counts of the first side are those of its children. The counts of a move of the second side are
//!   sums over all pairs with this move. So they need no memory, and the tree is the same as for moves
//!   in turn.
//! - A proven move of the first side has no block below it any more, and is not counted.
//! - Prior probabilities of the second side's moves are means over the same blocks. There is no RAVE.

use std::sync::atomic::{AtomicU8, AtomicU32};

use crate::tree::{Block, Handle, RaveCount};

/// The counts of the second side's moves, summed over the moves of the first. Their memory is reused.
#[derive(Default)]
pub struct Sums {
    visits: Vec<AtomicU32>,
    wins: Vec<AtomicU32>,
    rave: Vec<AtomicU32>,
    status: Vec<AtomicU8>,
}

impl Sums {
    /// The block `second` with the sums over all blocks below `first`, and with nothing proven: proofs
    /// depend on the choice of the first side. `look` returns the block of a handle.
    pub fn over<'a, 'tree: 'a>(
        &'a mut self,
        look: impl Fn(Handle) -> Block<'tree>,
        first: Handle,
        second: Handle,
    ) -> Block<'a> {
        let block = look(second);
        let count = block.count();
        let zero = |column: &mut Vec<AtomicU32>| {
            column.clear();
            column.resize_with(count, AtomicU32::default);
        };
        [&mut self.visits, &mut self.wins, &mut self.rave].into_iter().for_each(zero);
        self.status.clear();
        self.status.resize_with(count, AtomicU8::default);
        let first = look(first);
        let mut blocks: u32 = 0;
        for handle in (0..first.count()).filter_map(|index| first.child(index)) {
            let other = look(handle);
            blocks += 1;
            debug_assert_eq!(other.moves, block.moves, "moves do not depend on the other's");
            for index in 0..count {
                *self.visits[index].get_mut() += other.visits(index);
                *self.wins[index].get_mut() += other.wins(index);
                *self.rave[index].get_mut() += other.rave(index).points();
            }
        }
        for cell in &mut self.rave {
            *cell.get_mut() = RaveCount::new(0, *cell.get_mut() / blocks.max(1)).0;
        }
        block.with_counts(&self.visits, &self.wins, &self.rave).with_status(&self.status)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::tree::{NodeRef, Status, Tree};

    #[test]
    fn counts_are_summed_over_what_the_other_may_have_chosen() {
        let mut tree = Tree::new(1 << 20);
        let first = tree.expand_root(&[10, 11, 12], |_| ()).expect("room");
        let behind = |index: usize| {
            let place = NodeRef { block: first, index };
            tree.expand(&mut tree.allocator(0), place, &[20, 21], |_| ()).expect("room")
        };
        // The last move of the first side has no children yet.
        let (one, two) = (behind(0), behind(1));
        tree.block(one).rave_cells()[0].store(RaveCount::of_prior(0.8).0, Relaxed);
        tree.block(two).rave_cells()[0].store(RaveCount::of_prior(0.4).0, Relaxed);
        tree.block(one).add(0, 3, 4, false);
        tree.block(two).add(0, 5, 6, false);
        tree.block(two).add(1, 7, 0, false);
        let place = NodeRef { block: two, index: 1 };
        tree.mark(&mut tree.allocator(0), place, Status::LOST, 1);
        let mut sums = Sums::default();
        {
            let summed = sums.over(|handle| tree.block(handle), first, one);
            assert_eq!(summed.moves, [20, 21]);
            assert_eq!([0, 1].map(|index| summed.visits(index)), [8, 7]);
            assert_eq!([0, 1].map(|index| summed.wins(index)), [10, 0]);
            let prior = summed.rave(0).prior().expect("a prior");
            assert!((prior - 0.6).abs() < 1e-4, "the mean: {prior}");
            assert!((0..2).all(|index| summed.status(index) == Status::UNKNOWN));
        }
        let again = sums.over(|handle| tree.block(handle), first, two);
        assert_eq!(again.visits(0), 8, "nothing is left of the last time");
    }
}
