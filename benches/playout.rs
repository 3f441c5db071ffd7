//! Playouts per base, policy and instruction set. Each batch is checked first: a fixed seed gives
//! the same tally on every instruction set.

mod support;

use ciclon::internals::bits::Isa;
use ciclon::internals::havannah::playout::{Playouts, Policy};
use ciclon::internals::havannah::{Board, Outcome};
use ciclon::internals::params::Params;
use ciclon::internals::rng::Rng;
use ciclon::internals::tools::playing::play;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const GAMES: u64 = 100;

/// The policies that cost most.
const GUIDED: [&str; 4] =
    ["ngram=1", "ngram=2", "playout_weights=patterns", "playout_weights=joint"];

/// Some games, each with how it ended and its length.
fn guided_games(playouts: &mut Playouts, rng: &mut Rng) -> Vec<(Outcome, usize)> {
    let game = |_| {
        let playout = playouts.run(rng);
        (playout.outcome, playout.length)
    };
    (0..GAMES).map(game).collect()
}

fn playouts(criterion: &mut Criterion, size: usize) {
    let board = Board::new(size).expect("a base");
    let mut group = criterion.benchmark_group(format!("playout/base {size}"));
    group.throughput(Throughput::Elements(GAMES));
    for (name, policy) in [("random", Policy::Random), ("mate", Policy::mate(size))] {
        let new = |isa: Isa| Playouts::new(&board, policy, isa);
        let batch = |isa: Isa| play(&mut new(isa), &mut Rng::new(1), GAMES);
        let expected = batch(Isa::PORTABLE);
        for isa in Isa::available() {
            assert_eq!(batch(isa), expected, "{name} on {isa}");
            let (mut playouts, mut rng) = (new(isa), Rng::new(2));
            group.bench_function(BenchmarkId::new(name, isa), |bencher| {
                bencher.iter(|| play(&mut playouts, &mut rng, GAMES));
            });
        }
    }
    for settings in GUIDED {
        let mut params = Params::preset("rave130").expect("a preset");
        settings.split(' ').for_each(|setting| params.assign(setting).expect("a setting"));
        let new = |isa: Isa| Playouts::guided(&board, isa, &params);
        let batch = |isa: Isa| guided_games(&mut new(isa), &mut Rng::new(1));
        assert_eq!(batch(Isa::best()), batch(Isa::PORTABLE), "{settings}");
        let (mut playouts, mut rng) = (new(Isa::best()), Rng::new(2));
        group.bench_function(settings, |bencher| {
            bencher.iter(|| (0..GAMES).map(|_| playouts.run(&mut rng).length).sum::<usize>());
        });
    }
    for (name, policy) in [("random", Policy::Random), ("mate", Policy::mate(size))] {
        let mut playouts = Playouts::new(&board, policy, Isa::best());
        group.bench_function(format!("prepare {name}"), |bencher| {
            bencher.iter(|| playouts.start_from(&board));
        });
    }
    group.finish();
}

fn all(criterion: &mut Criterion) {
    [4, 6, 8, 10].into_iter().for_each(|size| playouts(criterion, size));
}

criterion_group! { name = benches; config = support::criterion(); targets = all }
criterion_main!(benches);
