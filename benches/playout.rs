//! Playouts per base, policy and instruction set. Each batch is checked first: a fixed seed gives
//! the same tally on every instruction set.

mod support;

use ciclon::bits::Isa;
use ciclon::havannah::{Base, Board, Size};
use ciclon::params::Params;
use ciclon::playout::{BoardPlayouts, Playouts, Policy, Simulator, Start};
use ciclon::rng::Rng;
use ciclon::tools::playing::play;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const GAMES: u64 = 100;

/// The policies that cost most.
const GUIDED: [&str; 4] =
    ["ngram=1", "ngram=2", "playout_weights=patterns", "playout_weights=joint"];

fn playouts<B: Base>(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("playout/base {}", B::SIZE));
    group.throughput(Throughput::Elements(GAMES));
    for (name, policy) in [("random", Policy::Random), ("mate", Policy::mate::<B>())] {
        let start = Start::new(&Board::<B>::new(), policy);
        let batch = |isa: Isa| play(isa, &mut Simulator::new(), &start, &mut Rng::new(1), GAMES);
        let expected = batch(Isa::PORTABLE);
        for isa in Isa::available() {
            assert_eq!(batch(isa), expected, "{name} on {isa}");
            let (mut simulator, mut rng) = (Simulator::new(), Rng::new(2));
            group.bench_with_input(BenchmarkId::new(name, isa), &isa, |bencher, isa| {
                bencher.iter(|| play(*isa, &mut simulator, &start, &mut rng, GAMES));
            });
        }
    }
    for settings in GUIDED {
        let mut params = Params::preset("rave130").expect("a preset");
        settings.split(' ').for_each(|setting| params.assign(setting).expect("a setting"));
        let batch = |isa: Isa| -> u32 {
            let (mut playouts, mut rng) = (BoardPlayouts::<B>::new(isa, &params), Rng::new(1));
            (0..GAMES).map(|_| playouts.run(&[], &mut rng)).sum()
        };
        assert_eq!(batch(Isa::best()), batch(Isa::PORTABLE), "{settings}");
        let (mut playouts, mut rng) = (BoardPlayouts::<B>::new(Isa::best(), &params), Rng::new(2));
        group.bench_function(settings, |bencher| {
            bencher.iter(|| (0..GAMES).map(|_| playouts.run(&[], &mut rng)).sum::<u32>());
        });
    }
    group.bench_function("prepare random", |bencher| {
        let board = Board::<B>::new();
        bencher.iter(|| Start::new(&board, Policy::Random));
    });
    group.bench_function("prepare mate", |bencher| {
        let board = Board::<B>::new();
        bencher.iter(|| Start::new(&board, Policy::mate::<B>()));
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    playouts::<Size<4>>(criterion);
    playouts::<Size<6>>(criterion);
    playouts::<Size<8>>(criterion);
    playouts::<Size<10>>(criterion);
}

criterion_group! { name = benches; config = support::criterion(); targets = all }
criterion_main!(benches);
