//! Search on games that are known by heart: proofs, their depths, and the move to play.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::Engine;
use ciclon::internals::game::{DRAW, LOSS, Move, Position, WIN, points_of};
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::{Bound, FinalMove, Parallel, Params, Rave, Selection};
use ciclon::internals::rng::Rng;
use ciclon::internals::search::{Ending, Limits, MoveReport, Report, Reporter};
use ciclon::internals::tree::Status;

use crate::hand_built::{Lines, Story, after, minimax};

/// A game that is known by heart.
trait Known: Position + Clone + Eq + Hash + std::fmt::Debug {}

impl Known for Lines {}
impl Known for Story {}

/// Games of a number that is meant for release builds.
fn games(count: usize) -> usize {
    if cfg!(debug_assertions) { count.div_ceil(10) } else { count }
}

/// A preset, with proofs even where its player has none.
fn preset(name: &str) -> Params {
    let preset = Params::preset(name).expect("a preset");
    Params { memory: 1, proofs: true, look_ahead: true, ..preset }
}

/// Every preset, with children added late and early; leaves in batches, and prior probabilities.
fn all_settings() -> Vec<Params> {
    let presets = Params::PRESETS.map(|(name, _)| preset(name)).into_iter();
    let mut settings: Vec<Params> = presets
        .flat_map(|params| [0, 1, 5].map(|v| Params { expand_after: v, ..params.clone() }))
        .collect();
    settings.push(Params { leaf_batch: 8, expand_after: 1, ..preset("rave") });
    settings.push(Params { leaf_batch: 64, expand_after: 0, ..preset("rave130") });
    settings.push(Params { bound: Bound::Puct, expand_after: 1, ..preset("uct") });
    settings
}

fn engine<G: Known>(params: &Params, position: &G) -> Engine<G> {
    let params = params.clone();
    Engine::new(position.clone(), move |position: &G| {
        Box::new(Mcts::new(Isa::best(), &params, position.boxed()))
    })
}

fn solve<G: Known>(params: &Params, position: &G, playouts: u64) -> (Report, Option<Ending>) {
    let mut engine = engine(params, position);
    let limits = Limits { playouts: Some(playouts), until_solved: true, ..Limits::default() };
    let report = engine.analyze(&limits, &AtomicBool::new(false), &mut |_| {});
    (report, engine.ending())
}

/// The status of a position that is worth so many points.
fn proven(points: u32) -> Status {
    Status::new(points, points)
}

/// Whatever is proven is so: the position, and each of its moves. A win is never said to come
/// sooner than it can be forced, nor a loss sooner than it must come.
fn check_proofs<G: Known>(position: &G, report: &Report, known: &mut HashMap<G, (u32, u32)>) {
    let context = || format!("{position:?}\n{report:#?}");
    let mut check = |position: &G, turned: bool, status: Status, depth: Option<u32>| {
        let (points, plies) = minimax(position, known);
        let points = if turned { WIN - points } else { points };
        // Bounds that do not meet hold as well.
        assert!((status.lower()..=status.upper()).contains(&points), "{}", context());
        if !status.is_proven() {
            assert_eq!(depth, None, "{}", context());
        } else {
            assert_eq!(status, proven(points), "{}", context());
            // A value known from an earlier search has no depth until a move is known to have it.
            let is_deep = depth.is_none_or(|depth| points == DRAW || depth >= plies);
            assert!(is_deep, "{plies} plies: {}", context());
        }
    };
    check(position, false, report.status, report.proof_depth);
    let rank = |found: &&MoveReport| match found.status {
        Status::WON => 0,
        Status::LOST => 2,
        _ => 1,
    };
    assert!(report.moves.iter().is_sorted_by_key(|found| rank(&found)), "{}", context());
    let losses = report.moves.iter().filter(|found| found.status == Status::LOST);
    let depths: Vec<_> = losses.map(|found| found.proof_depth).collect();
    assert!(depths.iter().is_sorted_by(|a, b| a >= b), "{}", context());
    for found in &report.moves {
        let depth_behind = found.proof_depth.map(|depth| depth - 1);
        check(&after(position, found.next), true, found.status, depth_behind);
    }
}

/// A proven position is played on well: a win is kept, a draw too.
fn check_best_move<G: Known>(position: &G, report: &Report, known: &mut HashMap<G, (u32, u32)>) {
    let next = after(position, report.best.expect("the game is not over"));
    let (points, _) = minimax(position, known);
    assert_eq!(WIN - minimax(&next, known).0, points, "{position:?}\n{report:#?}");
}

