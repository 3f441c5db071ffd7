//! The search tree: a root, and below it blocks of siblings.
//!
//! `block` is the layout of a block, `link` how it is hung into the tree, `arena` the memory, `status`
//! what is proven. This file is the tree
//! as threads grow it, one or many at once; `upkeep` is what is done while none of them does: freeing,
//! moving the root, keeping inside the memory. The tree knows nothing of how moves are
//! chosen or of what a game is, but that moves have numbers. Children may begin with visits and points
//! of prior knowledge; the visits are the same for all siblings and stand in the header of their block,
//! so that real visits are always known.
//!
//! **Threads** share a tree by `&Tree`: they add blocks and proofs, and never take one away. So a handle
//! that was read stays good until the threads are gone, and only then, by `&mut Tree`, is anything
//! freed: there is nothing to count or to wait for, and the borrow checker sees to it. Each thread holds
//! its own [`ThreadAllocator`] all the while.
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
mod link;
mod status;
mod upkeep;

pub use arena::Handle;
pub use block::{Block, BlockMut, MOST_PRIOR_VISITS, RaveCount};
pub use status::Status;
pub use upkeep::MOST_VISITS;

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena::{Arena, Segments};
use block::units;

/// Where a node is: its block, and its place there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRef {
    pub block: Handle,
    pub index: usize,
}

/// What is known of the root; its children are a block like any other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Root {
    pub visits: u32,
    /// Values for the player who moved here, as in every node, in parts of a point: not for the side to
    /// move.
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
    segments: Arc<Segments>,
    /// What each thread grows its part of the tree with, locked for as long as it does.
    allocators: Vec<Mutex<ThreadAllocator>>,
    /// The visits and points of the root, as of the last upkeep.
    visits: u32,
    wins: u32,
    /// What is proven of the root, and how deep the proof is: they belong together, so one cell has them.
    proof: AtomicU32,
    children: Option<Handle>,
    /// Nodes kept and recycled; what there is now is counted by the plots.
    kept: usize,
    recycled: usize,
    /// The visits a node needs before it may have children, since memory ran out.
    needed_visits: u32,
    /// There was no memory for a block. Set by any thread.
    is_full: AtomicBool,
    /// Blocks that were cut off, with what is below them, and wait to be freed.
    cut_off: Vec<Handle>,
    /// What was dropped when the root was moved last is among them.
    is_dropping: bool,
}

/// A thread's part in growing a tree, on cache lines of its own.
#[repr(align(128))]
pub struct ThreadAllocator {
    arena: Arena,
    blocks: usize,
    nodes: usize,
    /// What the thread has cut off since the last upkeep.
    cut_off: Vec<Handle>,
}

impl ThreadAllocator {
    fn new(arena: Arena) -> Self {
        Self { arena, blocks: 0, nodes: 0, cut_off: Vec::new() }
    }

    /// Takes memory for a block of so many nodes.
    fn take(&mut self, count: usize) -> Option<Handle> {
        let handle = self.arena.take(units(count))?;
        self.blocks += 1;
        self.nodes += count;
        self.show();
        Some(handle)
    }

    fn give_back(&mut self, handle: Handle, count: usize) {
        self.arena.give_back(handle, units(count));
        self.blocks -= 1;
        self.nodes -= count;
        self.show();
    }

    fn show(&self) {
        self.arena.show(self.blocks, self.nodes);
    }
}

/// What is proven of the root, as it stands in its cell.
fn packed(status: Status, depth: u32) -> u32 {
    u32::from(status.byte()) | depth << 8
}

fn unpacked(proof: u32) -> (Status, u32) {
    (Status::from_byte(proof as u8), proof >> 8)
}

impl Tree {
    /// An empty tree that takes at most so many bytes (some 32 KB at the least), for one thread.
    pub fn new(limit: usize) -> Self {
        Self::for_threads(limit, 1)
    }

    /// An empty tree that so many threads share; they take at most so many bytes together.
    pub fn for_threads(limit: usize, threads: usize) -> Self {
        let (segments, arenas) = arena::arenas(limit, threads);
        Self {
            segments,
            allocators: arenas
                .into_iter()
                .map(|arena| Mutex::new(ThreadAllocator::new(arena)))
                .collect(),
            visits: 0,
            wins: 0,
            proof: AtomicU32::new(packed(Status::UNKNOWN, 0)),
            children: None,
            kept: 0,
            recycled: 0,
            needed_visits: 0,
            is_full: AtomicBool::new(false),
            cut_off: Vec::new(),
            is_dropping: false,
        }
    }

