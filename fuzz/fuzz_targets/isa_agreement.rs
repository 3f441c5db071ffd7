//! The same work on every instruction set of this processor, against the portable one. It says at
//! the start which these are, and fails if the library leaves one of them out.
//!
//! A build with debug assertions runs the code for AVX2 where AVX-512 is asked for: see the README
//! beside for how to run the code for AVX-512 itself.
//!
//! Bytes: the base, whose sets have its width; a shift; a number (two bytes); two sets; plies of the
//! mate check, which also choose the preset of a search (two bytes); a seed (eight bytes); a
//! position.

#![no_main]

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;

use ciclon::internals::bits::{Isa, Kernel};
use ciclon::internals::game::{Move, MoveWords};
use ciclon::internals::havannah::playout::{Playout, Playouts, Policy};
use ciclon::internals::havannah::{
    AnyWidth, Board, Cell, Geometry, Layout, Set, Width, neighbourhood, width,
};
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::Params;
use ciclon::internals::rng::Rng;
use ciclon::internals::search::{Limits, MoveReport, Reporter};
use ciclon::with_width;
use ciclon_fuzz::Source;

/// Playouts of a search.
const SEARCHED: u64 = 100;
const GAMES: usize = 4;

/// Every instruction set of this processor.
static ISAS: LazyLock<Vec<Isa>> = LazyLock::new(|| {
    let isas = Isa::available();
    let names: Vec<&str> = isas.iter().map(|isa| isa.name()).collect();
    assert_eq!(names, detected(), "the instruction sets of the library and of the processor");
    eprintln!("instruction sets: {}", names.join(", "));
    isas
});

/// The instruction sets that the processor has, looked for here once more.
fn detected() -> Vec<&'static str> {
    let mut names = vec!["portable"];
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        let has_avx2 = has!("avx2") && has!("bmi1") && has!("bmi2");
        let has_avx2 = has_avx2 && has!("lzcnt") && has!("popcnt");
        let has_avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512dq");
        let has_avx512 = has_avx512 && has!("avx512vl");
        names.extend(has_avx2.then_some("avx2"));
        names.extend((has_avx2 && has_avx512).then_some("avx512"));
    }
    names
}

/// Set algebra, on any sets.
#[derive(Clone, Copy)]
struct Algebra<W: Width> {
    sets: [Set<W>; 2],
    by: usize,
    index: usize,
}

#[derive(PartialEq, Debug)]
struct AlgebraResult<W: Width> {
    sets: Vec<Set<W>>,
    answers: [bool; 4],
    len: usize,
    first: Option<usize>,
    members: Vec<usize>,
}

impl<W: Width> Kernel for Algebra<W> {
    type Output = AlgebraResult<W>;

    #[inline(always)]
    fn run(self) -> AlgebraResult<W> {
        let ([a, b], by) = (self.sets, self.by);
        let (mut with, mut without) = (a, a);
        with.insert(self.index);
        without.remove(self.index);
        AlgebraResult {
            sets: vec![
                a | b,
                a & b,
                a - b,
                a ^ b,
                a.shift_up(by),
                a.shift_down(by),
                a.shift(by as isize),
                a.shift(-(by as isize)),
                a.only_if(by.is_multiple_of(2)),
                Set::<W>::single(self.index),
                with,
                without,
            ],
            answers: [a.contains(self.index), a.is_subset(b), a.is_disjoint(b), (a & b).is_empty()],
            len: a.len(),
            first: a.first(),
            members: a.iter().collect(),
        }
    }
}

/// Questions about neighbours, on sets of cells that have no member in common.
#[derive(Clone, Copy)]
struct Neighbours<W: Width> {
    layout: &'static Layout<W>,
    own: Set<W>,
    empty: Set<W>,
    cell: Cell,
}

#[derive(PartialEq, Debug)]
struct NeighboursResult<W: Width> {
    dilated: Set<W>,
    flooded: Set<W>,
    planes: [Set<W>; 6],
    groups: [Set<W>; 3],
    joints: Set<W>,
    pattern: usize,
}

impl<W: Width> Kernel for Neighbours<W> {
    type Output = NeighboursResult<W>;

