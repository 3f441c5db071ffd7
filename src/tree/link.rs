//! How threads give a node its children, and prove it: the two changes to a tree that are more than an
//! addition.
//!
//! They are written over a trait of cells, so that a test can run them on cells that try every order in
//! which the accesses of threads may happen (and every value that the memory model lets a load see).

use std::sync::atomic::Ordering::{self, AcqRel, Acquire};
use std::sync::atomic::{AtomicU8, AtomicU32};

use super::arena::Handle;
use super::status::Status;

/// What stands in the column of children. Handles have a part of sixteen bits that is never 0, so a depth
/// is told from them by standing above it: what was read is known for what it is, whatever another
/// thread has done since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link(pub u32);

impl Link {
    pub const NONE: Self = Self(0);

    pub fn to(child: Option<Handle>) -> Self {
        child.map_or(Self::NONE, |handle| Self(handle.number()))
    }

    /// Never 0, so that a proof keeps children from being added.
    pub fn proof(depth: u32) -> Self {
        debug_assert!(depth < (1 << 16) - 1);
        Self((depth + 1) << 16)
    }

    #[inline(always)]
    pub fn child(self) -> Option<Handle> {
        if self.0 & 0xffff == 0 { None } else { Handle::from_number(self.0) }
    }

    pub fn depth(self) -> u32 {
        (self.0 >> 16).saturating_sub(1)
    }
}

/// A cell that threads share.
pub trait Cell<T> {
    fn load(&self, order: Ordering) -> T;
    fn swap(&self, value: T, order: Ordering) -> T;
    fn compare_exchange(&self, current: T, new: T, ok: Ordering, err: Ordering) -> Result<T, T>;
    /// A fence of sequential consistency.
    fn fence();
}

macro_rules! cell {
    ($cell:ty, $number:ty, $fence:path) => {
        impl Cell<$number> for $cell {
            #[inline(always)]
            fn load(&self, order: Ordering) -> $number {
                self.load(order)
            }

            #[inline(always)]
            fn swap(&self, value: $number, order: Ordering) -> $number {
                self.swap(value, order)
            }

            #[inline(always)]
            fn compare_exchange(
                &self,
                current: $number,
                new: $number,
                ok: Ordering,
                err: Ordering,
            ) -> Result<$number, $number> {
                self.compare_exchange(current, new, ok, err)
            }

            #[inline(always)]
            fn fence() {
                $fence(Ordering::SeqCst);
            }
        }
    };
}

cell!(AtomicU32, u32, std::sync::atomic::fence);
cell!(AtomicU8, u8, std::sync::atomic::fence);

/// Gives a node its children, unless it has some or was proven; what it has then, if that is children.
/// Whoever reads the handle sees all that was written to the block before.
pub fn publish(link: &impl Cell<u32>, child: Handle) -> Result<(), Option<Handle>> {
    let new = Link::to(Some(child)).0;
    match link.compare_exchange(Link::NONE.0, new, AcqRel, Acquire) {
        Ok(_) => Ok(()),
        Err(found) => Err(Link(found).child()),
    }
}

/// Narrows what is known of a node. What was below a node that is proven now: one thread only is given
/// it, and no thread can add children afterwards.
///
/// It ends with a fence: of two threads that narrow siblings and then look at all of them, one at the
/// least sees what both did.
pub fn narrow<S: Cell<u8>>(
    cell: &S,
    link: &impl Cell<u32>,
    status: Status,
    depth: u32,
) -> Option<Handle> {
    let mut known = Status::from_byte(cell.load(Acquire));
    let mut cut_off = None;
    loop {
        let narrowed = known.and(status);
        if narrowed == known {
            break;
        }
        if narrowed.is_proven() {
            // The depth is there before the proof is. Of two threads that get here, the second finds a
            // depth.
            cut_off = cut_off.or(Link(link.swap(Link::proof(depth).0, AcqRel)).child());
        }
        match cell.compare_exchange(known.byte(), narrowed.byte(), AcqRel, Acquire) {
            Ok(_) => break,
            Err(found) => known = Status::from_byte(found),
        }
    }
    S::fence();
    cut_off
}

#[cfg(test)]
mod tests;
