//! The sibling block: the children of a node, 19 bytes each, in columns.
//!
//! - A block is a small header and seven columns, widest first. So every column is aligned without a
//!   gap, and selection reads columns as vectors.
//! - The two RAVE counts share a 32-bit cell. It holds a prior probability instead where a search has no
//!   RAVE.
//! - A proven node has no children. The depth of its proof replaces their handle, so that RAVE counts
//!   can be added to a whole column without a check.
//! - [`BlockMut`] has plain columns, for exclusive access to the tree.
//! - [`Block`] has columns of atomic cells, for any number of threads. Each field says what a thread may
//!   do to it and what it may rely on. A single thread uses it too and adds by a load and a store: these
//!   are the same instructions as for plain numbers.

use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicU8, AtomicU32};

use super::arena::{Handle, UNIT};
use super::link::{self, Link};
use super::status::Status;
use crate::game::{Move, Value};

/// Bytes of a node.
pub const NODE_BYTES: usize = {
    let (visits, wins, child) = (size_of::<u32>(), size_of::<u32>(), size_of::<u32>());
    let (rave_visits, rave_wins) = (size_of::<u16>(), size_of::<u16>());
    visits + wins + child + rave_visits + rave_wins + size_of::<u16>() + size_of::<Status>()
};
const _: () = assert!(NODE_BYTES == 19);

/// Three counts in 9, 14 and 9 bits: the children, the visits that all of them started with, and the
/// children that have children of their own.
///
/// The last one is at the top: a thread may subtract a child before another thread has added it, and the
/// temporary borrow must not change the other counts.
#[repr(transparent)]
#[derive(Clone, Copy)]
struct Header(u32);

/// The maximum number of children of a node, and of the visits they may start with.
pub const MOST_CHILDREN: usize = (1 << COUNT_BITS) - 1;
pub const MOST_PRIOR_VISITS: u32 = (1 << (32 - 2 * COUNT_BITS)) - 1;
const COUNT_BITS: u32 = 9;
const EXPANDED_AT: u32 = 32 - COUNT_BITS;

impl Header {
    fn new(count: usize) -> Self {
        debug_assert!(count <= MOST_CHILDREN);
        Self(count as u32)
    }

    #[inline(always)]
    fn count(self) -> usize {
        self.0 as usize & MOST_CHILDREN
    }

    #[inline(always)]
    fn expanded(self) -> u32 {
        self.0 >> EXPANDED_AT
    }

    #[inline(always)]
    fn prior(self) -> u32 {
        self.0 >> COUNT_BITS & MOST_PRIOR_VISITS
    }

    /// The unit of the number of children that have children.
    const ONE_EXPANDED: u32 = 1 << EXPANDED_AT;

    fn set_expanded(&mut self, expanded: u32) {
        self.0 = self.0 & (Self::ONE_EXPANDED - 1) | expanded << EXPANDED_AT;
    }

    fn set_prior(&mut self, prior: u32) {
        debug_assert!(prior <= MOST_PRIOR_VISITS);
        self.0 = self.0 & !(MOST_PRIOR_VISITS << COUNT_BITS) | prior << COUNT_BITS;
    }
}

/// Bytes of a block's header.
pub const HEADER_BYTES: usize = size_of::<Header>();

/// Units of memory of a block of `count` nodes.
pub const fn units(count: usize) -> usize {
    (HEADER_BYTES + NODE_BYTES * count).div_ceil(UNIT)
}

/// A block in a tree that other threads may change.
pub struct Block<'a> {
    /// Visit counts. Threads that share the tree add atomically: none is lost. A visit is counted before
    /// its points are.
    visits: &'a [AtomicU32],
    /// Sums of values for the player who moved into the node, in parts of a point ([`Value::PARTS`]).
    /// Added as visits are.
    wins: &'a [AtomicU32],
    /// 0, the handle of the children, or the depth of a proof (see [`Link`]).
    ///
    /// - It changes once from 0 to a handle, when the block of that handle is complete.
    /// - It changes from either to a depth before the status says that the node is proven. Two threads
    ///   may each write a depth.
    /// - A thread that reads a handle may read its block.
    child: &'a [AtomicU32],
    /// Visits and points in one cell, so that they always match. Threads load eight cells, add, and
    /// store them: what other threads add in between is lost. That window is nanoseconds, unless the
    /// thread is descheduled there.
    rave: &'a [AtomicU32],
    /// Never change.
    pub moves: &'a [u16],
    /// Bounds only become narrower, in any interleaving of threads. So a proof stays a proof.
    status: &'a [AtomicU8],
    /// The number of children and the prior visits do not change while threads share the tree. The
    /// number of children that have children is changed atomically.
    header: &'a AtomicU32,
    prior: u32,
}

