//! The search tree: a root, and below it blocks of siblings.
//!
//! `block` is the layout of a block, `arena` the memory, `status` what is proven. This file grows
//! the tree, moves its root, and keeps it inside its memory. It knows nothing of how moves are
//! chosen or of what a game is, but that moves have numbers. Children may begin with visits and points
//! of prior knowledge; the visits are the same for all siblings and stand in the header of their block,
//! so that real visits are always known.
//!
//! **Moving the root** copies the part that is kept to other segments of the arena and resets the
//! rest. Where there is no room for the copy (both count in the limit), or it would take long, the
//! part stays where it is and the dropped blocks are freed a few at a time.
//!
//! **When memory runs out**, the children of the least visited nodes are freed, and nodes need as
//! many visits from then on to get children. The statistics of those nodes themselves stay. Measured
//! on base 6 with one megabyte and 20,000 playouts a move (`rave130`): 58 % +- 13 of 60 games against
//! a search that only stops growing, and no loss (57 % +- 15 of 40) against one with a hundred
//! megabytes.
//!
//! **Visits before children**: with V = 5, 10, 20 and 40 the same number of playouts plays equally
//! well within the errors (base 5, 2,000 playouts a move, `rave130`, 200 games each against V = 10:
//! 50, 49 and 45 % +- 7 for 5, 20 and 40; base 8, 4,000 playouts, 100 games: 45 and 56 % +- 10 for
//! 20 and 40), while blocks of 5 KB become fewer: so V is 20 where the papers do not say. On base
//! 10 a gigabyte then takes some 20 million iterations, over a minute and a half, before anything is
//! freed.

mod arena;
mod block;
mod status;

pub use arena::Handle;
pub use block::{Block, HEADER_BYTES, MOST_PRIOR_VISITS, NODE_BYTES, RaveCount};
pub use status::Status;

use crate::game::{LOSS, Move, WIN};
use arena::Arena;
use block::{BlockMut, units};

/// Where a node is: its block, and its place there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub block: Handle,
    pub index: usize,
}

/// What is known of the root; its children are a block like any other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Root {
    pub visits: u32,
    /// Points for the player who moved here, as in every node: not for the side to move.
    pub wins: u32,
    pub status: Status,
    /// The plies to the end of the game in the proof that was found, if the root is proven.
    pub proof_depth: u32,
}

/// Nodes and blocks, counted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// In the tree now.
    pub nodes: usize,
    pub blocks: usize,
    /// Kept when the root was moved last; with what was dropped and has yet to be freed.
    pub kept: usize,
    /// Freed since the tree was made: by moving the root, by proofs and for want of memory.
    pub recycled: usize,
}

pub struct Tree {
    arena: Arena,
    limit: usize,
    root: Root,
    children: Option<Handle>,
    counts: Counts,
    /// The visits a node needs before it may have children, since memory ran out.
    needed_visits: u32,
    /// There was no memory for a block.
    is_full: bool,
    /// Blocks that were cut off, with what is below them, and wait to be freed.
    cut_off: Vec<Handle>,
    /// What was dropped when the root was moved last is among them.
    is_dropping: bool,
}

impl Tree {
    /// An empty tree that takes at most so many bytes (one megabyte at the least).
    pub fn new(limit: usize) -> Self {
        Self {
            arena: Arena::new(limit),
            limit: limit.max(arena::SEGMENT),
            root: Root::default(),
            children: None,
            counts: Counts::default(),
            needed_visits: 0,
            is_full: false,
            cut_off: Vec::new(),
            is_dropping: false,
        }
    }

    #[inline(always)]
    pub fn root(&self) -> &Root {
        &self.root
    }

    #[inline(always)]
    pub fn root_mut(&mut self) -> &mut Root {
        &mut self.root
    }

    /// The children of the root.
    #[inline(always)]
    pub fn children(&self) -> Option<Handle> {
        self.children
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// Bytes of the blocks in the tree.
    pub fn block_bytes(&self) -> usize {
        self.arena.taken_bytes()
    }

    /// The visits a node needs before it may have children: 0 as long as there is memory.
    #[inline(always)]
    pub fn needed_visits(&self) -> u32 {
        self.needed_visits
    }

    #[inline(always)]
    pub fn block(&self, handle: Handle) -> Block<'_> {
        // SAFETY: handles are given out for blocks in the tree, which only `&mut self` changes.
        unsafe { Block::at(self.arena.resolve(handle)) }
    }

    /// Asks for a block that will be read soon, and that probably has so many nodes.
    #[inline(always)]
    pub fn prefetch(&self, handle: Handle, likely_count: usize) {
        block::prefetch_columns(self.arena.resolve(handle), likely_count);
    }

