//! The arena against a model: blocks are intervals of addresses, each filled with its own byte.

use std::collections::BTreeMap;

use super::*;
use crate::rng::Rng;

/// A single arena with all the memory.
fn alone(limit: usize) -> Arena {
    arenas(limit, 1).1.pop().expect("an arena for the thread")
}

/// A block in use: its handle, its units, and the byte it is filled with.
#[derive(Clone, Copy)]
struct Taken {
    handle: Handle,
    units: usize,
    fill: u8,
}

/// The blocks in use, by their addresses.
#[derive(Default)]
struct Model {
    blocks: BTreeMap<usize, Taken>,
    fills: u8,
}

impl Model {
    fn units(&self) -> usize {
        self.blocks.values().map(|taken| taken.units).sum()
    }

    /// Takes a block, checks that it overlaps no other, and fills it.
    fn take(&mut self, arena: &mut Arena, units: usize) -> Option<Handle> {
        let handle = arena.take(units)?;
        let (start, bytes) = (arena.resolve(handle), units * UNIT);
        let address = start as usize;
        assert!(address.is_multiple_of(UNIT));
        if let Some((before, taken)) = self.blocks.range(..=address).next_back() {
            assert!(before + taken.units * UNIT <= address, "blocks overlap");
        }
        if let Some((behind, _)) = self.blocks.range(address..).next() {
            assert!(address + bytes <= *behind, "blocks overlap");
        }
        self.fills = self.fills.wrapping_add(1);
        // SAFETY: the block was just taken, so nothing else uses it.
        unsafe { start.write_bytes(self.fills, bytes) };
        self.blocks.insert(address, Taken { handle, units, fill: self.fills });
        Some(handle)
    }

    /// Takes blocks of a size until there are no more. Returns their number.
    fn take_all(&mut self, arena: &mut Arena, units: usize) -> usize {
        std::iter::from_fn(|| self.take(arena, units)).count()
    }

    /// Checks that a block still has its fill.
    fn check(arena: &Arena, taken: &Taken) {
        let bytes = taken.units * UNIT;
        // SAFETY: the block is in use, and was filled.
        let found = unsafe { std::slice::from_raw_parts(arena.resolve(taken.handle), bytes) };
        // Miri is slow: it checks fewer bytes.
        let mut looked_at = found.iter().step_by(if cfg!(miri) { 499 } else { 1 });
        assert!(looked_at.all(|byte| *byte == taken.fill), "a block was written to");
    }

    fn give_back(&mut self, arena: &mut Arena, handle: Handle) -> Taken {
        let taken = self.blocks.remove(&(arena.resolve(handle) as usize)).expect("a block in use");
        Self::check(arena, &taken);
        arena.give_back(handle, taken.units);
        taken
    }

    /// A random block in use.
    fn any(&self, rng: &mut Rng) -> Option<Taken> {
        let choice = rng.below(self.blocks.len().max(1) as u32) as usize;
        self.blocks.values().nth(choice).copied()
    }
}

#[test]
fn blocks_lie_apart_and_stay_as_they_are() {
    let steps = if cfg!(miri) { 150 } else { 6_000 };
    for segments in [1, 3] {
        let mut rng = Rng::stream(30, segments);
        let (mut arena, mut model) = (alone(segments * SEGMENT), Model::default());
        let (mut refused, mut reused) = (0, 0);
        for step in 0..steps {
            // The arena fills up first; later as much is given back as is taken.
            let takes = if step < steps / 2 { 3 } else { 2 };
            if rng.below(4) < takes {
                let most = [8, 80, CLASSES - 1][rng.below(3) as usize];
                let units = SMALLEST + rng.below((most - SMALLEST) as u32) as usize;
                if model.take(&mut arena, units).is_none() {
                    refused += 1;
                    // A block of this size that is given back is available at once.
                    let same = model.blocks.values().find(|taken| taken.units == units).copied();
                    if let Some(taken) = same {
                        model.give_back(&mut arena, taken.handle);
                        assert_eq!(model.take(&mut arena, units), Some(taken.handle));
                        reused += 1;
                    }
                }
            } else if let Some(taken) = model.any(&mut rng) {
                model.give_back(&mut arena, taken.handle);
            }
            assert_eq!(arena.taken_bytes(), model.units() * UNIT);
            assert!(arena.bytes() <= segments * SEGMENT);
            assert!(arena.taken_bytes() + arena.free_bytes() <= segments * SEGMENT);
        }
        assert!(cfg!(miri) || (refused > 0 && reused > 0), "{refused} refused, {reused} reused");
        model.blocks.values().for_each(|taken| Model::check(&arena, taken));
    }
}

