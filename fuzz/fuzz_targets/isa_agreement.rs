//! The same work on every instruction set of this processor, against the portable one.
//!
//! Bytes: the base, whose sets have its width; a shift; a number (two bytes); two sets;
//! plies of the mate check, which also choose the preset of a search (two bytes); a seed (eight bytes); a position.

#![no_main]

use std::sync::atomic::AtomicBool;

use libfuzzer_sys::fuzz_target;

use ciclon::bits::{Isa, Kernel};
use ciclon::engine::Engine;
use ciclon::havannah::{Base, Board, Cell, Set, neighbourhood};
use ciclon::params::Params;
use ciclon::playout::{BoardPlayouts, Playout, Policy, Simulator, Start};
use ciclon::rng::Rng;
use ciclon::search::{Limits, MoveReport};
use ciclon::with_base;
use ciclon_fuzz::Source;

/// Playouts of a search.
const SEARCHED: u64 = 100;
const GAMES: usize = 4;

/// Set algebra, on any sets.
#[derive(Clone, Copy)]
struct Algebra<B: Base> {
    sets: [Set<B>; 2],
    by: usize,
    index: usize,
}

#[derive(PartialEq, Debug)]
struct AlgebraResult<B: Base> {
    sets: Vec<Set<B>>,
    answers: [bool; 4],
    len: usize,
    first: Option<usize>,
    members: Vec<usize>,
}

impl<B: Base> Kernel for Algebra<B> {
    type Output = AlgebraResult<B>;

    #[inline(always)]
    fn run(self) -> AlgebraResult<B> {
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
                Set::<B>::single(self.index),
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
struct Neighbours<B: Base> {
    own: Set<B>,
    empty: Set<B>,
    cell: Cell,
}

#[derive(PartialEq, Debug)]
struct NeighboursResult<B: Base> {
    dilated: Set<B>,
    flooded: Set<B>,
    planes: [Set<B>; 6],
    groups: [Set<B>; 3],
    joints: Set<B>,
    pattern: usize,
}

impl<B: Base> Kernel for Neighbours<B> {
    type Output = NeighboursResult<B>;

    #[inline(always)]
    fn run(self) -> NeighboursResult<B> {
        let Self { own, empty, cell } = self;
        NeighboursResult {
            dilated: neighbourhood::dilate::<B>(own),
            flooded: neighbourhood::flood::<B>(Set::<B>::single(cell.index()), own),
            planes: neighbourhood::neighbour_planes::<B>(own),
            groups: neighbourhood::cells_by_groups::<B>(own),
            joints: neighbourhood::joint_cells::<B>(own, empty),
            pattern: neighbourhood::neighbour_pattern::<B>(&own, cell),
        }
    }
}

/// A playout, and the state of the generator behind it.
#[derive(PartialEq, Debug)]
struct Game<B: Base> {
    playout: Playout,
    moves: Vec<Cell>,
    stones: [Set<B>; 2],
    rng: Rng,
}

fn games<B: Base>(isa: Isa, start: &Start<B>, rng: &Rng) -> Vec<Game<B>> {
    let mut rng = rng.clone();
    let mut simulator = Simulator::new();
    let mut game = || Game {
        playout: simulator.run(isa, start, &mut rng),
        moves: simulator.moves().to_vec(),
        stones: simulator.stones(isa),
        rng: rng.clone(),
    };
    (0..GAMES).map(|_| game()).collect()
}

/// What a search with a preset finds in a position.
fn search<B: Base>(isa: Isa, position: &Board<B>, preset: usize) -> (Vec<MoveReport>, usize) {
    let (name, _) = Params::PRESETS[preset % Params::PRESETS.len()];
    let mut params = Params::preset(name).expect("presets have names");
    (params.expand_after, params.memory) = (1, 1);
    let mut engine = Engine::<BoardPlayouts<B>>::havannah(isa, &params);
    engine.set_position(*position);
    let limits = Limits { playouts: Some(SEARCHED), ..Limits::default() };
    let report = engine.analyze(&limits, &AtomicBool::new(false), |_| ());
    (report.moves, report.nodes)
}

fn check<B: Base>(source: &mut Source) {
    let by = 1 + usize::from(source.byte()) % 63;
    let index = usize::from(source.short());
    let sets = [source.set::<B>(), source.set::<B>()];
    let algebra = Algebra::<B> { sets, by, index: index % Set::<B>::CAPACITY };
    let neighbours = Neighbours::<B> {
        own: sets[0] & B::ON_BOARD,
        empty: (B::ON_BOARD - sets[0]) & sets[1],
        cell: B::TABLES.cells()[index % B::CELLS],
    };
    let plies = usize::from(source.short()) % (B::CELLS + 2);
    let preset = plies;
    let rng = Rng::new(source.word());
    let position = source.position::<B>();
    let starts = [Policy::Random, Policy::Mate { plies }];
    let starts = starts.map(|policy| Start::new(&position, policy));

    let all = |isa: Isa| {
        let games = starts.each_ref().map(|start| games(isa, start, &rng));
        let found = search(isa, &position, preset);
        (isa.run(algebra), isa.run(neighbours), games, found)
    };
    let portable = all(Isa::PORTABLE);
    for isa in Isa::available() {
        assert_eq!(all(isa), portable, "{isa}\n{position}");
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut source = Source::new(bytes);
    let size = source.size();
    with_base!(size, B => check::<B>(&mut source)).expect("a base");
});