    #[inline(always)]
    pub(crate) fn block_mut(&mut self, handle: Handle) -> BlockMut<'_> {
        // SAFETY: as for `block`, and the tree is ours alone.
        unsafe { BlockMut::at(self.arena.resolve(handle)) }
    }

    /// Gives a node (the root, if no place is given) a child for each move. `None` if there is no
    /// memory for them: then [`make_room`](Self::make_room) is due.
    pub fn expand(
        &mut self,
        place: Option<Place>,
        count: usize,
        moves: impl Iterator<Item = usize>,
    ) -> Option<Handle> {
        let Some(handle) = self.arena.take(units(count)) else {
            self.is_full = true;
            return None;
        };
        // SAFETY: the memory was taken for this block.
        unsafe {
            BlockMut::create(self.arena.resolve(handle), count, moves.map(|number| number as u16));
        }
        self.counts.nodes += count;
        self.counts.blocks += 1;
        match place {
            Some(Place { block, index }) => self.block_mut(block).set_child(index, Some(handle)),
            None => self.children = Some(handle),
        }
        Some(handle)
    }

    /// Notes what is proven of a node. Of a proven one the subtree is freed, bit by bit.
    pub fn mark(&mut self, place: Place, status: Status, depth: u32) {
        if status.is_proven() {
            self.prune(place);
        }
        self.block_mut(place.block).set_status(place.index, status, depth);
    }

    /// Cuts off what is below a node.
    fn prune(&mut self, Place { block, index }: Place) {
        if let Some(child) = self.block(block).child(index) {
            self.block_mut(block).set_child(index, None);
            self.cut_off.push(child);
        }
    }

    /// Frees at most so many of the blocks that were cut off.
    fn recycle(&mut self, most: usize) {
        for _ in 0..most {
            let Some(handle) = self.cut_off.pop() else {
                self.is_dropping = false;
                return;
            };
            let Self { arena, cut_off, counts, .. } = self;
            // SAFETY: blocks wait here as they were in the tree.
            let block = unsafe { Block::at(arena.resolve(handle)) };
            let count = block.count();
            cut_off.extend(block.children().map(|(_, child)| child));
            arena.give_back(handle, units(count));
            counts.nodes -= count;
            counts.blocks -= 1;
            counts.recycled += count;
            if self.is_dropping {
                counts.kept -= count.min(counts.kept);
            }
        }
    }

    /// Frees everything that was cut off; false if `is_interrupted` came first. Until then the
    /// counts have it in the tree.
    pub fn sweep(&mut self, is_interrupted: impl Fn() -> bool) -> bool {
        while !self.cut_off.is_empty() {
            if is_interrupted() {
                return false;
            }
            self.recycle(LOOKED_AT_ONCE);
        }
        self.is_dropping = false;
        true
    }

    /// Forgets everything but the counts.
    pub fn clear(&mut self) {
        self.counts.recycled += self.counts.nodes;
        self.counts = Counts { recycled: self.counts.recycled, ..Counts::default() };
        self.arena.clear();
        self.root = Root::default();
        self.children = None;
        self.needed_visits = 0;
        self.is_full = false;
        self.cut_off.clear();
        self.is_dropping = false;
    }

    /// Makes the node at the end of a line of moves the root, and recycles everything that is not
    /// below it. (All of it, for a move that was left out because a symmetry makes it equal to
    /// another.) What is proven stays so: a side that moves gets no more than it could before.
    pub fn advance(&mut self, line: &[Move]) {
        let mut root = self.root;
        let mut children = self.children;
        let mut place = None;
        for next in line {
            let known = Status::new(LOSS, WIN - root.status.lower());
            let depth = root.proof_depth.saturating_sub(1);
            root = Root { status: known, proof_depth: depth, ..Root::default() };
            place = children.take().and_then(|handle| {
                let index = self.block(handle).find(*next)?;
                Some(Place { block: handle, index })
            });
            if let Some(Place { block, index }) = place {
                let block = self.block(block);
                // What the node began with is no matter of the root's.
                (root.visits, root.wins) = (block.real_visits(index), block.wins[index]);
                if block.prior() > 0 {
                    let share = f64::from(root.visits) / f64::from(block.visits[index]);
                    root.wins = (f64::from(root.wins) * share) as u32;
                }
                root.status = block.status[index].and(known);
                root.proof_depth = block.proof_depth(index).unwrap_or(depth);
                children = block.child(index);
            }
        }
        match place.zip(children) {
            Some((place, kept)) => self.keep(place, kept),
            None if line.is_empty() => {}
            None => self.clear(),
        }
        self.root = root;
    }

    /// Frees everything but a block and what is below it, which become the root's children.
    fn keep(&mut self, parent: Place, kept: Handle) {
        let nodes_before = self.counts.nodes;
        let bytes = self.bytes_below(kept, COPIED_AT_MOST);
        if bytes.is_some_and(|bytes| self.arena.reserve_copy(bytes)) {
            let old = self.arena.begin_copy();
            (self.counts.nodes, self.counts.blocks) = (0, 0);
            self.children = Some(self.copy(kept));
            self.arena.finish_copy(old);
            self.cut_off.clear();
            self.is_dropping = false;
            self.counts.recycled += nodes_before - self.counts.nodes;
            self.counts.kept = self.counts.nodes;
        } else {
            self.block_mut(parent.block).set_child(parent.index, None);
            self.cut_off.extend(self.children.replace(kept));
            self.counts.kept = self.counts.nodes;
            self.is_dropping = true;
        }
        self.needed_visits = 0;
    }

    /// Bytes of a block and of everything below it; none if they are more than `most`.
    fn bytes_below(&self, top: Handle, most: usize) -> Option<usize> {
        let mut waiting = vec![top];
        let mut bytes = 0;
        while let Some(handle) = waiting.pop() {
            let block = self.block(handle);
            bytes += units(block.count()) * arena::UNIT;
            if bytes > most {
                return None;
            }
            waiting.extend(block.children().map(|(_, child)| child));
        }
        Some(bytes)
    }

    /// Copies a block and everything below it to new memory, of which there is enough.
    fn copy(&mut self, top: Handle) -> Handle {
        let copied_top = self.copy_block(top);
        let mut waiting = vec![copied_top];
        let mut children = Vec::new();
        while let Some(handle) = waiting.pop() {
            children.extend(self.block(handle).children());
            for (index, child) in children.drain(..) {
                let copied = self.copy_block(child);
                self.block_mut(handle).set_child(index, Some(copied));
                waiting.push(copied);
            }
        }
        copied_top
    }

    fn copy_block(&mut self, handle: Handle) -> Handle {
        let count = self.block(handle).count();
        let copied = self.arena.take(units(count)).expect("room for the copy was seen");
        let (from, to) = (self.arena.resolve(handle), self.arena.resolve(copied));
        // SAFETY: both are blocks of this size, in different segments.
        unsafe { std::ptr::copy_nonoverlapping(from, to, units(count) * arena::UNIT) };
        self.counts.nodes += count;
        self.counts.blocks += 1;
        copied
    }
}

