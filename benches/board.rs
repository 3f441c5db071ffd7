//! A single stone, taking it back against copying the board, and the whole-board queries.
//! Every bench asserts its result once before it is timed.

mod support;

use ciclon::bits::{Isa, Kernel};
use ciclon::havannah::neighbourhood::{cells_by_groups, dilate, flood, joint_cells};
use ciclon::havannah::patterns::dead_cells;
use ciclon::havannah::threats::winning_cells;
use ciclon::havannah::{Base, Board, Cell, Colour, Set, Size};
use ciclon::tools::playing::midgame_positions;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// Applies a function to every position, compiled for an instruction set as a whole.
struct OnAll<'a, B: Base, F>(&'a [Board<B>], F);

impl<B: Base, F: Fn(&Board<B>) -> u64> Kernel for OnAll<'_, B, F> {
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

fn stones<B: Base>(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("stone/base {}", B::SIZE));
    let boards = midgame_positions::<B>(2 * B::SIZE, 32, &mut ciclon::rng::Rng::new(7));
    let moves: Vec<Cell> = boards
        .iter()
        .map(|board| Cell::from_index(board.empty_cells().first().expect("a cell is empty")))
        .collect();
    group.bench_function("copy, place", |bencher| {
        bencher.iter(|| {
            for (board, cell) in boards.iter().zip(&moves) {
                let mut copy = *black_box(board);
                copy.place(*cell);
                assert_eq!(copy.stone_count(), 2 * B::SIZE + 1);
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
                assert_eq!(board.stone_count(), 2 * B::SIZE);
            }
        });
    });
    group.finish();
}

fn queries<B: Base>(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("query/base {}", B::SIZE));
    let boards = midgame_positions::<B>(4 * B::SIZE, 32, &mut ciclon::rng::Rng::new(8));
    let mut query = |name: &str, f: fn(&Board<B>) -> u64| {
        let expected = Isa::PORTABLE.run(OnAll(&boards, f));
        for isa in Isa::available() {
            assert_eq!(isa.run(OnAll(&boards, f)), expected, "{name} on {isa}");
            group.bench_with_input(BenchmarkId::new(name, isa), &isa, |bencher, isa| {
                bencher.iter(|| isa.run(OnAll(&boards, f)));
            });
        }
    };
    query("neighbours", |board| dilate::<B>(board.stones(Colour::White)).len() as u64);
    query("local groups", |board| {
        cells_by_groups::<B>(board.stones(Colour::White))[1].len() as u64
    });
    query("joints", |board| {
        joint_cells::<B>(board.stones(Colour::White), board.empty_cells()).len() as u64
    });
    query("flood", |board| {
        let empty: Set<B> = board.empty_cells();
        flood::<B>(B::BORDERS[0] | B::BORDERS[6], empty).len() as u64
    });
    query("winning cells", |board| winning_cells(board, Colour::White).all().len() as u64);
    query("dead cells", |board| dead_cells(board).len() as u64);
    group.finish();
}

fn all(criterion: &mut Criterion) {
    stones::<Size<4>>(criterion);
    stones::<Size<10>>(criterion);
    queries::<Size<4>>(criterion);
    queries::<Size<10>>(criterion);
}

criterion_group! { name = benches; config = support::criterion(); targets = all }
criterion_main!(benches);