    #[inline(always)]
    fn run(self) -> NeighboursResult<W> {
        let Self { layout, own, empty, cell } = self;
        NeighboursResult {
            dilated: neighbourhood::dilate(layout, own),
            flooded: neighbourhood::flood(layout, Set::<W>::single(cell.index()), own),
            planes: neighbourhood::neighbour_planes(layout, own),
            groups: neighbourhood::cells_by_groups(layout, own),
            joints: neighbourhood::joint_cells(layout, own, empty),
            pattern: neighbourhood::neighbour_pattern(layout, &own, cell),
        }
    }
}

/// Compares set algebra and questions about neighbours in a width.
fn check_sets<W: Width>(geometry: &Geometry, by: usize, index: usize, sets: [Set<W>; 2]) {
    let layout = W::layout(geometry.size).expect("the width has the base");
    let algebra = Algebra::<W> { sets, by, index: index % Set::<W>::CAPACITY };
    let neighbours = Neighbours::<W> {
        layout,
        own: sets[0] & layout.on_board,
        empty: (layout.on_board - sets[0]) & sets[1],
        cell: geometry.cells()[index % geometry.cell_count()],
    };
    let all = |isa: Isa| (isa.run(algebra), isa.run(neighbours));
    let narrow = |isa: Isa| (isa.run_narrow(algebra), isa.run_narrow(neighbours));
    let portable = all(Isa::PORTABLE);
    for isa in ISAS.iter() {
        assert_eq!(all(*isa), portable, "{isa}");
        assert_eq!(narrow(*isa), portable, "{isa}, in narrow registers");
    }
}

/// A playout, and the state of the generator after it.
#[derive(PartialEq, Debug)]
struct Game {
    playout: Playout,
    moves: Vec<Cell>,
    made: [MoveWords; 2],
    rng: Rng,
}

fn games(playouts: &mut Playouts, rng: &Rng) -> Vec<Game> {
    let mut rng = rng.clone();
    let mut game = || Game {
        playout: playouts.run(&mut rng),
        moves: playouts.moves().to_vec(),
        made: playouts.made(),
        rng: rng.clone(),
    };
    (0..GAMES).map(|_| game()).collect()
}

/// What a search finds in a position.
#[derive(PartialEq, Debug)]
struct SearchResult {
    best: Option<Move>,
    moves: Vec<MoveReport>,
    nodes: usize,
}

fn search(isa: Isa, position: &Board, params: &Params) -> SearchResult {
    let mut search = Mcts::new(isa, params, Box::new(*position));
    let limits = Limits { playouts: Some(SEARCHED), ..Limits::default() };
    search.run(&limits, &AtomicBool::new(false), &mut |_| ());
    let report = search.report(Duration::ZERO);
    SearchResult { best: report.best, moves: report.moves, nodes: report.stats.nodes }
}

/// Compares playouts, with and without the policies of a preset, and a search.
fn check_games(position: &Board, plies: usize, params: &Params, rng: &Rng) {
    let all = |isa: Isa| {
        let playouts = [
            Playouts::new(position, Policy::Random, isa),
            Playouts::new(position, Policy::Mate { plies }, isa),
            Playouts::guided(position, isa, params),
        ];
        (playouts.map(|mut playouts| games(&mut playouts, rng)), search(isa, position, params))
    };
    let portable = all(Isa::PORTABLE);
    for isa in ISAS.iter() {
        assert_eq!(all(*isa), portable, "{isa}\n{position}");
    }
}

fn check<W: Width>(geometry: &Geometry, source: &mut Source) {
    let by = 1 + usize::from(source.byte()) % 63;
    let index = usize::from(source.short());
    let sets = [source.set::<W>(), source.set::<W>()];
    check_sets::<W>(geometry, by, index, sets);
    check_sets::<AnyWidth>(geometry, by, index, sets.map(|set| set.iter().collect()));

    let plies = usize::from(source.short()) % (geometry.cell_count() + 2);
    let (name, _) = Params::PRESETS[plies % Params::PRESETS.len()];
    let mut params = Params::preset(name).expect("presets have names");
    (params.expand_after, params.memory) = (1, 1);
    let rng = Rng::new(source.word());
    check_games(&source.position(geometry), plies, &params, &rng);
}

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let geometry = source.geometry();
    with_width!(width, geometry.size, W => check::<W>(geometry, &mut source))
        .expect("every base has a width");
});
