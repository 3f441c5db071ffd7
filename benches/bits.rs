//! The fixed-width sets beside `bitvec` on the same work: union, difference and the neighbours of
//! a set, on a base-10 board. Both sides must count the same.

mod support;

use std::hint::black_box;

use bitvec::prelude::{BitArray, Lsb0};
use ciclon::internals::bits::{Isa, Kernel};
use ciclon::internals::havannah::neighbourhood::dilate;
use ciclon::internals::havannah::width::Width20;
use ciclon::internals::havannah::{Layout, Set, Width};
use ciclon::internals::rng::Rng;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

type W = Width20;
type Vector = BitArray<[u64; 8], Lsb0>;

fn layout() -> &'static Layout<W> {
    W::layout(10).expect("a base of the width")
}

fn random_sets(count: usize) -> Vec<Set<W>> {
    let mut rng = Rng::new(3);
    let cells = layout().geometry.cells();
    let random_cells = |rng: &mut Rng| {
        cells.iter().map(|cell| cell.index()).filter(|_| rng.below(3) == 0).collect()
    };
    (0..count).map(|_| random_cells(&mut rng)).collect()
}

fn to_vector(set: &Set<W>) -> Vector {
    let mut vector = Vector::ZERO;
    set.iter().for_each(|index| vector.set(index, true));
    vector
}

/// Counts the empty neighbours that two sets share, for pairs in a row.
struct Neighbours<'a>(&'a [Set<W>]);

impl Kernel for Neighbours<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let (layout, mut count) = (layout(), 0);
        for pair in self.0.windows(2) {
            let [first, second] = [black_box(pair[0]), black_box(pair[1])];
            let shared = dilate(layout, first) & dilate(layout, second);
            count += (shared - (first | second)).len();
        }
        count
    }
}

fn neighbours_by_bitvec(sets: &[Vector], on_board: &Vector) -> usize {
    let stride = W::STRIDE;
    let dilate = |set: &Vector| {
        let mut wide = *set;
        for by in [1, stride, stride + 1] {
            let mut up = *set;
            up.shift_end(by);
            let mut down = *set;
            down.shift_start(by);
            wide |= up | down;
        }
        wide & *on_board
    };
    let count = |pair: &[Vector]| {
        let [first, second] = [black_box(pair[0]), black_box(pair[1])];
        (dilate(&first) & dilate(&second) & !(first | second)).count_ones()
    };
    sets.windows(2).map(count).sum()
}

fn all(criterion: &mut Criterion) {
    let sets = random_sets(64);
    let vectors: Vec<Vector> = sets.iter().map(to_vector).collect();
    let on_board = to_vector(&layout().on_board);
    let expected = neighbours_by_bitvec(&vectors, &on_board);
    let mut group = criterion.benchmark_group("shared neighbours/base 10");
    for isa in Isa::available() {
        assert_eq!(isa.run(Neighbours(&sets)), expected, "{isa}");
        group.bench_with_input(BenchmarkId::new("bits", isa), &isa, |bencher, isa| {
            bencher.iter(|| isa.run(Neighbours(&sets)));
        });
    }
    group.bench_function("bitvec", |bencher| {
        bencher.iter(|| neighbours_by_bitvec(&vectors, &on_board));
    });
    group.finish();
}

criterion_group! { name = benches; config = support::criterion(); targets = all }
criterion_main!(benches);
