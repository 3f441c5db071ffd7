//! The search tree: a root, and below it blocks of siblings.
//!
//! - `block` is the layout of a block, `link` how it is linked into the tree, `arena` the memory,
//!   `status` what is proven. This file is the tree as threads grow it, one or several. `upkeep` is what
//!   is done while no thread is in the tree: freeing, moving the root, keeping within the memory limit.
//! - The tree does not know how moves are chosen, nor what a game is: moves are numbers.
//! - Children may start with prior visits and points. The prior visits are the same for all siblings and
//!   stand in the header of their block, so that the real visits are always known.
//!
//! **Threads** share a tree by `&Tree`. They add blocks and proofs, and never free any. So a handle that
//! was read stays valid until the threads have left. Only then is anything freed, by `&mut Tree`: no
//! reference counts, no waiting; the borrow checker enforces it. Each thread holds its own
//! [`ThreadAllocator`] while it is in the tree.
//!
//! **Visits before children**: with V = 5, 10, 20 and 40 the same number of playouts plays equally well
//! within the errors:
//! - base 5, 2,000 playouts a move, `rave130`, 200 games each against V = 10: 50, 49 and 45 % +- 7 for
//!   5, 20 and 40;
//! - base 8, 4,000 playouts, 100 games: 45 and 56 % +- 10 for 20 and 40.
//!
//! A larger V makes fewer blocks of 5 KB, so V is 20 where the papers do not say. On base 10 a gigabyte
//! is then enough for some 20 million iterations, over a minute and a half, before anything is freed.

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

/// A node: its block, and its index there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRef {
    pub block: Handle,
    pub index: usize,
}

/// What is known of the root; its children are a block like any other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Root {
    pub visits: u32,
    /// The sum of values for the player who moved here (not the side to move), as in every node; in
    /// parts of a point.
    pub wins: u32,
    pub status: Status,
    /// The plies to the end of the game in the proof that was found; only if the root is proven.
    pub proof_depth: u32,
}

/// Counts of nodes and blocks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// In the tree now.
    pub nodes: usize,
    pub blocks: usize,
    /// Nodes kept when the root was last moved, including dropped ones that are not freed yet.
    pub kept: usize,
    /// Nodes freed since the tree was made: by moving the root, by proofs, and for lack of memory.
    pub recycled: usize,
}

pub struct Tree {
    segments: Arc<Segments>,
    /// One allocator per thread. A thread locks its own while it is in the tree.
    allocators: Vec<Mutex<ThreadAllocator>>,
    /// The visits and points of the root, as of the last upkeep.
    visits: u32,
    wins: u32,
    /// The status of the root and the depth of its proof. One cell holds both, so that they match.
    proof: AtomicU32,
    children: Option<Handle>,
    /// Nodes kept and recycled. The current number is counted by the allocators.
    kept: usize,
    recycled: usize,
    /// The visits that a node needs before it may have children, since memory ran out.
    needed_visits: u32,
    /// No memory was left for a block. Set by any thread.
    is_full: AtomicBool,
    /// Blocks that were cut off, with everything below them, and are not freed yet.
    cut_off: Vec<Handle>,
    /// Whether `cut_off` includes what was dropped when the root was last moved.
    is_dropping: bool,
}

/// The memory of one thread that grows a tree, on its own cache lines.
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

    /// Takes memory for a block of `count` nodes.
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

/// The status and the proof depth of the root, packed into one cell.
fn packed(status: Status, depth: u32) -> u32 {
    u32::from(status.byte()) | depth << 8
}

fn unpacked(proof: u32) -> (Status, u32) {
    (Status::from_byte(proof as u8), proof >> 8)
}

impl Tree {
    /// An empty tree for one thread, of at most `limit` bytes (at least some 32 KB).
    pub fn new(limit: usize) -> Self {
        Self::for_threads(limit, 1)
    }

    /// An empty tree that `threads` threads share, of at most `limit` bytes in total.
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

    /// The visits that a node needs before it may have children; 0 while there is memory.
    #[inline(always)]
    pub fn needed_visits(&self) -> u32 {
        self.needed_visits
    }

    /// Whether several threads may be in the tree.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.allocators.len() > 1
    }

    /// The number of threads that may be in the tree at the same time.
    pub fn threads(&self) -> usize {
        self.allocators.len()
    }

    /// Whether memory has run out, and upkeep would help.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// The allocator of a thread. The thread holds it while it is in the tree.
    pub fn allocator(&self, thread: usize) -> MutexGuard<'_, ThreadAllocator> {
        self.allocators[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline(always)]
    pub fn block(&self, handle: Handle) -> Block<'_> {
        // SAFETY: handles are given out only for blocks in the tree. Those change through atomic cells,
        // or by `&mut self`.
        unsafe { Block::at(self.segments.resolve(handle)) }
    }

    /// Prefetches a block that will be read soon and probably has `likely_count` nodes.
    #[inline(always)]
    pub fn prefetch(&self, handle: Handle, likely_count: usize) {
        block::prefetch_columns(self.segments.resolve(handle), likely_count);
    }

    /// Makes a block with a node for each move. No other thread sees it yet.
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

    /// Gives a node a child for each move, or finds that another thread already has.
    ///
    /// - The children are prepared before any other thread sees them.
    /// - `None` if there is no memory for them (then [`make_room`](Self::make_room) is due), or if the
    ///   node was proven by another thread.
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

    /// Narrows the status of a node. The subtree of a proven node is cut off.
    pub fn mark(
        &self,
        allocator: &mut ThreadAllocator,
        place: NodeRef,
        status: Status,
        depth: u32,
    ) {
        allocator.cut_off.extend(self.block(place.block).narrow(place.index, status, depth));
    }

    /// Narrows the status of the root.
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
