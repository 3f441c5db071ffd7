//! Every parameter does something: a search with another value is another search.

use std::sync::atomic::AtomicBool;

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::{HavannahEngine, tron_engine};
use ciclon::internals::game::Move;
use ciclon::internals::params::{Games, Group, Params};
use ciclon::internals::search::{Limits, MoveReport};
use ciclon::internals::tron::{Direction, Map};

/// A parameter, the preset and the settings around it, and a value that is not the preset's.
type Change = (&'static str, &'static str, &'static [&'static str], &'static str);

const IN_HAVANNAH: &[Change] = &[
    ("selection", "rave", &[], "flat"),
    ("exploration", "rave", &[], "0.7"),
    ("bound", "uct", &[], "bernstein"),
    ("child_trials", "rave", &[], "3"),
    ("node_trials", "uct", &[], "30"),
    ("first_play", "uct", &["child_trials=0"], "0.9"),
    ("history_weight", "uct", &[], "5"),
    ("bias_weight", "uct", &[], "10"),
    ("ulm", "uct", &[], "unvisited"),
    ("proofs", "rave", &["expand_after=1"], "false"),
    ("final_move", "rave", &["selection=flat"], "max"),
    ("secure_a", "uct", &["final_move=secure", "node_trials=1000000"], "50"),
    ("leaf_batch", "rave", &[], "8"),
    ("seed", "rave", &[], "2"),
    ("rave", "rave", &[], "beta"),
    ("rave_weight", "rave", &[], "500"),
    ("rave_moves", "rave", &[], "both"),
    ("killer_rave", "rave", &[], "true"),
    ("killer_visits", "rave", &["killer_rave=true"], "20"),
    ("widening", "rave", &["widening_span=500"], "random"),
    (
        "widening_start",
        "rave",
        &["widening=wins", "widening_start=500", "widening_span=1000"],
        "900",
    ),
    (
        "widening_span",
        "rave",
        &["widening=wins", "widening_start=500", "widening_span=1000"],
        "3000",
    ),
    ("look_ahead", "rave", &["expand_after=1"], "false"),
    ("expand_after", "rave", &[], "7"),
    ("reuse_tree", "rave", &[], "false"),
    ("symmetry_plies", "rave", &[], "0"),
    ("prior_joint", "rave", &[], "true"),
    ("prior_joint_visits", "rave", &["prior_joint=true"], "90"),
    ("prior_joint_wins", "rave", &["prior_joint=true"], "3"),
    ("prior_neighbour_wins", "rave", &["prior_joint=true"], "3"),
    ("prior_other_wins", "rave", &["prior_joint=true"], "40"),
    ("prior_local", "rave", &[], "true"),
    ("prior_local_visits", "rave", &["prior_local=true"], "90"),
    ("prior_local_wins", "rave", &["prior_local=true"], "2"),
    ("prior_edge", "rave", &[], "own"),
    ("prior_edge_visits", "rave", &["prior_edge=own"], "90"),
    ("prior_edge_wins", "rave", &["prior_edge=own"], "2"),
    ("prior_stage", "rave", &["prior_edge=own"], "15"),
    ("playouts", "rave", &[], "2"),
    ("playout_cut", "rave", &[], "9"),
    ("ties_win", "rave", &[], "true"),
    ("lgr", "rave", &[], "lgrf2"),
    ("lgr_keep", "rave", &["lgr=lgr1"], "false"),
    ("lgr_compare", "rave", &["lgr=lgrf2"], "true"),
    ("ngram", "rave", &[], "1"),
    ("ngram_epsilon", "rave", &["ngram=1"], "0.5"),
    ("ngram_decay", "rave", &["ngram=1"], "1"),
    ("ngram_threshold", "rave", &["ngram=1"], "20"),
    ("policy", "rave", &[], "random"),
    ("mate_plies", "rave", &[], "1"),
    ("havannah_mate", "rave", &[], "true"),
    ("havannah_mate_part", "rave", &["havannah_mate=true", "policy=random"], "6"),
    ("bridge_reply", "rave", &[], "true"),
    ("pool_rave", "rave", &[], "true"),
    ("pool_size", "rave", &["pool_rave=true"], "3"),
    ("pool_chance", "rave", &["pool_rave=true"], "0.9"),
    ("pool_visits", "rave", &["pool_rave=true"], "500"),
    ("ppr", "rave130", &[], "true"),
    ("ppr_visits", "ppr", &[], "0.5"),
    ("ppr_wins", "ppr", &[], "0.5"),
    ("ppr_chance", "ppr", &[], "0.5"),
    ("ppr_order", "ppr", &[], "shuffled"),
    ("playout_weights", "rave", &[], "joint"),
    ("playout_choice", "rave", &["playout_weights=joint"], "greedy"),
    ("playout_epsilon", "rave", &["playout_weights=joint", "playout_choice=greedy"], "0.6"),
    ("joint_weight", "rave", &["playout_weights=joint"], "1"),
    ("neighbour_weight", "rave", &["playout_weights=joint"], "1"),
    ("other_weight", "rave", &["playout_weights=joint"], "50"),
    ("pattern_stage", "rave", &["playout_weights=patterns"], "30"),
    ("locality", "rave", &[], "near"),
    ("avoid_pairs", "rave", &[], "true"),
    ("proximity", "rave", &[], "own"),
    ("locality_tries", "rave", &["locality=joint"], "5"),
    ("dead_cells", "rave", &[], "exact"),
    ("ring_fill", "rave", &[], "0.3"),
    ("ring_stones", "rave", &[], "3"),
];

