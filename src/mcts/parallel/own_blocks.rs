//! A thread's own copies of the blocks that it visits often, where the tree is shared.
//!
//! The invariant: a thread adds to its copy of a block, if it has one, and otherwise to the tree. After
//! a stretch of playouts it adds its gains to the tree, and takes new copies.
//! - Reason: every iteration of every thread adds to the children of the root, many to those of the best
//!   moves; with RAVE, to all children of these nodes.
//! - Without copies a thread would find most of these cache lines in the cache of another core: some
//!   30 ns away on a neighbouring core, but 170 ns where cores do not share a cache. A block has up to 51
//!   of them.
//! - Selection sees the thread's own iterations at once, and those of others one or two stretches later.

use std::collections::BinaryHeap;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::epoch::BATCH;
use crate::mcts::rave::gather;
use crate::tree::{Block, Handle, RaveCount, Tree};

/// The copies of a thread, with its own counts. They do not count as memory of the tree.
pub struct OwnBlocks {
    /// As many as there ever were: their memory is reused. The first `length` are in use.
    blocks: Vec<OwnBlock>,
    length: usize,
    /// A hash table with open addressing, from handles to indices in `blocks`.
    places: Box<[u8; PLACES]>,
    /// Blocks to copy, with the visits of their nodes; the most visited comes first.
    wanted: BinaryHeap<(u32, Handle)>,
    /// Playouts until the copies are exchanged.
    left: u64,
}

/// Visits, points and RAVE counts of a block.
#[derive(Default)]
struct OwnBlock {
    handle: Option<Handle>,
    counts: [Vec<AtomicU32>; 3],
    /// The counts when they were copied.
    copied: [Vec<u32>; 3],
}

/// The most copies: 1.7 MB on base 10. Their indices fit a byte.
const MOST: usize = 255;
const PLACES: usize = 2048;
/// Marks a free entry of the hash table.
const NONE: u8 = u8::MAX;
/// A stretch of all threads is this part of the playouts so far, so that what threads do not know of
/// each other stays small. A stretch has at least a batch and at most `LONGEST_STRETCH` playouts of a
/// thread.
const PART: u64 = 64;
const LONGEST_STRETCH: u64 = 2048;
/// A block is copied if it expects at least this number of visits in a stretch.
const LEAST: u64 = 4;

impl Default for OwnBlocks {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            length: 0,
            places: Box::new([NONE; PLACES]),
            wanted: BinaryHeap::new(),
            left: 0,
        }
    }
}

impl OwnBlocks {
    /// Exchanges the copies with the tree, if the stretch does not cover `playouts` more playouts.
    /// `root_visits` are the visits of the tree's root.
    pub fn refresh(&mut self, tree: &Tree, root_visits: u32, playouts: u64) {
        if self.left >= playouts {
            self.left -= playouts;
            return;
        }
        self.give(tree);
        let threads = tree.threads() as u64;
        let stretch = u64::from(root_visits) / (PART * threads);
        let stretch = stretch.clamp(BATCH, LONGEST_STRETCH).max(playouts);
        self.left = stretch - playouts;
        let least = (u64::from(root_visits) * LEAST).div_ceil(stretch).max(1);
        let gain = stretch + 2 * threads;
        self.wanted.extend(tree.children().map(|children| (root_visits, children)));
        while let Some((_, handle)) = self.wanted.pop() {
            self.take(tree, handle, least, gain);
            if self.length == MOST {
                self.wanted.clear();
            }
        }
    }

    /// Copies a block, and adds the blocks below its nodes with at least `least` visits to `wanted`. No
    /// count of the copy gains more than `gain`.
    fn take(&mut self, tree: &Tree, handle: Handle, least: u64, gain: u64) {
        if self.length == self.blocks.len() {
            self.blocks.push(OwnBlock::default());
        }
        let block = tree.block(handle);
        self.blocks[self.length].take(handle, &block, gain);
        let mut at = place(handle);
        while self.places[at] != NONE {
            at = (at + 1) % PLACES;
        }
        self.places[at] = self.length as u8;
        self.length += 1;
        let with_many = |index: usize| {
            let visits = block.real_visits(index);
            (u64::from(visits) >= least).then_some((visits, block.child(index)?))
        };
        self.wanted.extend((0..block.count()).filter_map(with_many));
    }

