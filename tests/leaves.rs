//! The value of a leaf: by evaluation, by playouts, by a mixture; in batches; and prior probabilities.
//!
//! The game is one of moves that change nothing: it has as many moves at every ply, and ends after a
//! number of plies. Its evaluation, its playouts and its policy are what a test says.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use ciclon::internals::bits::Isa;
use ciclon::internals::game::{
    Children, DRAW, LeafWork, MOVE_WORDS, Move, MoveWords, Position, Prospect, Value,
};
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::{Bound, Params};
use ciclon::internals::rng::Rng;
use ciclon::internals::search::{Limits, Report, Reporter};

const MOVES: usize = 10;
const PLIES: usize = 40;

/// What was asked of the leaf work of all threads.
#[derive(Default)]
struct Asked {
    /// The lines of each batch that was evaluated.
    batches: Vec<Vec<Vec<Move>>>,
    playouts: usize,
}

#[derive(Clone)]
struct Judged {
    ply: usize,
    evaluation: f32,
    playout: Value,
    policy: Vec<f32>,
    has_prior_visits: bool,
    asked: Arc<Mutex<Asked>>,
}

impl Judged {
    fn new(evaluation: f32, playout: Value) -> Self {
        let (policy, asked) = (Vec::new(), Arc::default());
        Self { ply: 0, evaluation, playout, policy, has_prior_visits: false, asked }
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, Asked> {
        self.asked.lock().expect("no thread has failed")
    }
}

impl Position for Judged {
    fn to_move(&self) -> usize {
        self.ply % 2
    }

    fn result(&self) -> Option<u32> {
        (self.ply == PLIES).then_some(DRAW)
    }

    fn advance(&mut self, _: Move) {
        self.ply += 1;
    }

    fn list_moves(&self, moves: &mut Vec<Move>) {
        if self.result().is_none() {
            moves.extend((0..MOVES).map(Move::new));
        }
    }

    fn move_span(&self) -> usize {
        MOVES
    }

    fn ply(&self) -> usize {
        self.ply
    }

    fn has_rave(&self) -> bool {
        false
    }

    fn name_of(&self, of: Move) -> String {
        of.number().to_string()
    }

    fn hash(&self) -> u64 {
        self.ply as u64
    }

    fn canonical_hash(&self) -> u64 {
        self.hash()
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn leaf_work(&self, _: Isa, _: &Params) -> Box<dyn LeafWork> {
        Box::new(self.clone())
    }
}

impl LeafWork for Judged {
    fn advance(&mut self, line: &[Move]) {
        self.ply += line.len();
    }

    fn look(&mut self, line: &[Move], children: Option<&mut Children>) -> Prospect {
        if self.ply + line.len() == PLIES {
            return Prospect::Over(DRAW);
        }
        if let Some(children) = children {
            children.clear();
            children.moves.extend(0..MOVES as u16);
            children.policy.extend(&self.policy);
            if self.has_prior_visits {
                children.prior_visits = 10;
                children.prior_wins.extend([9; MOVES]);
            }
        }
        Prospect::Open { forced: None }
    }

    fn evaluate(&mut self, lines: &[Vec<Move>], values: &mut Vec<Option<Value>>) {
        self.asked().batches.push(lines.to_vec());
        values.extend(lines.iter().map(|_| Some(Value::of_share(self.evaluation))));
    }

    unsafe fn run(&mut self, _: &[Move], _: &mut Rng) -> Value {
        self.asked().playouts += 1;
        self.playout
    }

    fn made(&self) -> [MoveWords; 2] {
        [[0; MOVE_WORDS]; 2]
    }