const IN_TRON: &[Change] = &[
    ("selection", "laschet", &[], "flat"),
    ("exploration", "laschet", &[], "1"),
    ("bound", "laschet", &[], "tuned"),
    ("child_trials", "laschet", &["node_trials=0"], "9"),
    ("node_trials", "laschet", &[], "0"),
    ("first_play", "laschet", &["node_trials=0", "exploration=0"], "0.9"),
    ("history_weight", "laschet", &[], "1"),
    ("bias_weight", "laschet", &["ngram=average"], "5"),
    ("ulm", "laschet", &["ngram=average"], "unvisited"),
    ("proofs", "laschet", &["exploration=1"], "true"),
    ("final_move", "laschet", &["selection=flat"], "robust"),
    ("secure_a", "laschet", &["node_trials=1000000"], "50"),
    ("leaf_batch", "laschet", &[], "8"),
    ("seed", "laschet", &[], "2"),
    ("expand_after", "laschet", &[], "7"),
    ("reuse_tree", "laschet", &[], "false"),
    ("playouts", "laschet", &[], "2"),
    ("playout_cut", "laschet", &[], "6"),
    ("ties_win", "laschet", &[], "true"),
    ("lgr", "laschet", &[], "lgrf2"),
    ("lgr_keep", "laschet", &["lgr=lgr1"], "false"),
    ("lgr_compare", "laschet", &["lgr=lgrf2"], "true"),
    ("ngram", "laschet", &[], "1"),
    ("ngram_epsilon", "laschet", &["ngram=1"], "0.5"),
    ("ngram_decay", "laschet", &["ngram=1"], "0"),
    ("ngram_threshold", "laschet", &["ngram=1"], "20"),
    ("leaf_mix", "laschet", &[], "0.5"),
    ("stacked", "laschet", &[], "true"),
    ("ngram_sequence", "laschet", &["ngram=average"], "true"),
    ("separation_cut", "laschet", &[], "true"),
    ("leaf_value", "laschet", &[], "true"),
];

/// What is no matter of a short search with one thread: `havannah::weights` has the file of patterns,
/// `tests/engine.rs` the memory, `tests/parallel.rs` the threads, `tests/player.rs` and the transcripts
/// what a player does besides searching.
const OUTSIDE: [&str; 8] = [
    "pattern_file",
    "memory",
    "threads",
    "cores",
    "parallel",
    "virtual_loss",
    "root_exchange",
    "leaf_stop",
];

/// What a search finds, and one after its best move.
type Reporter = Vec<(Option<Move>, Vec<MoveReport>)>;

/// What an engine finds at the empty board of base 3, and after its best move. (There, random games
/// end in a draw now and then.)
fn search_havannah(params: &Params) -> Reporter {
    let mut engine = HavannahEngine::new(3, Isa::best(), params).expect("a base");
    let mut found = Vec::new();
    for _ in 0..2 {
        let report = engine.analyze(&limits(), &AtomicBool::new(false), None);
        let cell = engine.geometry().cell_of(report.best.expect("a move"));
        engine.place(engine.to_move(), cell).expect("a legal move");
        found.push((report.best, report.moves));
    }
    found
}

/// What an engine finds on a small map, and after a step.
fn search_tron(params: &Params) -> Reporter {
    let map = "6 6\n      \n 1    \n      \n   #  \n    2 \n      \n";
    let map = map.parse::<Map>().expect("a map");
    let mut engine = tron_engine(&map, Isa::best(), params).expect("settings for Tron");
    let mut found = Vec::new();
    for _ in 0..2 {
        let (way, report) = engine.choose(0, &limits(), &AtomicBool::new(false));
        engine.play([way, Direction::North]);
        found.push((report.best, report.moves));
    }
    found
}

fn limits() -> Limits {
    Limits { playouts: Some(4000), ..Limits::default() }
}

/// Tries the parameters of a game.
fn check(game: Games, changes: &[Change], search: impl Fn(&Params) -> Reporter) {
    let rows = Params::default().rows();
    let rows = rows.iter().filter(|row| row.games == Games::Both || row.games == game);
    let names = rows.filter(|row| row.group != Group::Player).map(|row| row.name);
    let listed: Vec<&str> = names.filter(|name| !OUTSIDE.contains(name)).collect();
    let tried: Vec<&str> = changes.iter().map(|(name, ..)| *name).collect();
    assert_eq!(tried, listed, "one change for each parameter, in the order of the list");
    for (name, preset, around, value) in changes {
        let mut params = Params::preset(preset).expect("a preset");
        around.iter().try_for_each(|setting| params.assign(setting)).expect("settings");
        let before = search(&params);
        assert_eq!(search(&params), before, "{name}");
        params.set(name, value).expect("a value");
        assert_ne!(search(&params), before, "{name}={value} changes nothing");
    }
}

#[test]
fn every_parameter_changes_the_search_of_havannah() {
    check(Games::Havannah, IN_HAVANNAH, search_havannah);
}

#[test]
fn every_parameter_changes_the_search_of_tron() {
    check(Games::Tron, IN_TRON, search_tron);
}
