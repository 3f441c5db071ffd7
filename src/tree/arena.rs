//! Memory for blocks: bump arenas of a megabyte each, and free lists.
//!
//! - The memory of a tree is a number of segments. Each is a bumpalo arena with a single chunk that
//!   never grows, so the limit is never exceeded.
//! - A 32-bit handle is a segment and an offset in units of 16 bytes from its top. It resolves in two
//!   steps.
//! - A bump arena frees nothing. So blocks that are freed one by one go to free lists by size. They are
//!   taken from there again, and split if necessary.
//! - When a tree is copied, the copy goes to other segments, and the old ones are reset and reused.
//! - Every thread of a tree has its own [`Arena`], with its own range of segments. So no thread waits
//!   for another, and the blocks of one thread are close together. All threads read the addresses of the
//!   segments from [`Segments`].

use std::alloc::Layout;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicUsize};

use bumpalo::Bump;

/// Alignment of blocks, and the unit of their sizes.
pub const UNIT: usize = 16;

/// Bytes of a segment, including allocator overhead: one megabyte, or less where many threads share little
/// memory.
pub const SEGMENT: usize = 1 << 20;
const SMALLEST_SEGMENT: usize = 1 << 15;

/// Bytes of a segment that blocks cannot use: two pages for bumpalo and the allocator.
const SEGMENT_MARGIN: usize = 8192;

/// The number of segments that a handle can address.
const MOST_SEGMENTS: usize = 1 << 16;

/// Block sizes in units are below this: enough for 512 nodes, more than any board has cells.
const CLASSES: usize = 640;

/// The smallest rest worth keeping when a freed block is split: a block of one node.
const SMALLEST: usize = 2;

/// The 32-bit reference of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Handle(u32);

impl Handle {
    /// 0 is not a handle: offsets start at 1.
    #[inline(always)]
    pub(super) fn from_number(number: u32) -> Option<Self> {
        (number != 0).then_some(Self(number))
    }

    #[inline(always)]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The addresses of the segments of a tree.
///
/// A thread writes the address of a segment before it publishes a block there. Other threads read the
/// address after they have read the handle of the block, so they see it.
pub struct Segments {
    /// The end of the first block of each segment: bumpalo fills a chunk from the top down.
    tops: Box<[AtomicPtr<u8>]>,
    meters: Box<[Meter]>,
}

/// What an arena holds. All threads read it; only its own thread writes it. It has its own cache lines.
#[derive(Default)]
#[repr(align(128))]
struct Meter {
    bytes: AtomicUsize,
    taken_bytes: AtomicUsize,
    nodes: AtomicUsize,
    blocks: AtomicUsize,
}

/// Sums over arenas.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Holdings {
    /// Bytes of the segments that hold or held blocks. The limit applies to these.
    pub bytes: usize,
    /// Bytes of the blocks in use, their number, and the number of their nodes.
    pub taken_bytes: usize,
    pub blocks: usize,
    pub nodes: usize,
}

impl Segments {
    /// The address of a block.
    #[inline(always)]
    pub fn resolve(&self, handle: Handle) -> *mut u8 {
        let top = self.tops[(handle.0 >> 16) as usize].load(Relaxed);
        top.wrapping_sub((handle.0 & 0xffff) as usize * UNIT)
    }

    /// What all arenas hold.
    pub fn holdings(&self) -> Holdings {
        let sum = |of: fn(&Meter) -> &AtomicUsize| {
            self.meters.iter().map(|meter| of(meter).load(Relaxed)).sum()
        };
        Holdings {
            bytes: sum(|meter| &meter.bytes),
            taken_bytes: sum(|meter| &meter.taken_bytes),
            blocks: sum(|meter| &meter.blocks),
            nodes: sum(|meter| &meter.nodes),
        }
    }
}

/// A bump arena with a single chunk; `None` if the system has no memory for it.
fn new_segment(bytes: usize) -> Option<Bump<UNIT>> {
    let bump = Bump::try_with_min_align_and_capacity(bytes - SEGMENT_MARGIN).ok()?;
    bump.set_allocation_limit(Some(bump.allocated_bytes()));
    debug_assert!(bump.allocated_bytes_including_metadata() <= bytes);
    Some(bump)
}