    fn list_values(&self, _: &[Move], moves: &[u16], values: &mut Vec<Option<f32>>) {
        values.extend(moves.iter().map(|_| None));
    }
}

/// Settings with every leaf expanded at its first visit.
fn settings(changes: &[&str]) -> Params {
    let mut params = Params { memory: 16, ..Params::preset("uct").expect("a preset") };
    params.expand_after = 0;
    params.child_trials = 0;
    changes.iter().for_each(|change| params.assign(change).expect("a setting"));
    params
}

fn search(game: &Judged, changes: &[&str], playouts: u64) -> Report {
    let mut search = Mcts::new(Isa::best(), &settings(changes), game.boxed());
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    search.run(&limits, &AtomicBool::new(false), &mut |_| {});
    assert_eq!(search.playout_count(), playouts);
    let report = search.report(std::time::Duration::ZERO);
    // No visit of virtual loss is left.
    let visits: u32 = report.moves.iter().map(|found| found.visits).sum();
    assert_eq!(u64::from(visits), playouts, "{changes:?}");
    report
}

#[test]
fn the_leaves_of_a_batch_are_evaluated_together() {
    let game = Judged::new(0.75, Value::LOSS);
    let report = search(&game, &["leaf_mix=1", "leaf_batch=8", "virtual_loss=3"], 500);
    let asked = game.asked();
    assert_eq!(asked.playouts, 0, "a weight of 1 leaves nothing to playouts");
    let sizes: Vec<usize> = asked.batches.iter().map(Vec::len).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 500);
    // Searches look at the clock after 64 leaves, which are eight batches; the last one has the rest.
    assert!(sizes[..62].iter().all(|size| *size == 8), "{sizes:?}");
    assert_eq!(sizes[62..], [4]);
    // The value of every leaf is three quarters to the first side.
    assert!((report.value - 0.75).abs() < 1e-6, "{}", report.value);
}

#[test]
fn virtual_loss_keeps_the_leaves_of_a_batch_apart() {
    let different = |virtual_loss: &str| {
        let game = Judged::new(0.5, Value::LOSS);
        search(&game, &["leaf_mix=1", "leaf_batch=8", "exploration=0.1", virtual_loss], 512);
        let asked = game.asked();
        let count = |batch: &Vec<Vec<Move>>| {
            let mut lines = batch.clone();
            lines.sort();
            lines.dedup();
            lines.len()
        };
        asked.batches.iter().map(count).sum::<usize>() as f64 / asked.batches.len() as f64
    };
    let (without, with) = (different("virtual_loss=0"), different("virtual_loss=1"));
    // (Ties are drawn at random, so that even without virtual loss not all are the same.)
    assert!(with == 8.0 && without < 7.5, "{with} and {without} different leaves of 8");
}

#[test]
fn a_mixture_has_its_share_of_each() {
    for (mix, expected) in [(0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (1.0, 1.0)] {
        let game = Judged::new(1.0, Value::LOSS);
        let report = search(&game, &[&format!("leaf_mix={mix}"), "leaf_batch=4"], 300);
        assert!((report.value - expected).abs() < 1e-6, "{mix}: {}", report.value);
        let asked = game.asked();
        assert_eq!(asked.playouts, if mix == 1.0 { 0 } else { 300 }, "{mix}");
        assert_eq!(asked.batches.is_empty(), mix == 0.0, "{mix}");
    }
}

#[test]
fn batches_and_threads_go_together() {
    for parallel in ["parallel=tree", "parallel=root", "parallel=leaf"] {
        for batch in ["leaf_batch=1", "leaf_batch=5"] {
            let game = Judged::new(0.25, Value::WIN);
            let report = search(&game, &["leaf_mix=0.5", "threads=2", parallel, batch], 3000);
            assert!((report.value - 0.625).abs() < 1e-6, "{parallel} {batch}: {}", report.value);
        }
    }
}

#[test]
fn visits_follow_prior_probabilities() {
    let mut game = Judged::new(0.5, Value::LOSS);
    game.policy = vec![0.02, 0.02, 0.5, 0.02, 0.02, 0.02, 0.3, 0.02, 0.06, 0.02];
    let changes = ["bound=puct", "exploration=2", "leaf_mix=1", "leaf_batch=4"];
    let report = search(&game, &changes, 4000);
    for found in &report.moves {
        let prior = f64::from(game.policy[found.next.number()]);
        let reported = found.prior.expect("the search goes by it");
        assert!((reported - prior).abs() < 1e-4, "{reported} for {prior}");
        assert_eq!(found.rave, None, "a prior is no RAVE value");
        // Where all values are equal, visits are in proportion to the priors.
        let share = f64::from(found.visits) / 4000.0;
        assert!((share - prior).abs() < 0.02, "{share} of the visits for {prior}");
    }
}

#[test]
fn prior_probabilities_are_no_prior_visits() {
    for parallel in ["parallel=tree", "parallel=root"] {
        let game = Judged { has_prior_visits: true, ..Judged::new(0.25, Value::LOSS) };
        let changes = ["bound=puct", "exploration=2", "leaf_mix=1", "threads=2", parallel];
        for found in search(&game, &changes, 3000).moves {
            let rate = found.win_rate.expect("every move is tried");
            assert!((rate - 0.25).abs() < 1e-6, "{parallel}: {rate}");
        }
    }
}

#[test]
fn priors_without_a_policy_are_equal() {
    let game = Judged::new(0.5, Value::LOSS);
    let report = search(&game, &["bound=puct", "exploration=2", "leaf_mix=1"], 1000);
    assert_eq!(report.moves.len(), MOVES);
    for found in &report.moves {
        assert!((found.prior.expect("a prior") - 0.1).abs() < 1e-4);
        assert!((99..=101).contains(&found.visits), "{}", found.visits);
    }
}

#[test]
fn priors_and_rave_do_not_go_together() {
    let params = Params { bound: Bound::Puct, ..Params::preset("rave").expect("a preset") };
    let error = params.for_havannah().expect_err("both need the same cell");
    assert_eq!(error.to_string(), "'alpha' is no value for rave (with bound=puct: off)");
}
