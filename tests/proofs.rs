//! Proofs on real boards: never a wrong one, under any preset, against minimax over the oracle.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::HavannahEngine;
use ciclon::internals::game::{Children, DRAW, Move, Position, Prospect};
use ciclon::internals::havannah::{AnyWidth, Board, Cell, Colour, Geometry, Set};
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::{DeadCells, Params};
use ciclon::internals::rng::Rng;
use ciclon::internals::search::{Limits, Report, Reporter};
use ciclon::internals::tree::Status;

use crate::positions::{Minimax, Value, late_position, name_of, stones};

/// Positions of a number that is meant for release builds.
fn positions(count: usize) -> usize {
    if cfg!(debug_assertions) { count.div_ceil(20) } else { count }
}

fn geometry(size: usize) -> &'static Geometry {
    Geometry::of_size(size).expect("a base")
}

/// A preset, with proofs even where its player has none.
fn preset(name: &str) -> Params {
    let preset = Params::preset(name).expect("a preset");
    Params { memory: 1, proofs: true, look_ahead: true, ..preset }
}

const TREE_PRESETS: [&str; 3] = ["uct", "rave", "rave130"];

fn search(params: &Params, board: &Board, playouts: u64) -> Report {
    let mut engine = HavannahEngine::at(*board, Isa::best(), params);
    let limits = Limits { playouts: Some(playouts), until_solved: true, ..Limits::default() };
    engine.analyze(&limits, &AtomicBool::new(false), None)
}

/// Whatever a report calls proven is so, and comes no sooner than it can be forced.
fn check_report(
    board: &Board,
    report: &Report,
    value: Value,
    moves: &HashMap<Cell, Value>,
    params: &Params,
) {
    let context = || format!("{} to move\n{board}{params:?}\n{report:#?}", board.to_move());
    let check = |status: Status, depth: Option<u32>, (points, plies): Value| {
        if !status.is_proven() {
            assert_eq!(depth, None, "{}", context());
            return;
        }
        assert_eq!(status.name(), name_of(points), "{}", context());
        let depth = depth.expect("a proof has a depth");
        assert!(
            points == DRAW || (depth >= plies && (depth - plies).is_multiple_of(2)),
            "{}",
            context()
        );
    };
    check(report.status, report.proof_depth, value);
    for found in &report.moves {
        let (points, plies) = moves[&board.geometry().cell_of(found.next)];
        check(found.status, found.proof_depth, (points, plies));
    }
    let best = board.geometry().cell_of(report.best.expect("the game goes on"));
    let is_known = report.status.is_proven();
    assert!(!is_known || moves[&best].0 == value.0, "{}", context());
}

/// Techniques that proofs must not mind.
const TECHNIQUES: [&[&str]; 15] = [
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
    &["leaf_batch=7"],
    &["leaf_batch=64", "virtual_loss=3", "ngram=1"],
    &["rave=off", "bound=puct", "prior_joint=true", "leaf_batch=4"],
];

fn with(mut params: Params, settings: &[&str]) -> Params {
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

/// Searches late positions with a few playouts and with enough.
fn check_positions(
    size: usize,
    count: usize,
    empty: std::ops::Range<u32>,
    values: &mut [usize; 3],
) {
    const FEW: u64 = 40;
    const ENOUGH: u64 = 200_000;
    let mut rng = Rng::stream(60, size);
    let mut minimax = Minimax::new(geometry(size));
    for number in 0..count {
        let empty = empty.start + rng.below(empty.end - empty.start);
        let board = late_position(geometry(size), empty as usize, &mut rng);
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
                assert!(late.status.is_proven(), "not solved\n{board}{params:?}\n{late:#?}");
                check_report(&board, &late, value, &moves, &params);
            }
        }
    }
}

#[test]
fn proofs_agree_with_minimax() {
    let mut values = [0; 3];
    check_positions(3, positions(1500), 2..9, &mut values);
    check_positions(4, positions(1500), 2..8, &mut values);
    check_positions(5, positions(1000), 2..8, &mut values);
    assert!(values.iter().all(|count| *count > 0), "{values:?}");
}

/// What lies ahead, and every move that does not lose at once.
fn look(board: &Board, isa: Isa) -> (Prospect, Vec<Move>) {
    let params = Params { dead_cells: DeadCells::Off, symmetry_plies: 0, ..Params::default() };
    let (mut work, mut children) = (board.leaf_work(isa, &params), Children::default());
    let prospect = work.look(&[], Some(&mut children));
    assert_eq!(work.look(&[], None), prospect, "whether or not children are asked for\n{board}");
    (prospect, moves_of(&children))
}