fn check_search<G: Known>(position: &G, params: &Params) {
    let known = &mut HashMap::new();
    for playouts in [10, 100_000] {
        let is_tree = params.selection == Selection::Tree;
        if !is_tree && playouts > 10 {
            continue;
        }
        let (report, ending) = solve(params, position, playouts);
        check_proofs(position, &report, known);
        if ending == Some(Ending::Solved) {
            check_best_move(position, &report, known);
        } else {
            assert!(!is_tree || playouts == 10, "not solved: {position:?}\n{report:#?}");
            assert!(!report.status.is_proven(), "{report:#?}");
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for params in all_settings() {
        check_search(&Lines::tic_tac_toe(), &params);
    }
}

#[test]
fn games_of_lines_are_solved_by_every_preset() {
    let mut values = HashMap::new();
    let mut rng = Rng::new(50);
    for game in 0..games(1000) {
        let position = Lines::random(&mut rng);
        if position.result().is_some() {
            continue;
        }
        *values.entry(minimax(&position, &mut HashMap::new()).0).or_insert(0) += 1;
        let settings = all_settings();
        for (number, params) in settings.iter().enumerate() {
            if number % 3 == game % 3 {
                check_search(&position, &Params { ties_win: game % 2 == 0, ..params.clone() });
            }
        }
    }
    assert!([WIN, DRAW, LOSS].iter().all(|points| values.contains_key(points)), "{values:?}");
}

/// Stories have other moves in every position, so RAVE has nothing to say about them.
fn without_rave() -> Vec<Params> {
    let settings = all_settings().into_iter();
    settings.map(|params| Params { rave: Rave::Off, ..params }).collect()
}

#[test]
fn stories_are_solved_whatever_their_end() {
    let mut rng = Rng::new(51);
    let mut values = HashMap::new();
    for _ in 0..games(1000) {
        let position = Story::read(&Story::random_text(&mut rng));
        *values.entry(minimax(&position, &mut HashMap::new()).0).or_insert(0) += 1;
        for params in without_rave() {
            check_search(&position, &params);
        }
    }
    assert!([WIN, DRAW, LOSS].iter().all(|points| values.contains_key(points)), "{values:?}");
}

#[test]
fn proofs_are_as_deep_as_the_story() {
    // The story, its value for the side to move, the plies to its end, and the moves to play.
    const WON: Status = Status::WON;
    const DRAWN: Status = Status::DRAWN;
    const LOST: Status = Status::LOST;
    let stories: &[(&str, Status, u32, &[usize])] = &[
        ("[+]", WON, 1, &[1]),
        ("[-+=]", WON, 1, &[2]),
        ("[=]", DRAWN, 1, &[1]),
        ("[[=][==]]", DRAWN, 2, &[1, 3]),
        // The second side wins with its first move, or with its second.
        ("[[-][-]]", LOST, 2, &[1, 3]),
        ("[[[[-]]]]", LOST, 4, &[1]),
        ("[-=]", DRAWN, 1, &[2]),
        // A win in three, beside a draw and a loss.
        ("[ = [[+]] [-] ]", WON, 3, &[2]),
        // Losses in four and in six: the longer one is played.
        ("[ [[[-]]] [[[[[-]]]]] ]", LOST, 6, &[5]),
        // The second side is not kept from its draw by a win that is not there.
        ("[ [= [[+]]] [= [+ [[+]]]] ]", DRAWN, 2, &[1, 6]),
        // One move leads to a draw at once; the other at best to one.
        ("[ = [ = [[[[+-]]]] ] ]", DRAWN, 1, &[1]),
    ];
    for (text, status, plies, best) in stories {
        let position = Story::read(text);
        let value = minimax(&position, &mut HashMap::new());
        assert_eq!(proven(value.0), *status, "{text}");
        for params in without_rave() {
            let (report, ending) = solve(&params, &position, 10_000);
            if ending != Some(Ending::Solved) {
                assert_eq!(params.selection, Selection::Flat, "{text}\n{report:#?}");
                continue;
            }
            assert_eq!(report.status, *status, "{text}\n{report:#?}");
            let depth = report.proof_depth.expect("a proof has a depth");
            assert!(*status == DRAWN || depth == *plies, "{text}\n{report:#?}");
            let played = report.best.expect("a move").number();
            assert!(best.contains(&played), "{text}\n{report:#?}");
        }
    }
}

/// A position once solved is known for good: after the best move, and after whatever the other
/// side answers, the value is known without search, and with search the win is not let go.
#[test]
fn what_is_proven_outlives_the_moves() {
    let mut rng = Rng::new(52);
    let few = Limits { playouts: Some(1), until_solved: true, ..Limits::default() };
    let enough = Limits { playouts: Some(100_000), ..few };
    let (mut wins, mut known_at_once) = (0, 0);
    for game in 0..games(300) {
        let mut position = Lines::random(&mut rng);
        let known = &mut HashMap::new();
        let name = ["uct", "rave", "rave130"][game % 3];
        let params = Params { expand_after: 1, ..preset(name) };
        let mut engine = engine(&params, &position);
        let mut value = None;
        while position.result().is_none() {
            let report = engine.analyze(&few, &AtomicBool::new(false), &mut |_| {});
            check_proofs(&position, &report, known);
            if let Some(value) = value {
                assert!(value != WIN || report.status == Status::WON, "{position:?}\n{report:#?}");
                known_at_once += 1;
            }
            let report = engine.analyze(&enough, &AtomicBool::new(false), &mut |_| {});
            check_proofs(&position, &report, known);
            check_best_move(&position, &report, known);
            value = Some(minimax(&position, known).0);
            let best = report.best.expect("a move");
            position.advance(best);
            engine.play(best).expect("a legal move");
            let replies = position.legal_moves();
            if !replies.is_empty() {
                let reply = replies[rng.below(replies.len() as u32) as usize];
                position.advance(reply);
                engine.play(reply).expect("a legal move");
            }
        }
        wins += usize::from(value == Some(WIN));
    }
    assert!(wins > 0 && known_at_once > 0, "{wins} wins, {known_at_once} known at once");
}

#[test]
fn a_lost_game_is_played_on() {
    for text in ["[-]", "[---]", "[[-][-][-+]]", "[[[[-]]][[[-]][[-]]]]"] {
        for (name, _) in Params::PRESETS {
            let params = Params { rave: Rave::Off, ..preset(name) };
            let (report, _) = solve(&params, &Story::read(text), 1000);
            let legal = Story::read(text).legal_moves();
            let best = report.best.expect("a move");
            assert!(legal.contains(&best), "{name} {text}\n{report:#?}");
        }
    }
}

/// The best of the moves by a rule, from what the report says of them: of those that tie all.
fn best_by(report: &Report, params: &Params, rule: FinalMove) -> Vec<Move> {
    let score = |visits: u32, win_rate: Option<f64>| match (rule, win_rate) {
        (FinalMove::Robust | FinalMove::MaxRobust, _) => f64::from(visits),
        (_, None) => f64::NEG_INFINITY,
        (FinalMove::Max, Some(rate)) => rate,
        (FinalMove::Secure, Some(rate)) => {
            rate - f64::from(params.secure_a) / f64::from(visits).sqrt()
        }
    };
    let scores: Vec<f64> =
        report.moves.iter().map(|found| score(found.visits, found.win_rate)).collect();
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let tied = report.moves.iter().zip(&scores).filter(|(_, score)| **score == best);
    tied.map(|(found, _)| found.next).collect()
}

#[test]
fn the_move_to_play_follows_its_rule() {
    use FinalMove::{Max, MaxRobust, Robust, Secure};
    let mut differences = 0;
    for rule in [Max, Robust, MaxRobust, Secure] {
        for seed in 0..games(200) as u64 {
            for name in ["uct", "rave"] {
                let params = Params {
                    final_move: rule,
                    seed,
                    exploration: 1.0,
                    expand_after: 1000,
                    secure_a: 4.0,
                    ..preset(name)
                };
                let (report, ending) = solve(&params, &Lines::tic_tac_toe(), 60);
                assert_eq!(ending, Some(Ending::Limit));
                let best = best_by(&report, &params, rule);
                assert!(best.contains(&report.best.expect("a move")), "{rule}\n{report:#?}");
                assert!(best.contains(&report.moves[0].next), "{rule}\n{report:#?}");
                differences += usize::from(!best_by(&report, &params, Robust).contains(&best[0]));
                let has_both = best_by(&report, &params, Max)
                    .iter()
                    .any(|next| best_by(&report, &params, Robust).contains(next));
                match report.stats.playouts {
                    60 => assert!(rule != MaxRobust || has_both, "{report:#?}"),
                    playouts => assert_eq!((rule, playouts), (MaxRobust, 90)),
                }
            }
        }
    }
    assert!(differences > 0, "the rules were never put to the test");
}

/// Whatever the settings, a game that is over is not searched, and its result is known.
#[test]
fn a_finished_game_is_not_searched() {
    let ends = ["+", "=", "-"].map(Story::read);
    let played = {
        // One move, and the game is over.
        let start = Story::read("[-]");
        after(&start, start.legal_moves()[0])
    };
    let limits = Limits { playouts: Some(1000), until_solved: true, ..Limits::default() };
    for end in ends.iter().chain([&played]) {
        let points = points_of(end.to_move(), end.result().expect("it is over"));
        for params in all_settings() {
            for (parallel, threads) in
                [(Parallel::Tree, 1), (Parallel::Tree, 2), (Parallel::Root, 2), (Parallel::Leaf, 2)]
            {
                let params = Params { parallel, threads, ..params.clone() };
                let mut search = Mcts::new(Isa::best(), &params, end.boxed());
                let ending = search.run(&limits, &AtomicBool::new(false), &mut |_| {
                    panic!("there is no progress to be made");
                });
                assert_eq!((ending, search.playout_count()), (Ending::Solved, 0), "{end:?}");
                let report = search.report(Duration::ZERO);
                assert_eq!(report.status, proven(points), "{end:?}");
                assert!(report.best.is_none() && report.pv.is_empty() && report.moves.is_empty());
            }
        }
    }
}