/// The columns of a block, for exclusive access.
pub struct BlockMut<'a> {
    pub visits: &'a mut [u32],
    pub wins: &'a mut [u32],
    child: &'a mut [u32],
    pub rave: &'a mut [RaveCount],
    pub moves: &'a mut [u16],
    pub status: &'a mut [Status],
    header: &'a mut Header,
}

/// RAVE visits in the low half, RAVE points in the high half. Both are halved together before either can
/// overflow.
///
/// A search without RAVE may keep the prior probability of a move here: in the high half, with 0 visits.
/// So a prior is never halved, never added to by threads, and never read as a RAVE value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)]
pub struct RaveCount(pub u32);

impl RaveCount {
    /// The visits at which a count is halved.
    pub const FULL: u32 = 0x7fff;

    #[inline(always)]
    pub const fn new(visits: u32, points: u32) -> Self {
        Self(visits | points << 16)
    }

    #[inline(always)]
    pub const fn visits(self) -> u32 {
        self.0 & 0xffff
    }

    #[inline(always)]
    pub const fn points(self) -> u32 {
        self.0 >> 16
    }

    /// Half of both, rounded so that the points do not exceed 2 per visit.
    #[inline(always)]
    #[must_use]
    pub const fn halved(self) -> Self {
        let (visits, points) = (self.visits() / 2, self.points() / 2);
        Self::new(visits, if points > 2 * visits { 2 * visits } else { points })
    }

    /// The scale of prior probabilities.
    pub const PRIOR_ONE: u32 = 0xffff;

    /// A prior probability instead of counts. It is at least 1 unit, so that no move is ruled out.
    pub fn of_prior(probability: f32) -> Self {
        let share = (probability * Self::PRIOR_ONE as f32).round() as u32;
        Self::new(0, share.clamp(1, Self::PRIOR_ONE))
    }

    /// The prior probability, if the cell holds one instead of counts.
    pub fn prior(self) -> Option<f64> {
        let has_prior = self.visits() == 0 && self.points() > 0;
        has_prior.then(|| f64::from(self.points()) / f64::from(Self::PRIOR_ONE))
    }

    /// Points per visit, on a scale from 0 to 1.
    pub fn rate(self) -> Option<f64> {
        (self.visits() > 0).then(|| f64::from(self.points()) / (2.0 * f64::from(self.visits())))
    }
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Prefetches memory that will be read soon.
#[inline(always)]
fn prefetch(start: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes).step_by(LINE) {
        // SAFETY: prefetching changes nothing and cannot fault.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, bytes, LINE);
}

/// Prefetches the start of the columns of a block that probably has `likely_count` nodes. The real count
/// is in the header, but reading it would stall.
#[inline(always)]
pub fn prefetch_columns(start: *const u8, likely_count: usize) {
    for bytes_before in [0, 4, 12, 18] {
        prefetch(start.wrapping_add(bytes_before * likely_count), 2 * LINE);
    }
}

/// The addresses of the columns of a block of `count` nodes.
struct Columns {
    start: *mut u8,
    count: usize,
}

impl Columns {
    #[inline(always)]
    fn column<T>(&self, bytes_before: usize) -> *mut T {
        self.start.wrapping_add(HEADER_BYTES + bytes_before * self.count).cast()
    }
}

/// Adds to a cell: atomically, if other threads may add to it too.
#[inline(always)]
fn add(cell: &AtomicU32, gain: u32, is_shared: bool) {
    if is_shared {
        cell.fetch_add(gain, Relaxed);
    } else {
        cell.store(cell.load(Relaxed).wrapping_add(gain), Relaxed);
    }
}

impl<'a> Block<'a> {
    /// # Safety
    /// `start` points to a block made by `BlockMut::create`. For `'a` it is changed through atomic cells
    /// only.
    #[inline(always)]
    pub(super) unsafe fn at(start: *mut u8) -> Self {
        // SAFETY: a block starts with its header, and `create` laid out the columns after it.
        unsafe {
            let header = &*start.cast::<AtomicU32>();
            let known = Header(header.load(Relaxed));
            let count = known.count();
            let columns = Columns { start, count };
            Self {
                visits: std::slice::from_raw_parts(columns.column(0), count),
                wins: std::slice::from_raw_parts(columns.column(4), count),
                child: std::slice::from_raw_parts(columns.column(8), count),
                rave: std::slice::from_raw_parts(columns.column(12), count),
                moves: std::slice::from_raw_parts(columns.column(16), count),
                status: std::slice::from_raw_parts(columns.column(18), count),
                header,
                prior: known.prior(),
            }
        }
    }

