//! The player: when it stops thinking, what it opens with, when it swaps and when it gives up.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::{Choice, HavannahEngine, Player, TimeControl, openings};
use ciclon::internals::havannah::{Cell, Colour, Notation, picture};
use ciclon::internals::params::{FinalMove, Params};
use ciclon::internals::search::{Ending, Limits};
use ciclon::internals::tree::Status;

fn params() -> Params {
    Params { memory: 16, ..Params::default() }
}

fn playouts(count: u64) -> TimeControl {
    TimeControl { move_playouts: Some(count), ..TimeControl::default() }
}

fn player(size: usize, params: &Params, control: TimeControl) -> Player {
    Player::new(size, Isa::best(), params, control).expect("a base")
}

fn engine(size: usize, params: &Params) -> HavannahEngine {
    HavannahEngine::new(size, Isa::best(), params).expect("a base")
}

fn choose(player: &mut Player, side: Colour) -> Option<Choice> {
    player.choose(side, &AtomicBool::new(false)).map(|(choice, _)| choice)
}

fn place_all(player: &mut Player, moves: &str) {
    for text in moves.split_whitespace() {
        let engine = player.engine_mut();
        let cell = engine.geometry().read_cell(Notation::Letternum, text).expect("a cell");
        engine.place(engine.to_move(), cell).expect("a legal move");
    }
}

/// A search that is told to stop when decided has a leader that the rest cannot reach, and plays
/// what the whole search would have played.
#[test]
fn a_decided_search_ends_early() {
    let mut early = 0;
    for seed in 0..20 {
        let params = Params { seed, symmetry_plies: 0, ..params() };
        let run = |stop_when_decided: bool| {
            let mut engine = engine(4, &params);
            let limits = Limits { playouts: Some(6000), stop_when_decided, ..Limits::default() };
            let report = engine.analyze(&limits, &AtomicBool::new(false), None);
            (engine.ending(), report)
        };
        let ((_, whole), (ending, cut)) = (run(false), run(true));
        assert_eq!(cut.best, whole.best, "seed {seed}");
        if ending == Some(Ending::Decided) {
            let mut visits: Vec<u64> =
                cut.moves.iter().map(|found| u64::from(found.visits)).collect();
            visits.sort();
            let lead = visits[visits.len() - 1] - visits[visits.len() - 2];
            assert!(cut.playouts < 6000 && lead > 6000 - cut.playouts, "seed {seed}");
            early += 1;
        }
    }
    assert!(early > 0, "no search ended early");
    // Where the win rate decides, visits say nothing.
    let params = Params { final_move: FinalMove::Max, ..params() };
    let mut engine = engine(4, &params);
    let limits = Limits { playouts: Some(2000), stop_when_decided: true, ..Limits::default() };
    engine.analyze(&limits, &AtomicBool::new(false), None);
    assert_eq!(engine.ending(), Some(Ending::Limit));
}

/// When the most visited move is not the best one, a search takes its extra time, and only then.
#[test]
fn extra_time_is_for_those_who_need_it() {
    let (time, extra_time) = (Duration::from_millis(30), Duration::from_millis(60));
    let (mut long, mut short) = (0, 0);
    for seed in 0..40 {
        let params = Params { seed, ..params() };
        let mut engine = engine(6, &params);
        let limits = Limits { time: Some(time), extra_time, ..Limits::default() };
        let begin = Instant::now();
        engine.analyze(&limits, &AtomicBool::new(false), None);
        let took = begin.elapsed();
        assert!(took >= time, "{took:?}");
        if took >= time + extra_time {
            long += 1;
        } else {
            short += 1;
        }
    }
    assert!(long > 0 && short > 0, "{long} long and {short} short searches");
}

#[test]
fn a_clock_is_spent() {
    let game = Some(ciclon::internals::engine::GameTime {
        main: Duration::from_secs(2),
        period: Duration::ZERO,
        stones: 0,
    });
    let mut player = player(5, &params(), TimeControl { game, ..TimeControl::default() });
    let begin = Instant::now();
    choose(&mut player, Colour::White).expect("a move");
    let took = begin.elapsed();
    let (left, _) = player.clock_mut().left(Colour::White);
    assert!(took < Duration::from_secs(1) && left <= Duration::from_secs(2) - took / 2);
    assert_eq!(player.clock_mut().left(Colour::Black).0, Duration::from_secs(2));
    assert!(player.start(5));
    assert_eq!(player.clock_mut().left(Colour::White).0, Duration::from_secs(2), "a new game");
}

#[test]
fn under_the_pie_rule_openings_are_even() {
    for size in 4..=10 {
        let mut seen: Vec<Cell> = Vec::new();
        for seed in 0..30 {
            let params = Params { pie: true, seed, ..params() };
            let mut player = player(size, &params, playouts(100));
            let Some(Choice::Place(cell)) = choose(&mut player, Colour::White) else {
                panic!("base {size}: no opening");
            };
            let geometry = player.engine().geometry();
            let value = openings::value_of(geometry, cell).expect("it is in the table").value;
            let distance = |value: f64| (value - 0.5).abs();
            let all = openings::of_size(geometry);
            let nearer = all.iter().filter(|other| distance(other.value) < distance(value)).count();
            assert!(nearer < 6, "base {size}: {nearer} openings are nearer to one half");
            if !seen.contains(&cell) {
                seen.push(cell);
            }
        }
        // On base 4 the centre is the most even opening by far.
        assert!(seen.len() > 1 || size == 4, "base {size}: always the same");
    }
}

