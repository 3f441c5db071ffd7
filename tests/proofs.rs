//! Proofs on real boards: never a wrong one, under any preset, against minimax over the oracle.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use ciclon::bits::Isa;
use ciclon::engine::Engine;
use ciclon::game::{DRAW, Game, Prospect};
use ciclon::havannah::notation::Notation;
use ciclon::havannah::{Base, Board, Cell, Set, Size};
use ciclon::params::Params;
use ciclon::rng::Rng;
use ciclon::search::{Limits, Report};
use ciclon::with_base;

use crate::positions::{Minimax, Value, late_position, name_of, stones};

/// Positions of a number that is meant for release builds.
fn positions(count: usize) -> usize {
    if cfg!(debug_assertions) { count.div_ceil(20) } else { count }
}

fn preset(name: &str) -> Params {
    Params { memory: 1, ..Params::preset(name).expect("a preset") }
}

const TREE_PRESETS: [&str; 3] = ["uct", "rave", "rave130"];

fn search<B: Base>(params: &Params, board: &Board<B>, playouts: u64) -> Report {
    let mut engine = Engine::havannah(Isa::best(), params);
    engine.set_position(*board);
    let limits = Limits { playouts: Some(playouts), until_solved: true, ..Limits::default() };
    engine.analyze(&limits, &AtomicBool::new(false), |_| {})
}

fn cell_named<B: Base>(name: &str) -> Cell {
    Notation::Letternum.read(B::TABLES, name).expect("a cell")
}

/// Whatever a report calls proven is so, and comes no sooner than it can be forced.
fn check_report<B: Base>(
    board: &Board<B>,
    report: &Report,
    value: Value,
    moves: &HashMap<Cell, Value>,
    params: &Params,
) {
    let context = || format!("{} to move\n{board}{params:?}\n{report:#?}", board.to_move());
    let check = |status: &str, depth: Option<u32>, (points, plies): Value| {
        if status == "none" {
            assert_eq!(depth, None, "{}", context());
            return;
        }
        assert_eq!(status, name_of(points), "{}", context());
        let depth = depth.expect("a proof has a depth");
        assert!(
            points == DRAW || (depth >= plies && (depth - plies).is_multiple_of(2)),
            "{}",
            context()
        );
    };
    check(report.status, report.proof_depth, value);
    for found in &report.moves {
        let (points, plies) = moves[&cell_named::<B>(&found.name)];
        check(found.status, found.proof_depth, (points, plies));
    }
    let best = cell_named::<B>(report.best.as_ref().expect("the game goes on"));
    let is_known = report.status != "none";
    assert!(!is_known || moves[&best].0 == value.0, "{}", context());
}

/// Techniques that proofs must not mind.
const TECHNIQUES: [&[&str]; 12] = [
    &[],
    &["threads=3", "parallel=tree"],
    &["threads=3", "parallel=root"],
    &["threads=3", "parallel=leaf", "leaf_stop=true"],
    &["prior_joint=true", "prior_local=true", "prior_edge=own", "prior_stage=9"],
    &["history_weight=5", "bias_weight=10", "dead_cells=exact"],
    &["ulm=unvisited", "ngram=2", "lgr=lgrf2"],
    &["ulm=all", "havannah_mate=true"],
    &["widening=random", "widening_span=300"],
    &["widening=wins", "widening_start=30", "widening_span=300", "killer_rave=true"],
    &["ppr=true", "playout_cut=3", "bridge_reply=true", "dead_cells=exact"],
    &["pool_rave=true", "playout_weights=patterns", "locality=near"],
];