    /// Adds the gains of all copies to the tree, and drops the copies.
    pub fn give(&mut self, tree: &Tree) {
        for own in &mut self.blocks[..self.length] {
            let handle = own.handle.expect("it was taken");
            own.give(&tree.block(handle), tree.threads());
        }
        if self.length > 0 {
            self.places.fill(NONE);
        }
        self.length = 0;
        self.left = 0;
    }

    #[inline(always)]
    fn find(&self, handle: Handle) -> Option<&OwnBlock> {
        let mut at = place(handle);
        loop {
            // `NONE` is not an index of a block.
            let own = self.blocks[..self.length].get(usize::from(self.places[at]))?;
            if own.handle == Some(handle) {
                return Some(own);
            }
            at = (at + 1) % PLACES;
        }
    }

    /// Whether there is a copy of a block.
    #[inline(always)]
    pub fn has(&self, handle: Handle) -> bool {
        self.find(handle).is_some()
    }

    /// A block, with the thread's own counts if there is a copy.
    #[inline(always)]
    pub fn block<'a>(&'a self, tree: &'a Tree, handle: Handle) -> Block<'a> {
        let block = tree.block(handle);
        match self.find(handle) {
            Some(OwnBlock { counts: [visits, wins, rave], .. }) => {
                block.with_counts(visits, wins, rave)
            }
            None => block,
        }
    }
}

/// The first entry of the hash table for a handle.
#[inline(always)]
fn place(handle: Handle) -> usize {
    (handle.number().wrapping_mul(0x9e37_79b1) >> (u32::BITS - PLACES.ilog2())) as usize
}

impl OwnBlock {
    fn take(&mut self, handle: Handle, block: &Block, gain: u64) {
        self.handle = Some(handle);
        let room = RaveCount::FULL.saturating_sub(gain as u32);
        for (column, copied) in self.copied.iter_mut().enumerate() {
            let count = |index: usize| match column {
                0 => block.visits(index),
                1 => block.wins(index),
                _ => {
                    // Read once: other threads add to it.
                    let rave = block.rave(index);
                    // A count that could become full is halved first.
                    if rave.visits() >= room { rave.halved().0 } else { rave.0 }
                }
            };
            copied.clear();
            copied.extend((0..block.count()).map(count));
            self.counts[column].clear();
            self.counts[column].extend(copied.iter().map(|count| AtomicU32::new(*count)));
        }
    }