    /// The same block with other columns of visits, points and RAVE counts.
    #[inline(always)]
    pub fn with_counts(
        self,
        visits: &'a [AtomicU32],
        wins: &'a [AtomicU32],
        rave: &'a [AtomicU32],
    ) -> Self {
        debug_assert!([visits, wins, rave].iter().all(|column| column.len() == self.count()));
        Self { visits, wins, rave, ..self }
    }

    /// The same block with another column of statuses.
    #[inline(always)]
    pub fn with_status(self, status: &'a [AtomicU8]) -> Self {
        debug_assert_eq!(status.len(), self.count());
        Self { status, ..self }
    }

    /// The number of nodes.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// The visits that every node started with: prior knowledge, not playouts.
    #[inline(always)]
    pub fn prior(&self) -> u32 {
        self.prior
    }

    /// The visits of a node, including the prior ones.
    #[inline(always)]
    pub fn visits(&self, index: usize) -> u32 {
        self.visits[index].load(Relaxed)
    }

    /// The visits of a node without the prior ones.
    #[inline(always)]
    pub fn real_visits(&self, index: usize) -> u32 {
        self.visits(index) - self.prior
    }

    /// The mean value of a node that has visits, from 0 to 1, including the prior.
    pub fn win_rate(&self, index: usize) -> f64 {
        let most = f64::from(Value::WIN.parts()) * f64::from(self.visits(index));
        f64::from(self.wins(index)) / most
    }

    /// The sum of values of a node for the player who moved into the node, in parts of a point.
    #[inline(always)]
    pub fn wins(&self, index: usize) -> u32 {
        self.wins[index].load(Relaxed)
    }

    #[inline(always)]
    pub fn rave(&self, index: usize) -> RaveCount {
        RaveCount(self.rave[index].load(Relaxed))
    }

    #[inline(always)]
    pub fn status(&self, index: usize) -> Status {
        Status::from_byte(self.status[index].load(Acquire))
    }

    /// What is known of each node.
    pub fn statuses(&self) -> impl Iterator<Item = Status> + '_ {
        (0..self.count()).map(|index| self.status(index))
    }

    /// The columns that selection scores, to read eight cells at a time.
    #[inline(always)]
    pub fn scored(&self) -> (&'a [AtomicU32], &'a [AtomicU32], &'a [AtomicU32], &'a [AtomicU8]) {
        (self.visits, self.wins, self.rave, self.status)
    }

    /// The RAVE counts, to change eight cells at a time.
    #[inline(always)]
    pub fn rave_cells(&self) -> &'a [AtomicU32] {
        self.rave
    }

    /// Adds visits and values to a node. In a shared tree, 0 is not added: the write would still take
    /// the cache line from other threads.
    #[inline(always)]
    pub fn add(&self, index: usize, visits: u32, parts: u32, is_shared: bool) {
        if visits != 0 || !is_shared {
            add(&self.visits[index], visits, is_shared);
        }
        if parts != 0 || !is_shared {
            add(&self.wins[index], parts, is_shared);
        }
    }

    /// Adds visits whose points are not known yet, so that other threads see them (virtual loss).
    #[inline(always)]
    pub fn add_visits(&self, index: usize, visits: u32) {
        add(&self.visits[index], visits, true);
    }

    /// Prefetches the columns that are not scored, while the others are: one of their nodes will be read.
    #[inline(always)]
    pub fn prefetch_links(&self) {
        prefetch(self.child.as_ptr().cast(), size_of_val(self.child));
        prefetch(self.moves.as_ptr().cast(), size_of_val(self.moves));
    }

    #[inline(always)]
    fn link(&self, index: usize) -> Link {
        Link(self.child[index].load(Acquire))
    }

    /// The children of a node, if it has any.
    #[inline(always)]
    pub fn child(&self, index: usize) -> Option<Handle> {
        self.link(index).child()
    }

    /// The index of the node of a move.
    pub fn find(&self, of: Move) -> Option<usize> {
        self.moves.iter().position(|number| usize::from(*number) == of.number())
    }

    /// The plies to the end of the game in the proof that was found; only if the node is proven.
    pub fn proof_depth(&self, index: usize) -> Option<u32> {
        self.status(index).is_proven().then(|| self.link(index).depth())
    }

    /// The indices of the nodes that have children, with the handles of those children.
    pub fn children(&self) -> impl Iterator<Item = (usize, Handle)> + '_ {
        let expanded = Header(self.header.load(Relaxed)).expanded();
        let count = if expanded > 0 { self.count() } else { 0 };
        (0..count).filter_map(|index| Some((index, self.child(index)?)))
    }

    /// Gives a node its children, unless it has some or was proven. The error is the children that it
    /// has, if any.
    pub(super) fn publish(&self, index: usize, child: Handle) -> Result<(), Option<Handle>> {
        link::publish(&self.child[index], child)?;
        self.header.fetch_add(Header::ONE_EXPANDED, Relaxed);
        Ok(())
    }

    /// Narrows the status of a node. Returns what was below a node that is now proven, to be cut off:
    /// only one thread gets it.
    ///
    /// Afterwards the statuses of siblings may be read. If two threads mark siblings at the same time,
    /// at least one of them sees both marks and propagates the result up the tree.
    pub(super) fn narrow(&self, index: usize, status: Status, depth: u32) -> Option<Handle> {
        let cut_off = link::narrow(&self.status[index], &self.child[index], status, depth);
        if cut_off.is_some() {
            self.header.fetch_sub(Header::ONE_EXPANDED, Relaxed);
        }
        cut_off
    }
}

