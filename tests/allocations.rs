//! Playouts allocate nothing: neither the games, nor making ready for them.
//!
//! The allocator of this test counts what the calling thread asks of it; other threads of the
//! test runner do not disturb the count.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;
use std::hint::black_box;

use ciclon::internals::bits::Isa;
use ciclon::internals::game::Move;
use ciclon::internals::havannah::playout::{Playouts, Policy};
use ciclon::internals::havannah::{Board, Cell, Geometry, Outcome};
use ciclon::internals::rng::Rng;

const GAMES: usize = 100;

thread_local! {
    static ALLOCATIONS: Counter<usize> = const { Counter::new(0) };
}

struct Counting;

impl Counting {
    fn count() {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    }
}

// SAFETY: every call goes on to the system allocator as it came. Counting does not allocate: the
// counter is a constant of the thread without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count();
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::count();
        // SAFETY: the caller's contract is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::count();
        // SAFETY: the caller's contract is the same.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is the same.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often some work allocates, and what it returns.
fn allocations_of<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = ALLOCATIONS.get();
    let value = work();
    (ALLOCATIONS.get() - before, value)
}

/// A position with a third of the cells taken.
fn middle_game(geometry: &Geometry, rng: &mut Rng) -> Board {
    let mut board = Board::of(geometry);
    while board.stone_count() < geometry.cell_count() / 3 {
        let choice = rng.below(board.empty_cells().len() as u32) as usize;
        let cell = board.empty_cells().iter().nth(choice).expect("the choice is a member");
        let mut after = board;
        after.place(Cell::from_index(cell));
        if after.outcome() == Outcome::Ongoing {
            board = after;
        }
    }
    board
}

fn check(geometry: &Geometry, isa: Isa) {
    let mut rng = Rng::stream(4, geometry.size);
    let empty = Board::of(geometry);
    for position in [empty, middle_game(geometry, &mut rng)] {
        let empty_cells = position.empty_cells().iter();
        let mut line: Vec<Move> =
            empty_cells.map(|index| geometry.move_to(Cell::from_index(index))).collect();
        line.truncate(1);
        for policy in [Policy::Random, Policy::mate(geometry.size)] {
            let mut playouts = Playouts::new(&empty, policy, isa);
            let (allocations, ()) = allocations_of(|| playouts.start_from(&position));
            assert_eq!(allocations, 0, "making ready, {policy:?}\n{position}");
            let (allocations, moves) =
                allocations_of(|| (0..GAMES).map(|_| playouts.run(&mut rng).length).sum::<usize>());
            assert_eq!(allocations, 0, "{moves} moves, {policy:?}, {isa}\n{position}");
            assert!(moves >= GAMES);
            let (allocations, moves) = allocations_of(|| {
                let mut run = || playouts.run_line(&line, &mut rng).map_or(0, |game| game.length);
                (0..GAMES).map(|_| run()).sum::<usize>()
            });
            assert_eq!(allocations, 0, "{moves} moves after a line, {policy:?}, {isa}\n{position}");
            assert!(moves >= GAMES);
            assert_eq!(allocations_of(|| black_box(playouts.made())).0, 0);
        }
    }
}

#[test]
fn playouts_allocate_nothing() {
    for isa in Isa::available() {
        for size in 2..=10 {
            check(Geometry::of_size(size).expect("a base"), isa);
        }
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations_of(|| black_box(Box::new(1))).0, 1);
    assert_eq!(allocations_of(|| black_box(vec![0; 10])).0, 1);
    assert_eq!(allocations_of(|| black_box([0; 10])).0, 0);
    let mut grown = Vec::with_capacity(1);
    assert_eq!(allocations_of(|| black_box(&mut grown).extend([1, 2])).0, 1);
}
