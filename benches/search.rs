//! A search of some iterations from the empty board, per preset and instruction set; and moving the
//! root. Each search is checked first: a fixed seed gives the same moves on every instruction set.

mod support;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ciclon::internals::bits::Isa;
use ciclon::internals::havannah::Board;
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::Params;
use ciclon::internals::search::{Limits, MoveReport, Reporter};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const PLAYOUTS: u64 = 10_000;

fn new_search(size: usize, isa: Isa, preset: &str) -> Mcts {
    let params = Params::preset(preset).expect("the preset is known");
    Mcts::new(isa, &params, Box::new(Board::new(size).expect("a base")))
}

fn run(search: &mut Mcts) -> Vec<MoveReport> {
    let limits = Limits { playouts: Some(PLAYOUTS), ..Limits::default() };
    search.run(&limits, &AtomicBool::new(false), &mut |_| ());
    search.report(Duration::ZERO).moves
}

fn searches(criterion: &mut Criterion, size: usize) {
    let mut group = criterion.benchmark_group(format!("search/base {size}"));
    group.throughput(Throughput::Elements(PLAYOUTS));
    group.sample_size(20);
    for (preset, _) in Params::PRESETS {
        let expected = run(&mut new_search(size, Isa::PORTABLE, preset));
        for isa in Isa::available() {
            let found = run(&mut new_search(size, isa, preset));
            assert_eq!(found, expected, "{preset} on {isa}");
            group.bench_with_input(BenchmarkId::new(preset, isa), &isa, |bencher, isa| {
                let new = || new_search(size, *isa, preset);
                bencher.iter_batched_ref(new, run, BatchSize::LargeInput);
            });
        }
    }
    group.bench_function("move the root", |bencher| {
        let searched = || {
            let mut search = new_search(size, Isa::best(), "uct");
            run(&mut search);
            search
        };
        let play_best = |search: &mut Mcts| {
            let best = search.state().best_move().expect("the game is not over");
            search.advance(&[best]);
            assert!(search.tree().counts().kept > 0);
        };
        bencher.iter_batched_ref(searched, play_best, BatchSize::LargeInput);
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    searches(criterion, 6);
    searches(criterion, 10);
}

criterion_group! { name = benches; config = support::criterion(); targets = all }
criterion_main!(benches);