/// The memory from which one thread takes blocks.
pub struct Arena {
    places: Arc<Segments>,
    thread: usize,
    /// The number of its first segment, the maximum number of its segments, and the bytes of each.
    first: usize,
    most: usize,
    segment_bytes: usize,
    segments: Vec<Bump<UNIT>>,
    /// The segments that hold blocks, numbered from `first`. The last one is being filled.
    in_use: Vec<u16>,
    /// The segments that hold no blocks.
    spare: Vec<u16>,
    /// The free list of each size in units: its first block. Each freed block starts with the handle of
    /// the next.
    freed: Box<[u32; CLASSES]>,
    /// Units on the free lists, and units taken and not given back.
    freed_units: usize,
    taken_units: usize,
}

/// Arenas for `threads` threads, of at most `limit` bytes in total (at least one small segment). If the
/// limit is very small, some threads get no memory.
pub fn arenas(limit: usize, threads: usize) -> (Arc<Segments>, Vec<Arena>) {
    let limit = limit.max(SMALLEST_SEGMENT);
    let segment_bytes = (limit / threads).clamp(SMALLEST_SEGMENT, SEGMENT) / UNIT * UNIT;
    let all = (limit / segment_bytes).min(MOST_SEGMENTS);
    let tops = (0..all).map(|_| AtomicPtr::default()).collect();
    let meters = (0..threads).map(|_| Meter::default()).collect();
    let places = Arc::new(Segments { tops, meters });
    let arena = |thread: usize| {
        // Shares differ by one segment at most. The first thread makes the children of the root; it
        // always has some.
        let share = |end: usize| (end * all).div_ceil(threads);
        let (first, most) = (share(thread), share(thread + 1) - share(thread));
        Arena::new(Arc::clone(&places), thread, first, most, segment_bytes)
    };
    let arenas = (0..threads).map(arena).collect();
    (places, arenas)
}

impl Arena {
    fn new(
        places: Arc<Segments>,
        thread: usize,
        first: usize,
        most: usize,
        segment_bytes: usize,
    ) -> Self {
        Self {
            places,
            thread,
            first,
            most,
            segment_bytes,
            segments: Vec::new(),
            in_use: Vec::new(),
            spare: Vec::new(),
            freed: Box::new([0; CLASSES]),
            freed_units: 0,
            taken_units: 0,
        }
    }

    /// The address of a block.
    #[inline(always)]
    pub fn resolve(&self, handle: Handle) -> *mut u8 {
        self.places.resolve(handle)
    }

    /// Whether a block was taken here.
    pub fn owns(&self, handle: Handle) -> bool {
        (self.first..self.first + self.most).contains(&((handle.0 >> 16) as usize))
    }

    /// Whether the arena has any segments.
    pub fn has_memory(&self) -> bool {
        self.most > 0
    }

    /// Publishes what is held, with the counts of blocks and nodes, for [`Segments::holdings`].
    pub fn show(&self, blocks: usize, nodes: usize) {
        let meter = &self.places.meters[self.thread];
        meter.bytes.store(self.bytes(), Relaxed);
        meter.taken_bytes.store(self.taken_bytes(), Relaxed);
        meter.blocks.store(blocks, Relaxed);
        meter.nodes.store(nodes, Relaxed);
    }

    /// Takes memory for a block; `None` if there is none left.
    pub fn take(&mut self, units: usize) -> Option<Handle> {
        debug_assert!((SMALLEST..CLASSES).contains(&units));
        let handle = self
            .take_freed(units, units)
            .or_else(|| self.take_new(units))
            .or_else(|| self.split_freed(units))?;
        self.taken_units += units;
        Some(handle)
    }

    /// Gives the memory of a block back.
    pub fn give_back(&mut self, handle: Handle, units: usize) {
        self.taken_units -= units;
        self.list_freed(handle, units);
    }

    /// Bytes of the segments that hold or held blocks. The limit applies to these.
    pub fn bytes(&self) -> usize {
        self.segments.len() * self.segment_bytes
    }

    /// The maximum of [`bytes`](Self::bytes).
    pub fn most_bytes(&self) -> usize {
        self.most * self.segment_bytes
    }

    /// Bytes of the blocks in use.
    pub fn taken_bytes(&self) -> usize {
        self.taken_units * UNIT
    }

    /// Bytes that can still be taken, in pieces of any size.
    pub fn free_bytes(&self) -> usize {
        let unused = self.most - self.in_use.len();
        let filling = self
            .in_use
            .last()
            .map_or(0, |segment| self.segments[*segment as usize].chunk_capacity());
        unused * (self.segment_bytes - SEGMENT_MARGIN) + filling + self.freed_units * UNIT
    }