impl<'a> BlockMut<'a> {
    /// Lays out a new block for some moves.
    ///
    /// # Safety
    /// `start` points to memory for [`units`]`(moves.len())` units that nothing else uses for `'a`.
    pub(super) unsafe fn create(start: *mut u8, moves: &[u16]) -> Self {
        let count = moves.len();
        // SAFETY: the memory is exclusive and long enough; zeros are valid in every column.
        let block = unsafe {
            start.write_bytes(0, HEADER_BYTES + NODE_BYTES * count);
            start.cast::<Header>().write(Header::new(count));
            Self::at(start)
        };
        block.moves.copy_from_slice(moves);
        block
    }

    /// # Safety
    /// `start` points to a block made by `BlockMut::create`, and nothing else uses it for `'a`.
    #[inline(always)]
    pub(super) unsafe fn at(start: *mut u8) -> Self {
        // SAFETY: as for `Block::at`; access is exclusive, and columns do not overlap.
        unsafe {
            let header = start.cast::<Header>();
            let count = (*header).count();
            let columns = Columns { start, count };
            Self {
                visits: std::slice::from_raw_parts_mut(columns.column(0), count),
                wins: std::slice::from_raw_parts_mut(columns.column(4), count),
                child: std::slice::from_raw_parts_mut(columns.column(8), count),
                rave: std::slice::from_raw_parts_mut(columns.column(12), count),
                moves: std::slice::from_raw_parts_mut(columns.column(16), count),
                status: std::slice::from_raw_parts_mut(columns.column(18), count),
                header: &mut *header,
            }
        }
    }

    /// Halves all visits, values and prior visits.
    pub fn halve(&mut self) {
        for count in self.visits.iter_mut().chain(&mut *self.wins) {
            *count /= 2;
        }
        self.header.set_prior(self.header.prior() / 2);
    }

    /// Sets the prior visits of all nodes, and the prior value of each. The nodes have no visits yet.
    pub fn set_priors(&mut self, visits: u32, parts: impl Iterator<Item = u32>) {
        self.header.set_prior(visits);
        self.visits.fill(visits);
        self.wins.iter_mut().zip(parts).for_each(|(place, parts)| *place = parts);
    }

    /// Sets the prior probabilities of the nodes, for a search without RAVE.
    pub fn set_probabilities(&mut self, probabilities: impl Iterator<Item = f32>) {
        let cells = self.rave.iter_mut().zip(probabilities);
        cells.for_each(|(cell, probability)| *cell = RaveCount::of_prior(probability));
    }

    /// The children of a node, if it has any.
    pub fn child(&self, index: usize) -> Option<Handle> {
        Link(self.child[index]).child()
    }

    /// Sets or removes the children of a node.
    pub fn set_child(&mut self, index: usize, child: Option<Handle>) {
        debug_assert!(!self.status[index].is_proven());
        let without = self.header.expanded() - u32::from(self.child(index).is_some());
        self.header.set_expanded(without + u32::from(child.is_some()));
        self.child[index] = Link::to(child).0;
    }
}
