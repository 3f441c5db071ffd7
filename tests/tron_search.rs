//! Tron on the search: what is proven holds whatever the opponent does, every way of searching finds
//! what there is to find, and every setting changes something.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::tron_engine;
use ciclon::internals::game::{DRAW, LOSS, WIN};
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::{Params, Rave};
use ciclon::internals::rng::Rng;
use ciclon::internals::search::{Limits, Report, Reporter as _};
use ciclon::internals::tree::Status;
use ciclon::internals::tron::oracle::{Minimax, Oracle};
use ciclon::internals::tron::{Direction, Grid, Map, Position};

fn params(settings: &[&str]) -> Params {
    let mut params = Params { memory: 4, ..Params::preset("laschet").expect("a preset") };
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

fn map(text: &str) -> Map {
    text.parse().expect("a map")
}

fn search(map: &Map, side: usize, settings: &[&str], playouts: u64) -> (Direction, Report) {
    search_by(Isa::best(), map, side, settings, playouts)
}

fn search_by(
    isa: Isa,
    map: &Map,
    side: usize,
    settings: &[&str],
    playouts: u64,
) -> (Direction, Report) {
    let mut engine = tron_engine(map, isa, &params(settings)).expect("settings for Tron");
    let limits = Limits { playouts: Some(playouts), until_solved: true, ..Limits::default() };
    engine.choose(side, &limits, &AtomicBool::new(false))
}

/// A small map with some walls, and both heads somewhere.
fn small_map(rng: &mut Rng) -> Map {
    loop {
        let side = |rng: &mut Rng| 2 + rng.below(3) as usize;
        let grid = Grid::new(side(rng), side(rng)).expect("a grid");
        let cells: Vec<usize> = grid.cells().collect();
        let mut pick = || cells[rng.below(cells.len() as u32) as usize];
        let heads = [pick(), pick()];
        if heads[0] == heads[1] {
            continue;
        }
        let mut map = Map::open(grid, heads);
        for _ in 0..3 {
            let wall = cells[rng.below(cells.len() as u32) as usize];
            map.walls[wall] = !heads.contains(&wall);
        }
        return map;
    }
}

/// The points of a side, from those of side 0.
fn points_of(side: usize, points: u32) -> u32 {
    if side == 0 { points } else { WIN - points }
}

/// What a side can get if the other always sees its choice, and if it always sees the other's.
fn bounds(map: &Map, side: usize) -> [u32; 2] {
    [1 - side, side]
        .map(|informed| points_of(side, Minimax::new(informed, false).value(&Oracle::new(map))))
}

#[test]
fn what_is_proven_holds_whatever_the_opponent_does() {
    let mut rng = Rng::new(5);
    let (mut wins, mut losses) = ([0; 4], [0; 4]);
    let ways: [&[&str]; 4] = [
        &["proofs=true"],
        &["proofs=true", "separation_cut=true"],
        &["proofs=true", "stacked=true"],
        &["proofs=true", "stacked=true", "separation_cut=true", "bound=tuned"],
    ];
    for _ in 0..150 {
        let map = small_map(&mut rng);
        if Oracle::new(&map).foreseen().is_some() {
            continue;
        }
        for side in 0..2 {
            let [sure, possible] = bounds(&map, side);
            for (way, settings) in ways.iter().enumerate() {
                let (_, report) = search(&map, side, settings, 3000);
                let at = format!("{settings:?}, side {side}, {sure} to {possible}\n{map}");
                match report.status {
                    Status::WON => assert_eq!(sure, WIN, "{at}"),
                    Status::LOST => assert_eq!(possible, LOSS, "{at}"),
                    Status::DRAWN => assert_eq!([sure, possible], [DRAW; 2], "{at}"),
                    _ => {}
                }
                // A win against every reply is found on boards as small as these.
                assert_eq!(report.status == Status::WON, sure == WIN, "{at}");
                wins[way] += u32::from(report.status == Status::WON);
                losses[way] += u32::from(report.status == Status::LOST);
            }
        }
    }
    assert!(wins.iter().all(|count| *count > 20), "{wins:?}");
    assert_eq!(losses[0], 0, "in turns, a loss does not follow from what is proven");
    assert!(losses[1..].iter().all(|count| *count > 5), "{losses:?}");
}

/// Player 1 can go west into two cells or east into five; player 2 has four.
const LANES: &str = "9 3\n  1     #\n#########\n2    ####\n";

#[test]
fn every_way_of_searching_takes_the_longer_lane() {
    for settings in [
        &[][..],
        &["proofs=true"],
        &["separation_cut=true", "proofs=true"],
        &["lgr=lgrf2", "lgr_compare=true"],
        &["ngram=average"],
        &["ngram=average", "ngram_sequence=true"],
        &["lgr=lgrf2", "ngram=average"],
        &["ngram=average", "ulm=unvisited"],
        &["ngram=average", "ulm=all"],
        &["ngram=average", "bias_weight=5"],
        &["history_weight=1"],
        &["stacked=true"],
        &["stacked=true", "bound=tuned", "exploration=1"],
        &["leaf_value=true"],
        &["leaf_value=true", "playout_cut=4"],
        &["leaf_mix=1", "leaf_batch=8"],
        &["leaf_mix=0.5"],
        &["leaf_mix=1", "bound=puct", "exploration=2"],
        &["leaf_mix=1", "bound=puct", "exploration=2", "stacked=true", "leaf_batch=4"],
        &["threads=3"],
        &["threads=3", "parallel=root"],
        &["threads=3", "parallel=leaf"],
        &["threads=3", "stacked=true", "proofs=true"],
    ] {
        let (way, report) = search(&map(LANES), 0, settings, 2000);
        assert_eq!(way, Direction::East, "{settings:?} {report:?}");
        let (way, _) = search(&map(LANES).turned(), 1, settings, 2000);
        assert_eq!(way, Direction::East, "{settings:?}");
    }
}

/// Where nodes never get children, all that tells moves apart is how they are judged.
#[test]
fn a_move_is_judged_before_the_other_has_moved() {
    for seed in 1..=8 {
        let seed = format!("seed={seed}");
        let settings = ["leaf_value=true", "expand_after=1000000", &seed];
        let (way, report) = search(&map(LANES), 0, &settings, 1000);
        assert_eq!(way, Direction::East, "{seed} {report:?}");
    }
}

#[test]
fn every_instruction_set_finds_the_same() {
    let open = map("7 7\n       \n 1     \n       \n   #   \n       \n     2 \n       \n");
    for settings in [
        &["lgr=lgrf2", "ngram=average"][..],
        &["separation_cut=true", "proofs=true"],
        &["leaf_value=true"],
        &["stacked=true", "bound=tuned", "exploration=1"],
    ] {
        let found = Isa::available().into_iter().map(|isa| {
            let (way, report) = search_by(isa, &open, 0, settings, 2000);
            (way, report.value, report.moves)
        });
        let found: Vec<_> = found.collect();
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{settings:?} {found:?}");
    }
}

/// In sequence, the second side asks for what it has learned: replies to the move of the same step.
#[test]
fn both_sides_use_their_n_grams_in_sequence() {
    let open = map("7 7\n       \n 1     \n       \n       \n       \n     2 \n       \n");
    for side in 0..2 {
        let settings = ["ngram=1", "ngram_sequence=true", "ngram_epsilon=0"];
        let (_, report) = search(&open, side, &settings, 3000);
        let chosen = |name: &str| {
            report.policies.iter().find(|row| row.policy == name).map_or(0, |row| row.moves)
        };
        let (known, random) = (chosen("ngram"), chosen("random"));
        // If one of them never found any, it would be half of the moves.
        assert!(known > 3 * random, "{known} and {random}");
    }
}

#[test]
fn every_setting_changes_the_search() {
    let open = map("7 7\n       \n 1     \n       \n       \n       \n     2 \n       \n");
    let moves = |settings: &[&str]| {
        let (_, report) = search(&open, 0, settings, 3000);
        report.moves.iter().map(|row| row.visits).collect::<Vec<_>>()
    };
    let plain = moves(&[]);
    let grams = moves(&["ngram=average"]);
    assert_ne!(plain, grams);
    for settings in [
        &["lgr=lgrf2"][..],
        &["lgr=lgrf1"],
        &["lgr=lgr2"],
        &["ngram=1"],
        &["history_weight=1"],
        &["separation_cut=true"],
        &["stacked=true"],
        &["bound=tuned"],
        &["leaf_value=true"],
        &["playout_cut=6"],
        &["node_trials=0"],
        &["exploration=1"],
    ] {
        assert_ne!(moves(settings), plain, "{settings:?}");
        assert_eq!(moves(settings), moves(settings), "{settings:?}");
    }
    // There is nothing to prove on an open grid so early.
    let close = map("5 2\n 1  #\n  #2 \n");
    let visits = |settings: &[&str]| search(&close, 0, settings, 300).1.moves[0].visits;
    assert_ne!(visits(&["proofs=true"]), visits(&[]));
    for setting in ["ngram_sequence=true", "ngram_epsilon=0.1", "ulm=unvisited", "bias_weight=5"] {
        assert_ne!(moves(&["ngram=average", setting]), grams, "{setting}");
    }
    for [base, more] in [
        ["lgr=lgrf2", "lgr_compare=true"],
        ["lgr=lgrf2", "lgr=lgr2"],
        ["stacked=true", "bound=tuned"],
        ["leaf_value=true", "playout_cut=4"],
    ] {
        assert_ne!(moves(&[base, more]), moves(&[base]), "{base} {more}");
    }
}

#[test]
fn policies_are_seen_in_the_report() {
    let open = map("7 7\n       \n 1     \n       \n       \n       \n     2 \n       \n");
    let (_, report) = search(&open, 0, &["lgr=lgrf2", "ngram=average"], 1000);
    let names: Vec<&str> = report.policies.iter().map(|row| row.policy).collect();
    assert_eq!(names, ["lgr", "ngram", "random"]);
    assert_eq!(report.stats.playouts, 1000);
    let mut position = Position::<[u64; 4]>::new(&open, 0);
    for next in &report.pv {
        assert!(position.is_legal(*next), "{:?}", report.pv);
        position.make(*next);
    }
    assert!(report.pv.len() > 1, "{:?}", report.pv);
}

#[test]
fn the_tree_is_kept_from_step_to_step() {
    let open = map("7 7\n       \n 1     \n       \n       \n       \n     2 \n       \n");
    let mut engine = tron_engine(&open, Isa::best(), &params(&[])).expect("settings for Tron");
    let limits = Limits { playouts: Some(3000), ..Limits::default() };
    let stop = AtomicBool::new(false);
    let (way, _) = engine.choose(0, &limits, &stop);
    engine.play([way, Direction::North]);
    let (_, report) = engine.choose(0, &limits, &stop);
    assert!(report.stats.kept > 50, "{}", report.stats.kept);
    // For the other side everything is different.
    let (_, report) = engine.choose(1, &limits, &stop);
    assert_eq!(report.stats.kept, 0);
}

#[test]
fn a_game_is_played_to_its_end() {
    let open = map("5 5\n1    \n     \n     \n     \n    2\n");
    let settings = params(&["proofs=true"]);
    let mut engines =
        [0, 1].map(|_| tron_engine(&open, Isa::best(), &settings).expect("settings for Tron"));
    let limits = Limits { playouts: Some(300), ..Limits::default() };
    let stop = AtomicBool::new(false);
    let mut oracle = Oracle::new(&open);
    for _ in 0..25 {
        let mut side = 0;
        let ways = engines.each_mut().map(|engine| {
            let (way, _) = engine.choose(side, &limits, &stop);
            side += 1;
            way
        });
        engines.iter_mut().for_each(|engine| engine.play(ways));
        oracle.step(ways);
        let foreseen = oracle.result().or_else(|| oracle.foreseen());
        assert!(engines.iter().all(|engine| engine.result() == foreseen));
        if foreseen.is_some() {
            // There is nothing left to choose, and nothing happens any more.
            let before = engines[0].map();
            engines[0].play([Direction::North; 2]);
            assert_eq!(engines[0].map(), before);
            assert_eq!(engines[0].choose(0, &limits, &stop).1.best, None);
            return;
        }
    }
    panic!("twelve steps fill the board");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for setting in ["rave=alpha", "rave=beta"] {
        let error = tron_engine(&map(LANES), Isa::best(), &params(&[setting]));
        let text = error.err().expect(setting).to_string();
        assert!(text.contains("rave") && text.contains("Tron"), "{text}");
    }
}

/// Moves of Tron do not stay legal, and large grids have more of them than RAVE counts: a search of it has
/// none, whatever the settings say.
#[test]
fn rave_is_left_out() {
    let grid = Grid::new(40, 30).expect("a grid");
    let map = Map::open(grid, [grid.cell(35, 25), grid.cell(3, 4)]);
    let params = Params { memory: 4, ..Params::default() };
    assert_ne!(params.rave, Rave::Off);
    let position = Position::<[u64; 64]>::new(&map, 0);
    let mut search = Mcts::new(Isa::best(), &params, Box::new(position));
    let limits = Limits { playouts: Some(200), ..Limits::default() };
    search.run(&limits, &AtomicBool::new(false), &mut |_| ());
    let report = search.report(Duration::ZERO);
    assert_eq!(report.stats.playouts, 200);
    assert!(report.moves.iter().all(|found| found.rave.is_none()), "{report:?}");
}