fn with(mut params: Params, settings: &[&str]) -> Params {
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

/// Searches late positions with a few playouts and with enough.
fn check_positions<B: Base>(count: usize, empty: std::ops::Range<u32>, values: &mut [usize; 3]) {
    const FEW: u64 = 40;
    const ENOUGH: u64 = 200_000;
    let mut rng = Rng::stream(60, B::SIZE);
    let mut minimax = Minimax::new::<B>();
    for number in 0..count {
        let empty = empty.start + rng.below(empty.end - empty.start);
        let board = late_position::<B>(empty as usize, &mut rng);
        let value = minimax.value(&board);
        let moves: HashMap<Cell, Value> = minimax.move_values(&board).into_iter().collect();
        values[value.0 as usize] += 1;
        for (preset_number, (name, _)) in Params::PRESETS.iter().enumerate() {
            let turn = number + preset_number;
            let params = Params {
                expand_after: [0, 1, 5][turn % 3],
                symmetry_plies: [0, 271][turn / 3 % 2],
                ties_win: turn / 6 % 2 == 0,
                playouts: [1, 1, 1, 3][turn % 4],
                seed: number as u64,
                ..preset(name)
            };
            let params = with(params, TECHNIQUES[turn % TECHNIQUES.len()]);
            let early = search(&params, &board, FEW);
            check_report(&board, &early, value, &moves, &params);
            if *name != "flat" {
                let late = search(&params, &board, ENOUGH);
                assert_ne!(late.status, "none", "not solved\n{board}{params:?}\n{late:#?}");
                check_report(&board, &late, value, &moves, &params);
            }
        }
    }
}

#[test]
fn proofs_agree_with_minimax() {
    let mut values = [0; 3];
    check_positions::<Size<3>>(positions(1500), 2..9, &mut values);
    check_positions::<Size<4>>(positions(1500), 2..8, &mut values);
    check_positions::<Size<5>>(positions(1000), 2..8, &mut values);
    assert!(values.iter().all(|count| *count > 0), "{values:?}");
}

/// What lies ahead, by trying everything.
#[test]
fn prospects_are_exact() {
    fn check<B: Base>(count: usize, seen: &mut HashMap<&'static str, usize>) {
        let mut rng = Rng::stream(61, B::SIZE);
        let minimax = Minimax::new::<B>();
        for _ in 0..count {
            let board = late_position::<B>(1 + rng.below(8) as usize, &mut rng);
            let prospects =
                Isa::available().into_iter().map(|isa| board.prospect(isa, &Params::default()));
            let prospects: Vec<Prospect<Set<B>>> = prospects.collect();
            assert!(prospects.iter().all(|prospect| *prospect == prospects[0]), "\n{board}");
            let (stones, side) = (stones::<B>(&board), board.to_move().index());
            let ordinal = |index: usize| B::TABLES.ordinal[index] as usize;
            let wins = |side: usize| -> Set<B> {
                let wins = |index: &usize| minimax.wins(stones[side] | 1 << ordinal(*index));
                board.empty_cells().iter().filter(wins).collect()
            };
            let (own, threats) = (wins(side), wins(1 - side));
            // A win of the other side stays one unless its cell is taken.
            let open: Set<B> = board
                .empty_cells()
                .iter()
                .filter(|index| (threats - Set::<B>::single(*index)).is_empty())
                .collect();
            let empty =
                board.empty_cells().iter().fold(0, |set, index| set | 1u64 << ordinal(index));
            // Every way to share the empty cells out.
            let mut shares = std::iter::successors(Some(0u64), |share| {
                (*share != empty).then(|| (share | !empty).wrapping_add(1) & empty)
            });
            let can_be_won = shares.any(|share| {
                minimax.wins(stones[0] | share) || minimax.wins(stones[1] | (empty & !share))
            });
            let name = match prospects[0] {
                Prospect::Win(next) => {
                    assert!(own.contains(next.number()), "{next:?}\n{board}");
                    "win"
                }
                Prospect::Loss(next) => {
                    assert!(own.is_empty() && open.is_empty(), "\n{board}");
                    assert!(threats.contains(next.number()), "{next:?}\n{board}");
                    "loss"
                }
                Prospect::Draw => {
                    assert!(!can_be_won, "\n{board}");
                    "draw"
                }
                Prospect::Settled { .. } => panic!("no more than two plies are looked ahead"),
                Prospect::Open(moves) => {
                    assert!(own.is_empty() && can_be_won, "\n{board}");
                    assert_eq!(moves, open, "\n{board}");
                    if threats.is_empty() { "open" } else { "forced" }
                }
            };
            *seen.entry(name).or_insert(0) += 1;
        }
    }

    let mut seen = HashMap::new();
    check::<Size<3>>(positions(2000), &mut seen);
    check::<Size<4>>(positions(2000), &mut seen);
    check::<Size<5>>(positions(2000), &mut seen);
    let names = ["win", "loss", "draw", "open", "forced"];
    assert!(names.iter().all(|name| seen.contains_key(name)), "{seen:?}");
}

/// A position of a few stones, often symmetric: each stone with its images under some symmetry.
fn symmetric_position<B: Base>(rng: &mut Rng) -> Board<B> {
    let symmetry = rng.below(12) as usize;
    let mut board = Board::<B>::new();
    for _ in 0..rng.below(4) {
        let cells = B::TABLES.cells();
        let mut cell = cells[rng.below(cells.len() as u32) as usize];
        let colour = board.to_move();
        for _ in 0..6 {
            board.set_to_move(colour);
            if board.is_legal(cell) {
                let mut next = board;
                next.place(cell);
                board = if next.outcome().is_over() { board } else { next };
            }
            cell = B::TABLES.transform(cell, symmetry);
        }
        board.set_to_move(colour.other());
    }
    board
}

#[test]
fn one_move_of_each_symmetric_group_is_searched() {
    fn check<B: Base>(fewer: &mut usize) {
        let mut rng = Rng::stream(62, B::SIZE);
        for _ in 0..positions(400) {
            let board = symmetric_position::<B>(&mut rng);
            let image = |set: Set<B>, symmetry: usize| -> Set<B> {
                let cells = set.iter().map(Cell::from_index);
                cells.map(|cell| B::TABLES.transform(cell, symmetry).index()).collect()
            };
            let sides = [board.stones(board.to_move()), board.stones(board.to_move().other())];
            let keeps = |symmetry: &usize| sides.iter().all(|set| image(*set, *symmetry) == *set);
            let symmetries: Vec<usize> = (0..12).filter(keeps).collect();
            let all = board.empty_cells();
            let some: Set<B> = all.iter().filter(|_| rng.below(2) == 0).collect();
            for moves in [all, some] {
                let distinct = board.distinct(moves);
                assert!(distinct.is_subset(moves), "\n{board}");
                for index in moves {
                    let equal =
                        symmetries.iter().map(|symmetry| image(Set::<B>::single(index), *symmetry));
                    let equal = equal.fold(Set::<B>::empty(), |all, image| all | image);
                    assert_eq!((distinct & equal).len(), 1, "index {index} of {moves:?}\n{board}");
                }
                *fewer += usize::from(distinct.len() < moves.len());
            }
        }
    }

    for size in 2..=10 {
        let mut fewer = 0;
        with_base!(size, B => check::<B>(&mut fewer)).expect("a base");
        assert!(fewer > 0, "base {size}");
    }
}

/// The openings of the small bases, one of each class of symmetric ones, by value for the first
/// player: the corner wins, every other one loses.
#[test]
fn small_bases_are_solved() {
    fn check<B: Base>(classes: usize) {
        let empty = Board::<B>::new();
        let openings = empty.distinct(empty.empty_cells());
        assert_eq!(openings.len(), classes);
        for name in TREE_PRESETS {
            let params = Params { memory: 64, ..preset(name) };
            for index in openings {
                let cell = Cell::from_index(index);
                let is_corner =
                    (0..6).filter(|d| B::TABLES.neighbour(cell, *d).is_some()).count() == 3;
                let mut board = empty;
                board.place(cell);
                let report = search(&params, &board, u64::MAX);
                let expected = if is_corner { "loss" } else { "win" };
                assert_eq!(report.status, expected, "{name}\n{board}");
            }
            let report = search(&params, &empty, u64::MAX);
            assert_eq!(report.status, "win", "{name}: the empty board\n{report:#?}");
            let best = cell_named::<B>(report.best.as_ref().expect("a move"));
            let neighbours = (0..6).filter(|d| B::TABLES.neighbour(best, *d).is_some()).count();
            assert_eq!(neighbours, 3, "{name}: a corner is played\n{report:#?}");
        }
    }
    check::<Size<2>>(2);
    check::<Size<3>>(4);
}

/// With the least memory there is, a search that is too large for it is still never wrong.
#[test]
fn proofs_stand_when_memory_is_short() {
    const STONES: usize = 2;
    const PLAYOUTS: u64 = 150_000;
    let mut rng = Rng::new(63);
    let (mut solved, mut short) = (0, 0);
    for number in 0..positions(60) {
        let mut board = Board::<Size<3>>::new();
        while board.stone_count() < STONES {
            let empty: Vec<usize> = board.empty_cells().iter().collect();
            board.place(Cell::from_index(empty[rng.below(empty.len() as u32) as usize]));
        }
        let name = TREE_PRESETS[number % TREE_PRESETS.len()];
        let params = Params { expand_after: 0, symmetry_plies: 0, ..preset(name) };
        let much = search(&Params { memory: 256, ..params.clone() }, &board, u64::MAX);
        assert_ne!(much.status, "none");
        let mut engine = Engine::havannah(Isa::best(), &params);
        engine.set_position(board);
        let limits = Limits { playouts: Some(PLAYOUTS), until_solved: true, ..Limits::default() };
        let little = engine.analyze(&limits, &AtomicBool::new(false), |search| {
            short += usize::from(search.tree().needed_visits() > 0);
        });
        if little.status != "none" {
            assert_eq!(little.status, much.status, "{name}\n{board}");
            solved += 1;
        }
    }
    assert!(solved > 0 && short > 0, "{solved} solved, {short} times short of memory");
}
