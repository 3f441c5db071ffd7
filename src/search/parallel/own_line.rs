//! A thread's own copies of what is counted along the main line of a shared tree.
//!
//! Every iteration of every thread adds to the children of the root, most of them to those of its best
//! move, and so on down the main line; with RAVE to all children there. In the tree, the threads would
//! wait for each other's cache lines. So a thread adds to copies of its own, and after a batch of
//! iterations gives what it has gained to the tree, and takes new copies. Where it selects, it sees its
//! own iterations at once, and those of others a batch later.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::search::rave::gather;
use crate::tree::{Block, Handle, RaveCount, Tree};

/// The blocks from the root's children down the main line, with the counts of this thread.
#[derive(Default)]
pub struct OwnLine {
    /// As long as the longest line so far: their memory is reused.
    blocks: Vec<OwnBlock>,
    length: usize,
}

/// Visits, points and RAVE counts of a block.
#[derive(Default)]
struct OwnBlock {
    handle: Option<Handle>,
    counts: [Vec<AtomicU32>; 3],
    /// The counts as they were when they were copied.
    copied: [Vec<u32>; 3],
}

/// Of the visits of the root, the part that a node on the line has at the least: there, other threads are
/// often at the same time.
const PART: u32 = 8;
/// Blocks on the line, at the most.
const LONGEST: usize = 8;

impl OwnLine {
    /// Copies the counts along the main line of a tree, of which none will gain more visits than `most`.
    pub fn take(&mut self, tree: &Tree, root_visits: u32, most: u64) {
        self.length = 0;
        let mut next = tree.children();
        while let Some(handle) = next.filter(|_| self.length < LONGEST) {
            if self.length == self.blocks.len() {
                self.blocks.push(OwnBlock::default());
            }
            let block = tree.block(handle);
            self.blocks[self.length].take(handle, &block, most);
            self.length += 1;
            let best = (0..block.count()).max_by_key(|index| block.real_visits(*index));
            let best = best.filter(|index| {
                u64::from(block.real_visits(*index)) * u64::from(PART) >= u64::from(root_visits)
            });
            next = best.and_then(|best| block.child(best));
        }
    }

    /// Gives the tree what was gained since the copies were taken.
    pub fn give(&mut self, tree: &Tree) {
        for own in &mut self.blocks[..self.length] {
            let handle = own.handle.expect("it was taken");
            own.give(&tree.block(handle));
        }
        self.length = 0;
    }

    /// Whether a block on a level of a path is on the line.
    #[inline(always)]
    pub fn has(&self, level: usize, handle: Handle) -> bool {
        level < self.length && self.blocks[level].handle == Some(handle)
    }

    /// A block on a level of a path: with the own counts, if it is on the line.
    #[inline(always)]
    pub fn block<'a>(&'a self, tree: &'a Tree, level: usize, handle: Handle) -> Block<'a> {
        let block = tree.block(handle);
        if self.has(level, handle) {
            let [visits, wins, rave] = &self.blocks[level].counts;
            block.with_counts(visits, wins, rave)
        } else {
            block
        }
    }
}

impl OwnBlock {
    fn take(&mut self, handle: Handle, block: &Block, most: u64) {
        self.handle = Some(handle);
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

    fn give(&mut self, block: &Block) {
        for (counts, copied) in self.counts.iter_mut().zip(&self.copied) {
            // From here on they are gains.
            counts.iter_mut().zip(copied).for_each(|(count, copied)| *count.get_mut() -= copied);
        }
        let [visits, wins, rave] = &self.counts;
        for (index, (visits, wins)) in visits.iter().zip(wins).enumerate() {
            let visits = visits.load(Relaxed);
            if visits > 0 {
                block.add(index, visits, wins.load(Relaxed), true);
            }
        }
        gather(rave, block.rave_cells());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Place;

    #[test]
    fn what_is_gained_is_given() {
        let mut tree = Tree::for_threads(1 << 20, 2);
        let handle = tree.expand_root(3, 0..3, |block| block.set_priors(5, |_| 1)).expect("room");
        let full = RaveCount::new(RaveCount::FULL - 3, 7);
        tree.block_mut(handle).rave[1] = full;
        let block = tree.block(handle);
        let mut own = OwnLine::default();
        own.take(&tree, 0, 64);
        {
            let mine = own.block(&tree, 0, handle);
            assert_eq!((mine.visits(2), mine.wins(2), mine.real_visits(2)), (5, 1, 0));
            mine.add(2, 3, 4, true);
            mine.rave_cells()[1].fetch_add(RaveCount::new(2, 1).0, Relaxed);
            assert_eq!((mine.visits(2), block.visits(2)), (8, 5));
        }
        // Another thread was there too.
        block.add(2, 10, 20, true);
        own.give(&tree);
        assert_eq!((block.visits(2), block.wins(2)), (18, 25));
        assert_eq!((block.visits(0), block.wins(0)), (5, 1));
        assert_eq!(block.rave(1), RaveCount(full.0 + RaveCount::new(2, 1).0));
        assert!(!own.has(0, handle), "what was given is gone");
    }

    #[test]
    fn the_line_goes_along_the_most_visited_moves() {
        let mut tree = Tree::for_threads(1 << 20, 2);
        let root = tree.expand_root(3, 0..3, |_| ()).expect("room");
        let behind = |block: Handle, index: usize| {
            tree.expand(&mut tree.plot(0), Place { block, index }, 2, 5..7, |_| ()).expect("room")
        };
        let (seldom, often) = (behind(root, 0), behind(root, 2));
        let below = behind(often, 1);
        tree.block(root).add(0, 10, 0, true);
        tree.block(root).add(2, 90, 0, true);
        tree.block(often).add(0, 80, 0, true);
        tree.block(often).add(1, 9, 0, true);
        let mut own = OwnLine::default();
        own.take(&tree, 100, 64);
        assert!(own.has(0, root) && own.has(1, often));
        assert!(!own.has(1, seldom) && !own.has(2, below), "they have few visits");
        assert!(!own.has(1, root), "on another level");
        own.block(&tree, 1, often).add(1, 3, 2, false);
        own.block(&tree, 1, seldom).add(1, 4, 2, false);
        assert_eq!((tree.block(often).visits(1), tree.block(seldom).visits(1)), (9, 4));
        own.give(&tree);
        assert_eq!((tree.block(often).visits(1), tree.block(often).wins(1)), (12, 2));
    }
}