    /// What is known of the root; visits and points as of the last upkeep.
    pub fn root(&self) -> Root {
        let (status, proof_depth) = unpacked(self.proof.load(Acquire));
        Root { visits: self.visits, wins: self.wins, status, proof_depth }
    }

    /// What is proven of the root.
    #[inline(always)]
    pub fn root_status(&self) -> Status {
        unpacked(self.proof.load(Acquire)).0
    }

    /// The children of the root.
    #[inline(always)]
    pub fn children(&self) -> Option<Handle> {
        self.children
    }

    pub fn counts(&self) -> Counts {
        let held = self.segments.holdings();
        Counts { nodes: held.nodes, blocks: held.blocks, kept: self.kept, recycled: self.recycled }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.segments.holdings().bytes
    }

    /// Bytes of the blocks in the tree.
    #[cfg(any(test, feature = "internals"))]
    pub fn block_bytes(&self) -> usize {
        self.segments.holdings().taken_bytes
    }

    /// The visits a node needs before it may have children: 0 as long as there is memory.
    #[inline(always)]
    pub fn needed_visits(&self) -> u32 {
        self.needed_visits
    }

    /// Whether several threads may be in the tree.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.allocators.len() > 1
    }

    /// The threads that may be in the tree at once.
    pub fn threads(&self) -> usize {
        self.allocators.len()
    }

    /// Whether memory has run out, and upkeep would help.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// A thread's part in growing the tree, to be held as long as the thread is in it.
    pub fn allocator(&self, thread: usize) -> MutexGuard<'_, ThreadAllocator> {
        self.allocators[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline(always)]
    pub fn block(&self, handle: Handle) -> Block<'_> {
        // SAFETY: handles are given out for blocks in the tree, which are changed through cells, or by
        // `&mut self`.
        unsafe { Block::at(self.segments.resolve(handle)) }
    }

    /// Asks for a block that will be read soon, and that probably has so many nodes.
    #[inline(always)]
    pub fn prefetch(&self, handle: Handle, likely_count: usize) {
        block::prefetch_columns(self.segments.resolve(handle), likely_count);
    }

    /// Makes a block with a node for each move, for no one else to see yet.
    fn make_block(
        &self,
        allocator: &mut ThreadAllocator,
        moves: &[u16],
        prepare: impl FnOnce(&mut BlockMut),
    ) -> Option<Handle> {
        let handle = allocator.take(moves.len())?;
        // SAFETY: the memory was taken for this block.
        let mut block = unsafe { BlockMut::create(self.segments.resolve(handle), moves) };
        prepare(&mut block);
        Some(handle)
    }

    /// Gives a node a child for each move, prepared before anyone sees them; or finds that another
    /// thread has. `None` if there is no memory for them (then [`make_room`](Self::make_room) is due),
    /// or if the node was proven meanwhile.
    pub fn expand(
        &self,
        allocator: &mut ThreadAllocator,
        place: NodeRef,
        moves: &[u16],
        prepare: impl FnOnce(&mut BlockMut),
    ) -> Option<Handle> {
        let Some(handle) = self.make_block(allocator, moves, prepare) else {
            if allocator.arena.has_memory() {
                self.is_full.store(true, Relaxed);
            }
            return None;
        };
        match self.block(place.block).publish(place.index, handle) {
            Ok(()) => Some(handle),
            Err(found) => {
                allocator.give_back(handle, moves.len());
                found
            }
        }
    }

    /// Notes what is proven of a node. The subtree of a proven one is cut off.
    pub fn mark(
        &self,
        allocator: &mut ThreadAllocator,
        place: NodeRef,
        status: Status,
        depth: u32,
    ) {
        allocator.cut_off.extend(self.block(place.block).narrow(place.index, status, depth));
    }

    /// Notes what is proven of the root.
    pub fn mark_root(&self, status: Status, depth: u32) {
        let narrowed = |proof: u32| {
            let (known, known_depth) = unpacked(proof);
            let depth = if status.is_proven() { depth } else { known_depth };
            Some(packed(known.and(status), depth))
        };
        self.proof.fetch_update(AcqRel, Acquire, narrowed).expect("there is always a new value");
    }
}

#[cfg(test)]
impl Tree {
    /// Gives a node, or the root, a child for each move.
    pub fn add_children(
        &mut self,
        place: Option<NodeRef>,
        moves: std::ops::Range<u16>,
    ) -> Option<Handle> {
        let moves: Vec<u16> = moves.collect();
        match place {
            Some(place) => self.expand(&mut self.allocator(0), place, &moves, |_| ()),
            None => self.expand_root(&moves, |_| ()),
        }
    }
}

#[cfg(test)]
mod tests;