    fn give(&mut self, block: &Block, threads: usize) {
        for (counts, copied) in self.counts.iter_mut().zip(&self.copied) {
            // From here on the counts are gains.
            counts.iter_mut().zip(copied).for_each(|(count, copied)| *count.get_mut() -= copied);
        }
        let [visits, wins, rave] = &self.counts;
        for (index, (visits, wins)) in visits.iter().zip(wins).enumerate() {
            let visits = visits.load(Relaxed);
            if visits > 0 {
                block.add(index, visits, wins.load(Relaxed), true);
            }
        }
        gather(rave, block.rave_cells(), threads);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::NodeRef;

    #[test]
    fn what_is_gained_is_given() {
        let mut tree = Tree::for_threads(1 << 20, 2);
        let handle = tree
            .expand_root(&[0, 1, 2], |block| block.set_priors(5, [1; 3].into_iter()))
            .expect("room");
        let full = RaveCount::new(RaveCount::FULL - 5, 7);
        tree.block_mut(handle).rave[1] = full;
        let block = tree.block(handle);
        let mut own = OwnBlocks::default();
        own.refresh(&tree, 0, BATCH);
        {
            let mine = own.block(&tree, handle);
            assert_eq!((mine.visits(2), mine.wins(2), mine.real_visits(2)), (5, 1, 0));
            assert_eq!(mine.rave(1), full.halved(), "it could have become too full");
            mine.add(2, 3, 4, true);
            mine.rave_cells()[1].fetch_add(RaveCount::new(2, 1).0, Relaxed);
            assert_eq!((mine.visits(2), block.visits(2)), (8, 5));
        }
        // Another thread adds to the same node.
        block.add(2, 10, 20, true);
        own.give(&tree);
        assert_eq!((block.visits(2), block.wins(2)), (18, 25));
        assert_eq!((block.visits(0), block.wins(0)), (5, 1));
        assert_eq!(block.rave(1), RaveCount(full.0 + RaveCount::new(2, 1).0));
        assert!(!own.has(handle), "what was given is gone");
    }

    #[test]
    fn copies_are_of_the_blocks_with_many_visits() {
        let mut tree = Tree::for_threads(1 << 20, 2);
        let root = tree.add_children(None, 0..3).expect("room");
        let behind = |block: Handle, index: usize| {
            tree.expand(&mut tree.allocator(0), NodeRef { block, index }, &[5, 6], |_| ())
                .expect("room")
        };
        let (seldom, often, also) = (behind(root, 0), behind(root, 2), behind(root, 1));
        let (below, too) = (behind(often, 1), behind(also, 0));
        // A stretch has 64 playouts: a block needs 4 of 64 visits.
        for (block, index, visits) in [
            (root, 0, 60),
            (root, 1, 200),
            (root, 2, 740),
            (often, 0, 600),
            (often, 1, 62),
            (also, 0, 63),
        ] {
            tree.block(block).add(index, visits, 0, true);
        }
        let mut own = OwnBlocks::default();
        own.refresh(&tree, 1000, BATCH);
        assert!([root, often, also, too].iter().all(|handle| own.has(*handle)));
        assert!(![seldom, below].iter().any(|handle| own.has(*handle)), "they have few visits");
        own.block(&tree, often).add(1, 3, 2, false);
        own.block(&tree, seldom).add(1, 4, 2, false);
        assert_eq!((tree.block(often).visits(1), tree.block(seldom).visits(1)), (62, 4));
        own.give(&tree);
        assert_eq!((tree.block(often).visits(1), tree.block(often).wins(1)), (65, 2));
    }

    #[test]
    fn copies_are_exchanged_after_a_stretch() {
        let mut tree = Tree::for_threads(1 << 20, 2);
        let root = tree.add_children(None, 0..3).expect("room");
        let mut own = OwnBlocks::default();
        let stretch = 4 * BATCH;
        let visits_seen = |own: &mut OwnBlocks| {
            own.refresh(&tree, (stretch * 2 * PART) as u32, BATCH);
            tree.block(root).add_visits(1, 1);
            own.block(&tree, root).visits(1)
        };
        let seen: Vec<u32> = (0..9).map(|_| visits_seen(&mut own)).collect();
        assert_eq!(seen, [0, 0, 0, 0, 4, 4, 4, 4, 8]);
    }

    #[test]
    fn there_are_no_more_copies_than_fit() {
        let mut tree = Tree::for_threads(1 << 22, 2);
        let root = tree.add_children(None, 0..300).expect("room");
        let children: Vec<Handle> = (0..300)
            .map(|index| {
                tree.block(root).add(index, 100 + index as u32, 0, true);
                let place = NodeRef { block: root, index };
                tree.expand(&mut tree.allocator(0), place, &[0, 1, 2], |_| ()).expect("room")
            })
            .collect();
        let mut own = OwnBlocks::default();
        own.refresh(&tree, 300, BATCH);
        let copies = children.iter().filter(|handle| own.has(**handle)).count();
        assert_eq!((copies, own.length, own.has(root)), (MOST - 1, MOST, true));
        assert!(children[300 - copies..].iter().all(|handle| own.has(*handle)), "the most visited");
        for (index, handle) in children.iter().enumerate() {
            own.block(&tree, *handle).add(1, index as u32, 1, true);
        }
        own.give(&tree);
        let counted =
            |(index, handle): (usize, &Handle)| tree.block(*handle).visits(1) == index as u32;
        assert!(children.iter().enumerate().all(counted), "in copies or not");
    }
}