fn moves_of(children: &Children) -> Vec<Move> {
    children.moves.iter().map(|number| Move::new(*number as usize)).collect()
}

/// What lies ahead, by trying everything.
#[test]
fn prospects_are_exact() {
    fn check(size: usize, count: usize, seen: &mut HashMap<&'static str, usize>) {
        let mut rng = Rng::stream(61, size);
        let minimax = Minimax::new(geometry(size));
        for _ in 0..count {
            let board = late_position(geometry(size), 1 + rng.below(8) as usize, &mut rng);
            let prospects = Isa::available().into_iter().map(|isa| look(&board, isa));
            let prospects: Vec<(Prospect, Vec<Move>)> = prospects.collect();
            assert!(prospects.iter().all(|prospect| *prospect == prospects[0]), "\n{board}");
            let (stones, side) = (stones(&board), board.to_move().index());
            let moves = board.legal_moves();
            let wins = |side: usize| -> Vec<Move> {
                let wins = |next: &Move| minimax.wins(stones[side] | 1 << next.number());
                moves.iter().copied().filter(wins).collect()
            };
            let (own, threats) = (wins(side), wins(1 - side));
            // A win of the other side stays one unless its cell is taken.
            let blocks = |next: &Move| threats.iter().all(|threat| threat == next);
            let open: Vec<Move> = moves.iter().copied().filter(blocks).collect();
            let empty = moves.iter().fold(0, |set, next| set | 1u64 << next.number());
            // Every way to share the empty cells out.
            let mut shares = std::iter::successors(Some(0u64), |share| {
                (*share != empty).then(|| (share | !empty).wrapping_add(1) & empty)
            });
            let can_be_won = shares.any(|share| {
                minimax.wins(stones[0] | share) || minimax.wins(stones[1] | (empty & !share))
            });
            let (prospect, children) = &prospects[0];
            let name = match *prospect {
                Prospect::Win(next) => {
                    assert!(own.contains(&next), "{next:?}\n{board}");
                    "win"
                }
                Prospect::Loss(next) => {
                    assert!(own.is_empty() && open.is_empty(), "\n{board}");
                    assert!(threats.contains(&next), "{next:?}\n{board}");
                    "loss"
                }
                Prospect::Draw { plies } => {
                    assert!(!can_be_won, "\n{board}");
                    assert_eq!(plies as usize, moves.len(), "\n{board}");
                    "draw"
                }
                Prospect::Settled { .. } => panic!("no more than two plies are looked ahead"),
                Prospect::Over(_) => panic!("the game goes on"),
                Prospect::Open { forced } => {
                    assert!(own.is_empty() && can_be_won, "\n{board}");
                    assert_eq!(*children, open, "\n{board}");
                    let only = open.first().copied().filter(|_| open.len() == 1);
                    assert_eq!(forced, only, "\n{board}");
                    if threats.is_empty() { "open" } else { "forced" }
                }
            };
            *seen.entry(name).or_insert(0) += 1;
        }
    }

    let mut seen = HashMap::new();
    check(3, positions(2000), &mut seen);
    check(4, positions(2000), &mut seen);
    check(5, positions(2000), &mut seen);
    let names = ["win", "loss", "draw", "open", "forced"];
    assert!(names.iter().all(|name| seen.contains_key(name)), "{seen:?}");
}

/// A position of a few stones, often symmetric: each stone with its images under some symmetry.
fn symmetric_position(geometry: &Geometry, rng: &mut Rng) -> Board {
    let symmetry = rng.below(12) as usize;
    let mut board = Board::of(geometry);
    for _ in 0..rng.below(4) {
        let cells = geometry.cells();
        let mut cell = cells[rng.below(cells.len() as u32) as usize];
        let colour = board.to_move();
        for _ in 0..6 {
            board.set_to_move(colour);
            if board.is_legal(cell) {
                let mut next = board;
                next.place(cell);
                board = if next.outcome().is_over() { board } else { next };
            }
            cell = geometry.transform(cell, symmetry);
        }
        board.set_to_move(colour.other());
    }
    board
}

/// The moves that a search looks at if no two of them may be equal by symmetry; none if it is
/// certain what to do.
fn distinct_moves(board: &Board) -> Vec<Move> {
    let params = Params { dead_cells: DeadCells::Off, symmetry_plies: 271, ..Params::default() };
    let mut children = Children::default();
    board.leaf_work(Isa::best(), &params).look(&[], Some(&mut children));
    moves_of(&children)
}

