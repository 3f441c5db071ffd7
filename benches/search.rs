//! A search of some iterations from the empty board, per preset and instruction set; and moving the
//! root. Each search is checked first: a fixed seed gives the same moves on every instruction set.

mod support;

use std::sync::atomic::AtomicBool;

use ciclon::bits::Isa;
use ciclon::engine::Engine;
use ciclon::havannah::{Base, Size};
use ciclon::params::Params;
use ciclon::playout::BoardPlayouts;
use ciclon::search::{Limits, Report};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const PLAYOUTS: u64 = 10_000;

fn engine<B: Base>(isa: Isa, preset: &str) -> Engine<BoardPlayouts<B>> {
    Engine::havannah(isa, &Params::preset(preset).expect("the preset is known"))
}

fn search<B: Base>(engine: &mut Engine<BoardPlayouts<B>>) -> Report {
    let limits = Limits { playouts: Some(PLAYOUTS), ..Limits::default() };
    engine.analyze(&limits, &AtomicBool::new(false), |_| ())
}

fn searches<B: Base>(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("search/base {}", B::SIZE));
    group.throughput(Throughput::Elements(PLAYOUTS));
    group.sample_size(20);
    for (preset, _) in Params::PRESETS {
        let expected = search(&mut engine::<B>(Isa::PORTABLE, preset)).moves;
        for isa in Isa::available() {
            assert_eq!(search(&mut engine::<B>(isa, preset)).moves, expected, "{preset} on {isa}");
            group.bench_with_input(BenchmarkId::new(preset, isa), &isa, |bencher, isa| {
                let new = || engine::<B>(*isa, preset);
                bencher.iter_batched_ref(new, search, BatchSize::LargeInput);
            });
        }
    }
    group.bench_function("move the root", |bencher| {
        let searched = || {
            let mut engine = engine::<B>(Isa::best(), "uct");
            search(&mut engine);
            engine
        };
        let play_best = |engine: &mut Engine<BoardPlayouts<B>>| {
            let best = engine.search().outlook().best_move().expect("the game is not over");
            engine.play(best).expect("the best move is legal");
            assert!(engine.search().tree().counts().kept > 0);
        };
        bencher.iter_batched_ref(searched, play_best, BatchSize::LargeInput);
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    searches::<Size<6>>(criterion);
    searches::<Size<10>>(criterion);
}

criterion_group! { name = benches; config = support::criterion(); targets = all }
criterion_main!(benches);