/// Bytes that are copied when the root is moved: a matter of some hundredths of a second.
const COPIED_AT_MOST: usize = 64 << 20;

/// Of the memory, the part that is freed at the least when it runs out.
const FREED_SHARE: usize = 4;

/// Blocks looked at between two questions whether to stop: less than a millisecond.
const LOOKED_AT_ONCE: usize = 256;

/// Blocks freed in one iteration at the most: many more than are made, and a matter of a microsecond.
const FREED_AT_ONCE: usize = 16;

/// Visits at which counts are halved: points are twice as many and are read as signed numbers.
const MOST_VISITS: u32 = 1 << 29;

impl Tree {
    /// Frees some of what was cut off; and if memory has run out, frees the children of the least visited nodes until a share of it is
    /// free, or until `is_interrupted` says so: then the rest is left for the next time. Handles of
    /// blocks below the root's children are void afterwards.
    #[inline]
    pub fn make_room(&mut self, is_interrupted: impl Fn() -> bool) {
        if !self.cut_off.is_empty() {
            self.recycle(FREED_AT_ONCE);
        }
        if self.is_full {
            self.is_full = !self.prune_least_visited(is_interrupted);
        }
    }

    /// False if it was interrupted.
    fn prune_least_visited(&mut self, is_interrupted: impl Fn() -> bool) -> bool {
        if !self.sweep(&is_interrupted) {
            return false;
        }
        // With much memory free, though in small pieces, another round would free little.
        if self.arena.free_bytes() >= self.limit / FREED_SHARE / 2 {
            return true;
        }
        while self.arena.free_bytes() < self.limit / FREED_SHARE
            && self.needed_visits < self.root.visits
        {
            let visits = (3 * self.needed_visits / 2).max(4);
            if !(self.prune_below(visits, &is_interrupted) && self.sweep(&is_interrupted)) {
                return false;
            }
            self.needed_visits = visits;
        }
        true
    }

    /// Halves every count before one can overflow.
    pub fn keep_counts_in_range(&mut self) {
        if self.root.visits < MOST_VISITS {
            return;
        }
        (self.root.visits, self.root.wins) = (self.root.visits / 2, self.root.wins / 2);
        let mut waiting: Vec<Handle> = self.children.into_iter().collect();
        while let Some(handle) = waiting.pop() {
            self.block_mut(handle).halve();
            waiting.extend(self.block(handle).children().map(|(_, child)| child));
        }
    }

    /// Cuts off the children of every node with fewer visits; false if it was interrupted.
    fn prune_below(&mut self, visits: u32, is_interrupted: &impl Fn() -> bool) -> bool {
        let mut waiting: Vec<Handle> = self.children.into_iter().collect();
        let mut children = Vec::new();
        let mut looked_at = 0_usize;
        while let Some(handle) = waiting.pop() {
            looked_at += 1;
            if looked_at.is_multiple_of(LOOKED_AT_ONCE) && is_interrupted() {
                return false;
            }
            children.extend(self.block(handle).children());
            for (index, child) in children.drain(..) {
                if self.block(handle).real_visits(index) < visits {
                    self.prune(Place { block: handle, index });
                } else {
                    waiting.push(child);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
