//! A thread's own copy of what is counted at the root of a shared tree.
//!
//! Every iteration of every thread adds to the children of the root, and with RAVE to all of them: in the
//! tree, the threads would wait for each other's cache lines. So a thread adds to its own copy, and after
//! a batch of iterations gives what it has gained to the tree, and takes a new copy. Where it selects, it
//! sees its own iterations at once, and those of others a batch later.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::search::rave::gather;
use crate::tree::{Block, RaveCount};

/// Visits, points and RAVE counts of the root's children.
#[derive(Default)]
pub struct OwnRoot {
    counts: [Vec<AtomicU32>; 3],
    /// The counts as they were when they were copied.
    copied: [Vec<u32>; 3],
}

impl OwnRoot {
    /// Copies the counts of a block, of which none will gain more visits than `most`.
    pub fn take(&mut self, block: &Block, most: u64) {
        let room = RaveCount::FULL.saturating_sub(most as u32);
        for (column, copied) in self.copied.iter_mut().enumerate() {
            let count = |index: usize| match column {
                0 => block.visits(index),
                1 => block.wins(index),
                // A count that could become full is halved before.
                _ if block.rave(index).visits() >= room => block.rave(index).halved().0,
                _ => block.rave(index).0,
            };
            copied.clear();
            copied.extend((0..block.count()).map(count));
            self.counts[column].clear();
            self.counts[column].extend(copied.iter().map(|count| AtomicU32::new(*count)));
        }
    }

    /// The block with these counts instead of its own.
    #[inline(always)]
    pub fn instead<'a>(&'a self, block: Block<'a>) -> Block<'a> {
        let [visits, wins, rave] = &self.counts;
        block.with_counts(visits, wins, rave)
    }

    /// The RAVE counts.
    pub fn rave(&self) -> &[AtomicU32] {
        &self.counts[2]
    }

    /// Adds what was gained since the copy was taken to the block.
    pub fn give(&mut self, block: &Block) {
        for (counts, copied) in self.counts.iter_mut().zip(&self.copied) {
            // From here on they are gains.
            counts.iter_mut().zip(copied).for_each(|(count, copied)| *count.get_mut() -= copied);
        }
        let [visits, wins, rave] = &self.counts;
        for (index, (visits, wins)) in visits.iter().zip(wins).enumerate() {
            block.add(index, visits.load(Relaxed), wins.load(Relaxed), true);
        }
        gather(rave, block.rave_cells());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    #[test]
    fn what_is_gained_is_given() {
        let mut tree = Tree::for_threads(1 << 20, 2);
        let handle = tree.expand_root(3, 0..3, |block| block.set_priors(5, |_| 1)).expect("room");
        let full = RaveCount::new(RaveCount::FULL - 3, 7);
        tree.block_mut(handle).rave[1] = full;
        let block = tree.block(handle);
        let mut own = OwnRoot::default();
        own.take(&block, 64);
        {
            let mine = own.instead(tree.block(handle));
            assert_eq!((mine.visits(2), mine.wins(2), mine.real_visits(2)), (5, 1, 0));
            mine.add(2, 3, 4, true);
            mine.rave_cells()[1].fetch_add(RaveCount::new(2, 1).0, Relaxed);
            assert_eq!((mine.visits(2), block.visits(2)), (8, 5));
        }
        // Another thread was there too.
        block.add(2, 10, 20, true);
        own.give(&block);
        assert_eq!((block.visits(2), block.wins(2)), (18, 25));
        assert_eq!((block.visits(0), block.wins(0)), (5, 1));
        assert_eq!(block.rave(1), RaveCount(full.0 + RaveCount::new(2, 1).0));
    }
}