    /// Reserves segments for a copy of `bytes` bytes of blocks. False if there are not enough.
    pub fn reserve_copy(&mut self, bytes: usize) -> bool {
        // The end of a segment may stay empty if the next block does not fit.
        let usable = self.segment_bytes - SEGMENT_MARGIN - CLASSES * UNIT;
        let needed = bytes.div_ceil(usable);
        if needed > self.most - self.in_use.len() {
            return false;
        }
        while self.spare.len() < needed {
            if self.add_segment().is_none() {
                return false;
            }
        }
        true
    }

    /// Starts a copy: from now on blocks are taken from other segments. The old segments, which are
    /// returned, stay as they are until [`finish_copy`](Self::finish_copy).
    pub fn begin_copy(&mut self) -> Vec<u16> {
        self.freed.fill(0);
        (self.freed_units, self.taken_units) = (0, 0);
        std::mem::take(&mut self.in_use)
    }

    /// Drops every block in the old segments.
    pub fn finish_copy(&mut self, old: Vec<u16>) {
        for segment in old {
            self.segments[segment as usize].reset();
            self.set_top(segment, std::ptr::null_mut());
            self.spare.push(segment);
        }
    }

    /// Drops every block.
    pub fn clear(&mut self) {
        let old = self.begin_copy();
        self.finish_copy(old);
    }

    fn take_new(&mut self, units: usize) -> Option<Handle> {
        let filling = self.in_use.last().copied();
        if let Some(handle) = filling.and_then(|segment| self.take_from(segment, units)) {
            return Some(handle);
        }
        if self.spare.is_empty() {
            self.add_segment()?;
        }
        let segment = self.spare.pop()?;
        self.in_use.push(segment);
        self.take_from(segment, units)
    }

    /// Adds a spare segment; `None` if the limit or the system does not allow it. After the system has
    /// refused once, it is not asked again.
    fn add_segment(&mut self) -> Option<()> {
        if self.segments.len() == self.most {
            return None;
        }
        let Some(segment) = new_segment(self.segment_bytes) else {
            self.most = self.segments.len();
            return None;
        };
        self.spare.push(self.segments.len() as u16);
        self.segments.push(segment);
        Some(())
    }

    /// Takes `units` units of a segment; `None` if it is full.
    fn take_from(&mut self, segment: u16, units: usize) -> Option<Handle> {
        let layout = Layout::from_size_align(units * UNIT, UNIT).ok()?;
        let start = self.segments[segment as usize].try_alloc_layout(layout).ok()?.as_ptr();
        let number = self.first + usize::from(segment);
        let mut top = self.places.tops[number].load(Relaxed);
        if top.is_null() {
            top = start.wrapping_add(units * UNIT);
            self.set_top(segment, top);
        }
        let below_top = (top as usize - start as usize) / UNIT;
        debug_assert!((1..1 << 16).contains(&below_top));
        Some(Handle((number as u32) << 16 | below_top as u32))
    }

    fn set_top(&self, segment: u16, top: *mut u8) {
        self.places.tops[self.first + usize::from(segment)].store(top, Relaxed);
    }

    /// Takes a freed block of `size` units, of which the new block needs `units`. The rest goes to a
    /// free list.
    fn take_freed(&mut self, size: usize, units: usize) -> Option<Handle> {
        let handle = Handle::from_number(self.freed[size])?;
        // SAFETY: a block on a free list belongs to this arena and starts with the handle of the next.
        self.freed[size] = unsafe { self.resolve(handle).cast::<u32>().read() };
        self.freed_units -= size;
        if size > units {
            // The offset counts down from the top, so the rest after `units` units has a smaller offset.
            self.list_freed(Handle(handle.0 - units as u32), size - units);
        }
        Some(handle)
    }

    /// Takes part of a larger freed block: the smallest that leaves a useful rest.
    fn split_freed(&mut self, units: usize) -> Option<Handle> {
        let size = (units + SMALLEST..CLASSES).find(|size| self.freed[*size] != 0)?;
        self.take_freed(size, units)
    }

    fn list_freed(&mut self, handle: Handle, units: usize) {
        // SAFETY: the block belongs to this arena and is no longer used.
        unsafe { self.resolve(handle).cast::<u32>().write(self.freed[units]) };
        self.freed[units] = handle.0;
        self.freed_units += units;
    }
}

#[cfg(test)]
mod tests;
