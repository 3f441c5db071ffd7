//! A single stone, taking it back against copying the board, and the whole-board queries; on boards in
//! the width of their base, as in search, and on those whose base is known at run time.
//! Every bench asserts its result once before it is timed.

mod support;

use ciclon::internals::bits::{Isa, Kernel};
use ciclon::internals::havannah::neighbourhood::{cells_by_groups, dilate, flood, joint_cells};
use ciclon::internals::havannah::patterns::dead_cells;
use ciclon::internals::havannah::threats::winning_cells;
use ciclon::internals::havannah::width::{Width8, Width20};
use ciclon::internals::havannah::{AnyWidth, Board, Cell, Colour, Geometry, Set, Width};
use ciclon::internals::rng::Rng;
use ciclon::internals::tools::playing::midgame_positions;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// Applies a function to every position, compiled for an instruction set as a whole.
struct OnAll<'a, W: Width, F>(&'a [Board<W>], F);

impl<W: Width, F: Fn(&Board<W>) -> u64> Kernel for OnAll<'_, W, F> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut sum = 0;
        for board in self.0 {
            sum += (self.1)(black_box(board));
        }
        sum
    }
}

/// Positions of a base with some stones, in a width.
fn positions<W: Width>(size: usize, stones: usize, seed: u64) -> Vec<Board<W>> {
    let geometry = Geometry::of_size(size).expect("a base");
    let boards = midgame_positions(geometry, stones, 32, &mut Rng::new(seed));
    assert_eq!(boards.len(), 32);
    boards.iter().map(|board| board.widened().expect("a width of the base")).collect()
}

/// The name of the benches of a base in a width.
fn name<W: Width>(of: &str, size: usize) -> String {
    let any = if W::STRIDE == 0 { ", any width" } else { "" };
    format!("{of}/base {size}{any}")
}

fn stones<W: Width>(criterion: &mut Criterion, size: usize) {
    let mut group = criterion.benchmark_group(name::<W>("stone", size));
    let boards = positions::<W>(size, 2 * size, 7);
    let moves: Vec<Cell> = boards
        .iter()
        .map(|board| Cell::from_index(board.empty_cells().first().expect("a cell is empty")))
        .collect();
    group.bench_function("copy, place", |bencher| {
        bencher.iter(|| {
            for (board, cell) in boards.iter().zip(&moves) {
                let mut copy = *black_box(board);
                copy.place(*cell);
                assert_eq!(copy.stone_count(), 2 * size + 1);
                black_box(&copy);
            }
        });
    });
    group.bench_function("place, undo", |bencher| {
        let mut boards = boards.clone();
        bencher.iter(|| {
            for (board, cell) in boards.iter_mut().zip(&moves) {
                let undo = board.place_logged(*cell);
                black_box(&board);
                board.undo(&undo);
                assert_eq!(board.stone_count(), 2 * size);
            }
        });
    });
    group.finish();
}

fn queries<W: Width>(criterion: &mut Criterion, size: usize) {
    let mut group = criterion.benchmark_group(name::<W>("query", size));
    let boards = positions::<W>(size, 4 * size, 8);
    let mut query = |name: &str, f: fn(&Board<W>) -> u64| {
        let expected = Isa::PORTABLE.run(OnAll(&boards, f));
        for isa in Isa::available() {
            assert_eq!(isa.run(OnAll(&boards, f)), expected, "{name} on {isa}");
            group.bench_with_input(BenchmarkId::new(name, isa), &isa, |bencher, isa| {
                bencher.iter(|| isa.run(OnAll(&boards, f)));
            });
        }
    };
    query("neighbours", |board| dilate(board.layout(), board.stones(Colour::White)).len() as u64);
    query("local groups", |board| {
        cells_by_groups(board.layout(), board.stones(Colour::White))[1].len() as u64
    });
    query("joints", |board| {
        joint_cells(board.layout(), board.stones(Colour::White), board.empty_cells()).len() as u64
    });
    query("flood", |board| {
        let (layout, empty): (_, Set<W>) = (board.layout(), board.empty_cells());
        flood(layout, layout.borders[0] | layout.borders[6], empty).len() as u64
    });
    query("winning cells", |board| winning_cells(board, Colour::White).all().len() as u64);
    query("dead cells", |board| dead_cells(board).len() as u64);
    group.finish();
}

fn all(criterion: &mut Criterion) {
    stones::<Width8>(criterion, 4);
    stones::<Width20>(criterion, 10);
    stones::<AnyWidth>(criterion, 10);
    queries::<Width8>(criterion, 4);
    queries::<Width20>(criterion, 10);
    queries::<AnyWidth>(criterion, 10);
}

criterion_group! { name = benches; config = support::criterion(); targets = all }
criterion_main!(benches);
