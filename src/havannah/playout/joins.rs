//! What the pattern of a stone means for the chains next to it, as tables: the core of the kernel of
//! `random`. A pattern is the six bits of earlier own neighbours, and a bit for a stone on the rim.

use crate::havannah::Width;
use crate::havannah::neighbourhood::LOCAL_GROUPS;

/// A stone that may end the game: its join, index in a byte board and ply, packed in one word for one read
/// and one write.
#[derive(Clone, Copy)]
pub struct Event(u64);

impl Event {
    pub const NONE: Self = Self(0);

    #[inline(always)]
    pub fn new(join: Join, index: usize, ply: usize) -> Self {
        Self(u64::from(join.0) | (index as u64) << 32 | (ply as u64) << 48)
    }

    #[inline(always)]
    pub fn join(self) -> Join {
        Join(self.0 as u32)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 >> 32) as u16 as usize
    }

    #[inline(always)]
    pub fn ply(self) -> usize {
        (self.0 >> 48) as usize
    }
}

/// The meaning of a pattern: the step to one neighbour in each group, and flags.
#[derive(Clone, Copy)]
pub struct Join(u32);

impl Join {
    pub const FOUNDS: u32 = 1 << 24;
    pub const MERGES: u32 = 1 << 25;
    pub const MERGES_THREE: u32 = 1 << 26;
    const IS_EVENT_SHIFT: u32 = 31;

    const fn new(stride: usize, pattern: usize) -> Self {
        let stride = stride as i32;
        let steps = [stride, stride + 1, 1, -stride, -stride - 1, -1];
        let groups = LOCAL_GROUPS[pattern & 63];
        let mut join = 0;
        let mut group = 0;
        while group < groups.count as usize {
            let step = steps[groups.directions[group] as usize] as i8 as u8;
            join |= (step as u32) << (8 * group);
            group += 1;
        }
        if groups.count == 0 {
            join |= Self::FOUNDS;
        }
        if groups.count >= 2 {
            join |= Self::MERGES;
        }
        if groups.count == 3 {
            join |= Self::MERGES_THREE;
        }
        let is_event = groups.count >= 2 || pattern & ON_RIM as usize != 0;
        Join(join | (is_event as u32) << Self::IS_EVENT_SHIFT)
    }

    /// The index distance to a neighbour in the group; 0 if there is no such group.
    #[inline(always)]
    pub fn step(self, group: u32) -> isize {
        (self.0 >> (8 * group)) as i8 as isize
    }

    #[inline(always)]
    pub fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    #[inline(always)]
    pub fn is_event(self) -> usize {
        (self.0 >> Self::IS_EVENT_SHIFT) as usize
    }
}

pub use crate::havannah::width::ON_RIM;

/// The join of each pattern, for boards of one stride.
pub struct Joins(pub [Join; 128]);

impl Joins {
    const fn new(stride: usize) -> Self {
        let mut joins = [Join(0); 128];
        let mut pattern = 0;
        while pattern < 128 {
            joins[pattern] = Join::new(stride, pattern);
            pattern += 1;
        }
        Self(joins)
    }
}

pub struct Constants<W>(std::marker::PhantomData<W>);

impl<W: Width> Constants<W> {
    pub const JOINS: &'static Joins = &Joins::new(W::STRIDE);
}
