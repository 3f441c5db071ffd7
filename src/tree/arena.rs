//! Memory for blocks: bump arenas of one megabyte each, and lists of freed blocks.
//!
//! A tree's memory is a number of segments, each a bumpalo arena with a single chunk that never
//! grows, so the limit is kept to the byte and a 32-bit handle (segment, and units of 16 bytes
//! from its top) finds a block in two steps. A bump arena frees nothing, so blocks that are freed
//! one by one go to lists by their size and are taken from there, split if need be. When a tree
//! is copied, the copy goes to other segments, and the old ones are reset and used again.

use std::alloc::Layout;

use bumpalo::Bump;

/// Alignment of blocks, and the unit of their sizes.
pub const UNIT: usize = 16;

/// Bytes of a segment, with what the allocator adds.
pub const SEGMENT: usize = 1 << 20;

/// Bytes for blocks in a segment: two pages are left to bumpalo and the allocator.
const SEGMENT_CAPACITY: usize = SEGMENT - 8192;

/// The largest block in units: that of 512 nodes, more than any board has cells.
const CLASSES: usize = 640;

/// The smallest piece that is worth keeping when a freed block is split: a block of one node.
const SMALLEST: usize = 2;

/// The name of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Handle(u32);

impl Handle {
    /// Zero is no handle: offsets begin at 1.
    #[inline(always)]
    pub(super) fn from_number(number: u32) -> Option<Self> {
        (number != 0).then_some(Self(number))
    }

    #[inline(always)]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A bump arena with a single chunk for blocks; `None` if the system has no memory for it.
fn new_segment() -> Option<Bump<UNIT>> {
    let bump = Bump::try_with_min_align_and_capacity(SEGMENT_CAPACITY).ok()?;
    bump.set_allocation_limit(Some(bump.allocated_bytes()));
    debug_assert!(bump.allocated_bytes_including_metadata() <= SEGMENT);
    Some(bump)
}

/// The memory of one tree.
pub struct Arena {
    segments: Vec<Bump<UNIT>>,
    /// The end of the first block of each segment: bumpalo fills a chunk from the top down.
    tops: Vec<*mut u8>,
    /// The segments that hold blocks; the last of them is being filled.
    in_use: Vec<u16>,
    /// The segments that hold none.
    spare: Vec<u16>,
    /// The segments there may be.
    most: usize,
    /// For each size in units, the first of the freed blocks; each begins with the handle of the
    /// next.
    freed: Box<[u32; CLASSES]>,
    /// Units on those lists, and units taken and not given back.
    freed_units: usize,
    taken_units: usize,
}

// SAFETY: an arena owns its segments; the pointers lead into them and are used through it alone.
unsafe impl Send for Arena {}

impl Arena {
    /// Memory of at most so many bytes, one segment at the least.
    pub fn new(limit: usize) -> Self {
        Self {
            segments: Vec::new(),
            tops: Vec::new(),
            in_use: Vec::new(),
            spare: Vec::new(),
            most: (limit / SEGMENT).clamp(1, 1 << 16),
            freed: Box::new([0; CLASSES]),
            freed_units: 0,
            taken_units: 0,
        }
    }

    /// Where a block lies.
    #[inline(always)]
    pub fn resolve(&self, handle: Handle) -> *mut u8 {
        let top = self.tops[(handle.0 >> 16) as usize];
        top.wrapping_sub((handle.0 & 0xffff) as usize * UNIT)
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

    /// Bytes of the segments that hold or held blocks: what the limit is about.
    pub fn bytes(&self) -> usize {
        self.segments.len() * SEGMENT
    }

    /// Bytes of the blocks in use.
    pub fn taken_bytes(&self) -> usize {
        self.taken_units * UNIT
    }

    /// Bytes that could still be taken, in pieces of whatever size.
    pub fn free_bytes(&self) -> usize {
        let unused = self.most - self.in_use.len();
        let filling = self
            .in_use
            .last()
            .map_or(0, |segment| self.segments[*segment as usize].chunk_capacity());
        unused * SEGMENT_CAPACITY + filling + self.freed_units * UNIT
    }

    /// Sees to it that a copy of so many bytes of blocks fits into the segments that hold none;
    /// false if it cannot.
    pub fn reserve_copy(&mut self, bytes: usize) -> bool {
        // The end of a segment may stay empty, if the next block is too long for it.
        let usable = SEGMENT_CAPACITY - CLASSES * UNIT;
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

    /// From here on blocks are taken from other segments; the old ones stay as they are until
    /// [`finish_copy`](Self::finish_copy).
    pub fn begin_copy(&mut self) -> Vec<u16> {
        self.freed.fill(0);
        (self.freed_units, self.taken_units) = (0, 0);
        std::mem::take(&mut self.in_use)
    }

    /// Forgets every block in the old segments.
    pub fn finish_copy(&mut self, old: Vec<u16>) {
        for segment in old {
            self.segments[segment as usize].reset();
            self.tops[segment as usize] = std::ptr::null_mut();
            self.spare.push(segment);
        }
    }

    /// Forgets every block.
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

    /// Adds a spare segment; `None` if the limit or the system does not allow it. What the system
    /// has refused once is not asked for again.
    fn add_segment(&mut self) -> Option<()> {
        if self.segments.len() == self.most {
            return None;
        }
        let Some(segment) = new_segment() else {
            self.most = self.segments.len();
            return None;
        };
        self.spare.push(self.segments.len() as u16);
        self.segments.push(segment);
        self.tops.push(std::ptr::null_mut());
        Some(())
    }

    /// Takes some units of a segment; `None` if it is full.
    fn take_from(&mut self, segment: u16, units: usize) -> Option<Handle> {
        let layout = Layout::from_size_align(units * UNIT, UNIT).ok()?;
        let start = self.segments[segment as usize].try_alloc_layout(layout).ok()?.as_ptr();
        let top = &mut self.tops[segment as usize];
        if top.is_null() {
            *top = start.wrapping_add(units * UNIT);
        }
        let below_top = (*top as usize - start as usize) / UNIT;
        debug_assert!((1..1 << 16).contains(&below_top));
        Some(Handle(u32::from(segment) << 16 | below_top as u32))
    }

    /// Takes a freed block of a certain size for a block that needs no more than that.
    fn take_freed(&mut self, size: usize, units: usize) -> Option<Handle> {
        let handle = Handle::from_number(self.freed[size])?;
        // SAFETY: a block on a list is ours, and begins with the handle of the next.
        self.freed[size] = unsafe { self.resolve(handle).cast::<u32>().read() };
        self.freed_units -= size;
        if size > units {
            // The end of the block is the part nearer to the top.
            self.list_freed(Handle(handle.0 - units as u32), size - units);
        }
        Some(handle)
    }

    /// Takes a part of a larger freed block, the smallest that leaves a useful rest.
    fn split_freed(&mut self, units: usize) -> Option<Handle> {
        let size = (units + SMALLEST..CLASSES).find(|size| self.freed[*size] != 0)?;
        self.take_freed(size, units)
    }

    fn list_freed(&mut self, handle: Handle, units: usize) {
        // SAFETY: the block is ours and no one uses it any more.
        unsafe { self.resolve(handle).cast::<u32>().write(self.freed[units]) };
        self.freed[units] = handle.0;
        self.freed_units += units;
    }
}

#[cfg(test)]
mod tests;