#[test]
fn a_strong_first_stone_is_taken() {
    // On base 3 a corner wins and everything else loses.
    for (opening, is_taken) in [("a1", true), ("a2", false), ("b2", false), ("c3", false)] {
        for pie in [true, false] {
            let mut player = player(3, &Params { pie, ..params() }, playouts(300));
            place_all(&mut player, opening);
            let choice = choose(&mut player, Colour::Black).expect("a move");
            assert_eq!(choice == Choice::Swap, is_taken && pie, "{opening}");
        }
    }
    // Only the first stone, and only at once.
    let mut player = player(3, &Params { pie: true, ..params() }, playouts(300));
    place_all(&mut player, "a1 b2 c3");
    assert_ne!(choose(&mut player, Colour::Black), Some(Choice::Swap));
}

/// White can complete a bridge on two cells; Black, to move, is lost.
const LOST: &str = "a1 b2 a4 d6 b3 e3 a2";

#[test]
fn only_the_lost_resign() {
    for (resign, moves, expected) in [(0.0, LOST, false), (0.1, LOST, true), (0.5, "a1", false)] {
        let params = Params { resign, ..params() };
        let mut player = player(4, &params, playouts(300));
        place_all(&mut player, moves);
        let choice = choose(&mut player, Colour::Black).expect("a move");
        assert_eq!(choice == Choice::Resign, expected, "{resign} {moves}");
    }
}

/// A position that only looks bad is played on until it has done so for long.
#[test]
fn a_long_streak_is_needed_without_proof() {
    let streak = 4;
    let params = Params { resign: 0.5, resign_streak: streak, ..params() };
    let mut player = player(6, &params, playouts(400));
    let (mut low, mut resigned) = ([0; 2], false);
    for ply in 0..80 {
        let side = player.engine().to_move();
        // What is only asked is no move of the game.
        player.choose(side, &AtomicBool::new(false));
        let found = player.choose(side, &AtomicBool::new(false));
        let Some((choice, report)) = found else {
            break;
        };
        let low = &mut low[side.index()];
        *low = if report.value < 0.5 { *low + 1 } else { 0 };
        match choice {
            Choice::Place(_) => {
                assert!(*low < streak, "ply {ply}: {report:#?}");
                player.make(side, choice);
            }
            Choice::Swap => panic!("the pie rule is off"),
            Choice::Resign => {
                assert!(report.status == Status::LOST || *low == streak, "ply {ply}: {report:#?}");
                resigned = true;
                break;
            }
        }
    }
    assert!(resigned, "no one ever gave up");
}

/// What looked hopeless before counts no more after a new game was begun, or moves were taken back: the
/// first move under the pie rule comes without a search.
#[test]
fn what_looked_hopeless_is_forgotten() {
    let begin_anew: [fn(&mut Player); 2] =
        [|player| assert!(player.start(6)), |player| while player.undo() {}];
    for (way, begin_anew) in begin_anew.into_iter().enumerate() {
        // Whatever is not won for certain looks hopeless to it, and twice is enough.
        let params = Params { pie: true, resign: 1.0, resign_streak: 2, ..params() };
        let mut player = player(6, &params, playouts(50));
        for game in 0..3 {
            begin_anew(&mut player);
            for expected in ["opening", "looks hopeless once"] {
                let choice = choose(&mut player, Colour::White).expect("a move");
                let is_placed = matches!(choice, Choice::Place(_));
                assert!(is_placed, "way {way}, game {game}, {expected}: {choice:?}");
                player.make(Colour::White, choice);
                let reply = player.engine().legal_cells()[0];
                player.engine_mut().place(Colour::Black, reply).expect("a legal move");
            }
            let last = choose(&mut player, Colour::White);
            assert_eq!(last, Some(Choice::Resign), "way {way}, game {game}");
        }
    }
}

#[test]
fn there_is_nothing_to_choose_in_a_game_that_is_over() {
    let mut player = player(4, &params(), playouts(100));
    place_all(&mut player, "a1 b2 a2 c3 a3 d4 a4");
    assert_eq!(choose(&mut player, Colour::Black), None);
}

/// A picture of the same position, whoever is asked to move.
#[test]
fn a_side_can_be_asked_out_of_turn() {
    let mut player = player(4, &params(), playouts(500));
    place_all(&mut player, "a1 d1 a2 d7 a4 g7");
    for side in [Colour::Black, Colour::White, Colour::White, Colour::Black] {
        let a3 = player.engine().geometry().read_cell(Notation::Letternum, "a3").expect("a cell");
        assert_eq!(choose(&mut player, side), Some(Choice::Place(a3)));
    }
    let board = picture::draw_labelled(player.engine().geometry(), Notation::Letternum, |cell| {
        player.engine().colour_at(cell).map_or(".", |_| "*").to_string()
    });
    assert_eq!(board.matches('*').count(), 6);
}