#[test]
fn what_is_given_back_can_all_be_taken_again() {
    let units = if cfg!(miri) { CLASSES - 1 } else { 13 };
    let (mut arena, mut model) = (alone(2 * SEGMENT), Model::default());
    let count = model.take_all(&mut arena, units);
    assert!(count * units * UNIT > 19 * SEGMENT / 10, "only {count} blocks");
    let handles: Vec<Handle> = model.blocks.values().map(|taken| taken.handle).collect();
    for handle in handles {
        model.give_back(&mut arena, handle);
    }
    assert_eq!(arena.taken_bytes(), 0);
    assert_eq!(model.take_all(&mut arena, units), count);
    assert_eq!(arena.bytes(), 2 * SEGMENT);
}

#[test]
fn a_freed_block_is_split() {
    let (whole, part) = (600, 250);
    let (mut arena, mut model) = (alone(SEGMENT), Model::default());
    model.take_all(&mut arena, whole);
    model.take_all(&mut arena, SMALLEST);
    let taken = model.any(&mut Rng::new(31)).filter(|taken| taken.units == whole);
    let taken = taken.unwrap_or_else(|| {
        *model.blocks.values().find(|taken| taken.units == whole).expect("a large block")
    });
    let start = arena.resolve(taken.handle) as usize;
    model.give_back(&mut arena, taken.handle);
    for units in [part, whole - part] {
        let handle = model.take(&mut arena, units).expect("a part of the freed block");
        let inside = arena.resolve(handle) as usize - start;
        assert!(inside + units * UNIT <= whole * UNIT);
    }
    assert_eq!(model.take(&mut arena, SMALLEST), None);
    assert!(arena.free_bytes() < UNIT * SMALLEST);
}

#[test]
fn the_limit_is_kept_to_whole_segments() {
    // Limits in bytes, and the bytes they result in. A limit below one segment gives a smaller segment.
    let limits = [
        (0, SMALLEST_SEGMENT),
        (SEGMENT / 3 + 5, (SEGMENT / 3 + 5) / UNIT * UNIT),
        (SEGMENT, SEGMENT),
        (2 * SEGMENT - 1, SEGMENT),
        (3 * SEGMENT + 5, 3 * SEGMENT),
    ];
    for (limit, bytes) in limits {
        let mut arena = alone(limit);
        assert_eq!(arena.bytes(), 0);
        while arena.take(CLASSES - 1).is_some() {}
        assert_eq!(arena.bytes(), bytes, "limit {limit}");
        let memory: usize =
            arena.segments.iter().map(Bump::allocated_bytes_including_metadata).sum();
        assert!(memory <= arena.bytes(), "limit {limit}: {memory} bytes");
        arena.clear();
        assert_eq!(arena.taken_bytes(), 0);
        assert!(arena.take(CLASSES - 1).is_some());
    }
}

#[test]
fn a_copy_leaves_the_old_blocks_alone_until_it_is_finished() {
    let (mut arena, mut old) = (alone(3 * SEGMENT), Model::default());
    while arena.in_use.len() < 2 {
        old.take(&mut arena, CLASSES - 1);
    }
    assert!(arena.reserve_copy(SEGMENT / 2));
    assert!(!arena.reserve_copy(SEGMENT));
    let segments = arena.begin_copy();
    let mut new = Model::default();
    while (new.units() + CLASSES) * UNIT < SEGMENT / 2 {
        new.take(&mut arena, CLASSES - 1).expect("room was seen");
    }
    for taken in old.blocks.values() {
        Model::check(&arena, taken);
        assert!(!new.blocks.contains_key(&(arena.resolve(taken.handle) as usize)));
    }
    arena.finish_copy(segments);
    assert_eq!(arena.taken_bytes(), new.units() * UNIT);
    // The old segments can be filled again.
    let count = new.take_all(&mut arena, CLASSES - 1);
    assert!(count * (CLASSES - 1) * UNIT > 2 * SEGMENT);
    assert_eq!(arena.bytes(), 3 * SEGMENT);
    new.blocks.values().for_each(|taken| Model::check(&arena, taken));
}

/// Every thread has its own segments, and together they keep to the limit. The first thread always has
/// some.
#[test]
fn threads_share_the_memory() {
    let segments = if cfg!(miri) { 2 } else { 5 };
    for (limit, threads) in [(SEGMENT, 1), (SEGMENT, 3), (SEGMENT, 40), (segments * SEGMENT, 4)] {
        let (places, mut arenas) = arenas(limit, threads);
        let mut model = Model::default();
        assert!(arenas[0].has_memory());
        for arena in &mut arenas {
            let taken = model.take_all(arena, CLASSES / 2);
            assert_eq!(taken > 0, arena.has_memory());
            arena.show(taken, 7 * taken);
        }
        for taken in model.blocks.values() {
            let owners = arenas.iter().filter(|arena| arena.owns(taken.handle));
            assert_eq!(owners.count(), 1);
            Model::check(&arenas[0], taken);
        }
        let held = places.holdings();
        let blocks = model.blocks.len();
        assert_eq!((held.blocks, held.nodes), (blocks, 7 * blocks));
        assert_eq!(held.taken_bytes, model.units() * UNIT);
        assert!(held.bytes <= limit && held.bytes > limit / 2, "{held:?} of {limit}");
    }
}
