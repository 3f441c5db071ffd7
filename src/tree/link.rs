//! How threads give a node its children, and prove it: the two changes to a tree that are more than an
//! addition.
//!
//! They are generic over a trait of cells. So a test can run them on cells that try every interleaving
//! of the threads, and every value that the memory model lets a load return.

use std::sync::atomic::Ordering::{self, AcqRel, Acquire};
use std::sync::atomic::{AtomicU8, AtomicU32};

use super::arena::Handle;
use super::status::Status;

/// The content of a cell in the column of children: 0, a handle, or the depth of a proof.
///
/// The low 16 bits of a handle are never 0; those of a depth are. So a value that was read is
/// unambiguous, even if another thread has changed the cell since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link(pub u32);

impl Link {
    pub const NONE: Self = Self(0);

    pub fn to(child: Option<Handle>) -> Self {
        child.map_or(Self::NONE, |handle| Self(handle.number()))
    }

    /// Never 0, so that a proof prevents children from being added.
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

/// An atomic cell that threads share.
pub trait Cell<T> {
    fn load(&self, order: Ordering) -> T;
    fn swap(&self, value: T, order: Ordering) -> T;
    fn compare_exchange(&self, current: T, new: T, ok: Ordering, err: Ordering) -> Result<T, T>;
    /// A sequentially consistent fence.
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

/// Gives a node its children, unless it has some or was proven. The error is the children that it has,
/// if any. A thread that reads the handle sees everything that was written to the block before.
pub fn publish(link: &impl Cell<u32>, child: Handle) -> Result<(), Option<Handle>> {
    let new = Link::to(Some(child)).0;
    match link.compare_exchange(Link::NONE.0, new, AcqRel, Acquire) {
        Ok(_) => Ok(()),
        Err(found) => Err(Link(found).child()),
    }
}

/// Narrows the status of a node. Returns what was below a node that is now proven: only one thread gets
/// it, and no thread can add children afterwards.
///
/// It ends with a fence. If two threads narrow siblings and then read all siblings, at least one of them
/// sees both changes.
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
            // The depth is written before the proof. If two threads get here, the second one finds a depth.
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