#[test]
fn one_move_of_each_symmetric_group_is_searched() {
    fn check(geometry: &Geometry, fewer: &mut usize) {
        let mut rng = Rng::stream(62, geometry.size);
        for _ in 0..positions(400) {
            let board = symmetric_position(geometry, &mut rng);
            let image = |set: Set<AnyWidth>, symmetry: usize| -> Set<AnyWidth> {
                let cells = set.iter().map(Cell::from_index);
                cells.map(|cell| geometry.transform(cell, symmetry).index()).collect()
            };
            let keeps = |symmetry: &usize| {
                let mut sides = Colour::BOTH.map(|colour| board.stones(colour)).into_iter();
                sides.all(|set| image(set, *symmetry) == set)
            };
            let symmetries: Vec<usize> = (0..12).filter(keeps).collect();
            let (prospect, moves) = look(&board, Isa::best());
            let distinct = distinct_moves(&board);
            assert_eq!(
                distinct.is_empty(),
                !matches!(prospect, Prospect::Open { .. }),
                "\n{board}"
            );
            assert!(distinct.iter().all(|next| moves.contains(next)), "\n{board}");
            for next in &moves {
                let cell = geometry.cell_of(*next);
                let images = symmetries.iter().map(|symmetry| geometry.transform(cell, *symmetry));
                let equal: BTreeSet<Move> = images.map(|cell| geometry.move_to(cell)).collect();
                let searched = distinct.iter().filter(|next| equal.contains(next)).count();
                assert_eq!(searched, 1, "{next:?} of {moves:?}\n{board}");
            }
            *fewer += usize::from(distinct.len() < moves.len());
        }
    }

    for size in 2..=10 {
        let mut fewer = 0;
        check(geometry(size), &mut fewer);
        assert!(fewer > 0, "base {size}");
    }
}

/// The openings of the small bases, one of each class of symmetric ones, by value for the first
/// player: the corner wins, every other one loses.
#[test]
fn small_bases_are_solved() {
    fn check(geometry: &Geometry, classes: usize) {
        let empty = Board::of(geometry);
        let openings = distinct_moves(&empty);
        assert_eq!(openings.len(), classes);
        for name in TREE_PRESETS {
            let params = Params { memory: 64, ..preset(name) };
            for next in &openings {
                let cell = geometry.cell_of(*next);
                let is_corner =
                    (0..6).filter(|d| geometry.neighbour(cell, *d).is_some()).count() == 3;
                let mut board = empty;
                board.place(cell);
                let report = search(&params, &board, u64::MAX);
                let expected = if is_corner { Status::LOST } else { Status::WON };
                assert_eq!(report.status, expected, "{name}\n{board}");
            }
            let report = search(&params, &empty, u64::MAX);
            assert_eq!(report.status, Status::WON, "{name}: the empty board\n{report:#?}");
            let best = geometry.cell_of(report.best.expect("a move"));
            let neighbours = (0..6).filter(|d| geometry.neighbour(best, *d).is_some()).count();
            assert_eq!(neighbours, 3, "{name}: a corner is played\n{report:#?}");
        }
    }
    check(geometry(2), 2);
    check(geometry(3), 4);
}

/// With the least memory there is, a search that is too large for it is still never wrong.
#[test]
fn proofs_stand_when_memory_is_short() {
    const STONES: usize = 2;
    const PLAYOUTS: u64 = 150_000;
    let mut rng = Rng::new(63);
    let (mut solved, mut short) = (0, 0);
    for number in 0..positions(60) {
        let mut board = Board::of(geometry(3));
        while board.stone_count() < STONES {
            let empty: Vec<usize> = board.empty_cells().iter().collect();
            board.place(Cell::from_index(empty[rng.below(empty.len() as u32) as usize]));
        }
        let name = TREE_PRESETS[number % TREE_PRESETS.len()];
        let params = Params { expand_after: 0, symmetry_plies: 0, ..preset(name) };
        let much = search(&Params { memory: 256, ..params.clone() }, &board, u64::MAX);
        assert!(much.status.is_proven());
        let mut little = Mcts::new(Isa::best(), &params, board.boxed());
        let limits = Limits { playouts: Some(PLAYOUTS), until_solved: true, ..Limits::default() };
        little.run(&limits, &AtomicBool::new(false), &mut |_| ());
        // While a search runs, this never falls.
        short += usize::from(little.tree().needed_visits() > 0);
        let little = little.report(Duration::ZERO);
        if little.status.is_proven() {
            assert_eq!(little.status, much.status, "{name}\n{board}");
            solved += 1;
        }
    }
    assert!(solved > 0 && short > 0, "{solved} solved, {short} times short of memory");
}
