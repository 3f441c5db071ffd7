//! Every parameter does something: a search with another value is another search.

use std::sync::atomic::AtomicBool;

use ciclon::bits::Isa;
use ciclon::engine::Engine;
use ciclon::game::{Game, Move};
use ciclon::havannah::Size;
use ciclon::params::Params;
use ciclon::playout::BoardPlayouts;
use ciclon::search::{Limits, MoveReport};

/// A parameter, the preset and the settings around it, and a value that is not the preset's.
const CHANGES: &[(&str, &str, &[&str], &str)] = &[
    ("selection", "rave", &[], "flat"),
    ("exploration", "rave", &[], "0.7"),
    ("bound", "uct", &[], "bernstein"),
    ("expand_after", "rave", &[], "7"),
    ("child_trials", "rave", &[], "3"),
    ("node_trials", "uct", &[], "30"),
    ("first_play", "uct", &["child_trials=0"], "0.9"),
    ("rave", "rave", &[], "beta"),
    ("rave_weight", "rave", &[], "500"),
    ("rave_moves", "rave", &[], "both"),
    ("policy", "rave", &[], "random"),
    ("mate_plies", "rave", &[], "1"),
    ("playouts", "rave", &[], "2"),
    ("ties_win", "rave", &[], "true"),
    ("symmetry_plies", "rave", &[], "0"),
    ("final_move", "rave", &["selection=flat"], "max"),
    ("secure_a", "uct", &["final_move=secure", "node_trials=1000000"], "50"),
    ("reuse_tree", "rave", &[], "false"),
    ("seed", "rave", &[], "2"),
];

/// What is no matter of a short search: `tests/engine.rs` has the memory, `tests/player.rs` and the
/// transcripts the others.
const OUTSIDE: [&str; 5] = ["memory", "ponder", "pie", "resign", "resign_streak"];

/// What an engine finds at the empty board of base 3, and after its best move. (There, random games
/// end in a draw now and then.)
fn search(params: &Params) -> Vec<(Option<String>, Vec<MoveReport>)> {
    let mut engine = Engine::<BoardPlayouts<Size<3>>>::havannah(Isa::best(), params);
    let limits = Limits { playouts: Some(4000), ..Limits::default() };
    let mut found = Vec::new();
    for _ in 0..2 {
        let report = engine.analyze(&limits, &AtomicBool::new(false), |_| {});
        let position = engine.position();
        let is_best = |next: &Move| Some(position.name_of(*next)) == report.best;
        let best = position.legal_moves().iter().map(Move::new).find(is_best);
        engine.play(best.expect("a move")).expect("a legal move");
        found.push((report.best, report.moves));
    }
    found
}

#[test]
fn every_parameter_changes_the_search() {
    let rows = Params::default().rows();
    let names = rows.iter().map(|row| row.name);
    let listed: Vec<&str> = names.filter(|name| !OUTSIDE.contains(name)).collect();
    let tried: Vec<&str> = CHANGES.iter().map(|(name, ..)| *name).collect();
    assert_eq!(tried, listed, "one change for each parameter, in the order of the list");
    for (name, preset, around, value) in CHANGES {
        let mut params = Params::preset(preset).expect("a preset");
        around.iter().try_for_each(|setting| params.assign(setting)).expect("settings");
        let before = search(&params);
        assert_eq!(search(&params), before, "{name}");
        params.set(name, value).expect("a value");
        assert_ne!(search(&params), before, "{name}={value} changes nothing");
    }
}
