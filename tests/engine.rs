//! The engine across moves: the same tree from the same seed, memory that is kept, statistics
//! that survive a move, and limits.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ciclon::internals::bits::Isa;
use ciclon::internals::engine::{Engine, IllegalMove};
use ciclon::internals::game::{Move, Position};
use ciclon::internals::havannah::{Board, Geometry, Notation, picture};
use ciclon::internals::mcts::Mcts;
use ciclon::internals::params::Params;
use ciclon::internals::search::{Ending, Limits, MoveReport, Report, Reporter, Search};
use ciclon::internals::tree::{Handle, RaveCount, Status, Tree};

const TREE_PRESETS: [&str; 3] = ["uct", "rave", "rave130"];

/// Playouts of a number that is meant for release builds.
fn playouts(count: u64) -> u64 {
    if cfg!(debug_assertions) { count / 10 } else { count }
}

/// An engine for Havannah whose tree can be looked at between searches.
pub struct OpenEngine {
    engine: Engine<Board>,
    mcts: Arc<Mutex<Mcts>>,
}

/// The search of an [`OpenEngine`].
struct SharedSearch(Arc<Mutex<Mcts>>);

impl SharedSearch {
    fn mcts(&self) -> MutexGuard<'_, Mcts> {
        self.0.lock().expect("no search panicked")
    }
}

impl Reporter for SharedSearch {
    fn report(&self, time: Duration) -> Report {
        self.mcts().report(time)
    }
}

impl Search for SharedSearch {
    fn advance(&mut self, line: &[Move]) {
        self.mcts().advance(line);
    }

    fn run(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&dyn Reporter),
    ) -> Ending {
        self.mcts().run(limits, stop, progress)
    }
}

impl OpenEngine {
    /// An engine at the empty board of a size.
    pub fn new(size: usize, isa: Isa, params: &Params) -> Self {
        let (board, params) = (Board::new(size).expect("a base"), params.clone());
        let mcts = Arc::new(Mutex::new(Mcts::new(isa, &params, board.boxed())));
        let shared = Arc::clone(&mcts);
        let new_search = move |board: &Board| -> Box<dyn Search> {
            let search = SharedSearch(Arc::clone(&shared));
            *search.mcts() = Mcts::new(isa, &params, board.boxed());
            Box::new(search)
        };
        Self { engine: Engine::new(board, new_search), mcts }
    }

    /// The search, as far as it has caught up with the game.
    pub fn search(&self) -> MutexGuard<'_, Mcts> {
        self.mcts.lock().expect("no search panicked")
    }
}

impl Deref for OpenEngine {
    type Target = Engine<Board>;

    fn deref(&self) -> &Engine<Board> {
        &self.engine
    }
}

impl DerefMut for OpenEngine {
    fn deref_mut(&mut self) -> &mut Engine<Board> {
        &mut self.engine
    }
}

fn preset(name: &str) -> Params {
    Params { memory: 16, ..Params::preset(name).expect("a preset") }
}

fn limit(playouts: u64) -> Limits {
    Limits { playouts: Some(playouts), ..Limits::default() }
}

fn analyze(engine: &mut OpenEngine, limits: &Limits) -> Report {
    engine.analyze(limits, &AtomicBool::new(false), &mut |_| {})
}

/// The move that a report calls best.
fn best_of(report: &Report, board: &Board) -> Move {
    let best = report.best.expect("the game goes on");
    assert!(board.legal_moves().contains(&best), "{best:?}\n{board}");
    best
}

#[test]
fn a_seed_gives_the_same_tree_on_every_instruction_set() {
    fn check(size: usize) {
        for (name, _) in Params::PRESETS {
            let run = |isa: Isa, seed: u64| -> (Vec<MoveReport>, usize, Vec<Move>) {
                let mut engine = OpenEngine::new(size, isa, &Params { seed, ..preset(name) });
                let report = analyze(&mut engine, &limit(playouts(20_000)));
                (report.moves, report.stats.nodes, report.pv)
            };
            let expected = run(Isa::PORTABLE, 1);
            assert!(expected.0.len() > 1, "base {size} {name}");
            for isa in Isa::available() {
                assert_eq!(run(isa, 1), expected, "base {size} {name} {isa}");
            }
            assert_ne!(run(Isa::best(), 2), expected, "base {size} {name}: another seed");
        }
    }
    for size in [4, 5, 8, 10] {
        check(size);
    }
}

/// A node and everything below it.
#[derive(PartialEq, Debug)]
struct Node {
    number: u16,
    visits: u32,
    wins: u32,
    rave: RaveCount,
    status: Status,
    proof_depth: Option<u32>,
    children: Vec<Node>,
}

fn nodes(tree: &Tree, handle: Option<Handle>) -> Vec<Node> {
    let Some(block) = handle.map(|handle| tree.block(handle)) else {
        return Vec::new();
    };
    let node = |index: usize| Node {
        number: block.moves[index],
        visits: block.visits(index),
        wins: block.wins(index),
        rave: block.rave(index),
        status: block.status(index),
        proof_depth: block.proof_depth(index),
        children: nodes(tree, block.child(index)),
    };
    (0..block.count()).map(node).collect()
}

fn count(nodes: &[Node]) -> usize {
    nodes.iter().map(|node| 1 + count(&node.children)).sum()
}

/// Plays a game against itself and looks at what each move leaves of the tree; moves after which
/// something was left.
fn play_game(size: usize, params: &Params, playouts: u64) -> usize {
    let mut engine = OpenEngine::new(size, Isa::best(), params);
    let mut moves_that_kept = 0;
    while engine.position().result().is_none() {
        let report = analyze(&mut engine, &limit(playouts));
        let next = best_of(&report, engine.position());
        let search = engine.search();
        let before = search.tree().counts();
        let all = nodes(search.tree(), search.tree().children());
        drop(search);
        assert_eq!(count(&all), before.nodes);
        let kept = all.into_iter().find(|node| usize::from(node.number) == next.number());
        let kept = kept.map_or(Vec::new(), |node| node.children);
        let kept = if params.reuse_tree { kept } else { Vec::new() };

        engine.play(next).expect("a legal move");
        engine.catch_up();
        engine.search().sweep();

        let search = engine.search();
        let tree = search.tree();
        let after = tree.counts();
        assert_eq!(nodes(tree, tree.children()), kept, "\n{}", engine.position());
        assert_eq!((after.nodes, after.kept), (count(&kept), count(&kept)));
        assert_eq!(after.recycled - before.recycled, before.nodes - count(&kept));
        assert!(tree.bytes() <= (params.memory as usize) << 20);
        moves_that_kept += usize::from(!kept.is_empty());
    }
    let report = analyze(&mut engine, &limit(playouts));
    assert_eq!((report.best, report.stats.playouts, report.stats.nodes), (None, 0, 0));
    assert!(report.moves.is_empty() && report.pv.is_empty());
    moves_that_kept
}

#[test]
fn a_move_keeps_the_statistics_below_it() {
    for name in TREE_PRESETS {
        // With much room the tree is copied; with the least there is, moved in place.
        for memory in [1, 32] {
            let params = Params { memory, expand_after: 2, ..preset(name) };
            assert!(play_game(5, &params, playouts(30_000)) > 3, "{name}");
        }
    }
    let params = Params { reuse_tree: false, ..preset("rave") };
    assert_eq!(play_game(4, &params, 300), 0);
    assert_eq!(play_game(4, &preset("flat"), 300), 0);
}

#[test]
fn memory_is_kept_to() {
    fn check(size: usize, name: &str, playouts: u64) {
        let params = Params { memory: 1, expand_after: 0, ..preset(name) };
        let mut engine = OpenEngine::new(size, Isa::best(), &params);
        let (mut most, mut last_playouts) = (0, 0);
        let report = engine.analyze(&limit(playouts), &AtomicBool::new(false), &mut |found| {
            let found = found.report(Duration::ZERO);
            most = most.max(found.stats.bytes);
            assert!(found.stats.playouts > last_playouts);
            last_playouts = found.stats.playouts;
        });
        let context = || format!("base {size} {name}\n{report:#?}");
        assert_eq!(most, 1 << 20, "{}", context());
        assert_eq!(report.stats.playouts, playouts, "{}", context());
        assert!(
            report.stats.recycled > report.stats.nodes && report.stats.nodes > 0,
            "{}",
            context()
        );
        let visits: u64 = report.moves.iter().map(|found| u64::from(found.visits)).sum();
        assert_eq!(visits, playouts, "{}", context());
        let rates = report.moves.iter().filter_map(|found| found.win_rate);
        assert!(
            rates.chain([report.value]).all(|rate| (0.0..=1.0).contains(&rate)),
            "{}",
            context()
        );
        // The tree is in use, not only kept.
        assert!(report.stats.depth > 2 && report.pv.len() > 1, "{}", context());
        let search = engine.search();
        let tree = search.tree();
        assert_eq!(count(&nodes(tree, tree.children())), tree.counts().nodes);
        check_in_steps(size, &params, playouts);
    }

    /// The same search, with a look at the blocks after every batch.
    fn check_in_steps(size: usize, params: &Params, playouts: u64) {
        const BATCH: u64 = 64;
        let mut engine = OpenEngine::new(size, Isa::best(), params);
        let (mut most, mut most_in_blocks) = (0, 0);
        for _ in 0..playouts / BATCH {
            assert_eq!(analyze(&mut engine, &limit(BATCH)).stats.playouts, BATCH);
            let search = engine.search();
            most = most.max(search.tree().bytes()).max(search.tree().block_bytes());
            most_in_blocks = most_in_blocks.max(search.tree().block_bytes());
        }
        assert_eq!(most, 1 << 20, "base {size}");
        assert!(most_in_blocks > 1 << 19, "base {size}: {most_in_blocks}");
    }
    for name in TREE_PRESETS {
        check(6, name, playouts(300_000));
        check(8, name, playouts(200_000));
    }
}

#[test]
fn playouts_are_counted_exactly() {
    for (name, _) in Params::PRESETS {
        for playouts in [0, 1, 63, 64, 65, 1000] {
            let mut engine = OpenEngine::new(5, Isa::best(), &preset(name));
            let report = analyze(&mut engine, &limit(playouts));
            assert_eq!(
                (report.stats.playouts, engine.ending()),
                (playouts, Some(Ending::Limit)),
                "{name}"
            );
            assert_eq!(u64::from(engine.search().tree().root().visits), playouts, "{name}");
        }
        // Several for each visit: the last visit is not cut short.
        let params = Params { playouts: 7, ..preset(name) };
        let mut engine = OpenEngine::new(5, Isa::best(), &params);
        let report = analyze(&mut engine, &limit(1000));
        assert!((1000..1007).contains(&report.stats.playouts), "{name}: {}", report.stats.playouts);
    }
}

/// Settings where an answer might take long: garbage is collected all the time, or a visit of a
/// leaf is a thousand playouts.
fn slow_settings() -> Vec<(&'static str, Params)> {
    vec![
        ("as ever", preset("rave")),
        ("least memory", Params { memory: 1, expand_after: 0, ..preset("rave") }),
        ("much memory", Params { memory: 64, expand_after: 0, ..preset("uct") }),
        ("many playouts", Params { playouts: 1000, ..preset("rave130") }),
    ]
}

/// How late an answer may be. Builds for debugging are slower by far.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 250 } else { 50 });

/// The least of some measurements: what another program takes of the machine is not ours.
fn least(attempts: usize, measure: impl FnMut() -> Duration) -> Duration {
    std::iter::repeat_with(measure).take(attempts).min().expect("an attempt")
}

#[test]
fn time_is_kept_to() {
    for (name, params) in slow_settings() {
        let time = Duration::from_millis(120);
        let late = least(3, || {
            let mut engine = OpenEngine::new(10, Isa::best(), &params);
            let limits = Limits { time: Some(time), ..Limits::default() };
            let begin = Instant::now();
            let report = analyze(&mut engine, &limits);
            let elapsed = begin.elapsed();
            assert_eq!(engine.ending(), Some(Ending::Limit), "{name}");
            assert!(elapsed >= time && report.stats.playouts > 0, "{name}: {elapsed:?}");
            elapsed - time
        });
        assert!(late < PATIENCE, "{name}: {late:?} late");
    }
}

#[test]
fn a_search_can_be_stopped() {
    for (name, params) in slow_settings() {
        let late = least(3, || {
            let stop = AtomicBool::new(false);
            let mut engine = OpenEngine::new(10, Isa::best(), &params);
            std::thread::scope(|scope| {
                let stopped = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(120));
                    stop.store(true, Ordering::Relaxed);
                    Instant::now()
                });
                engine.analyze(&Limits::default(), &stop, &mut |_| {});
                let answered = Instant::now();
                assert_eq!(engine.ending(), Some(Ending::Stopped), "{name}");
                answered - stopped.join().expect("the thread that stops")
            })
        });
        assert!(late < PATIENCE, "{name}: {late:?} late");
    }
    let mut engine = OpenEngine::new(5, Isa::best(), &preset("rave"));
    let report = engine.analyze(&Limits::default(), &AtomicBool::new(true), &mut |_| {});
    assert_eq!((report.stats.playouts, engine.ending()), (0, Some(Ending::Stopped)));
    assert!(report.best.is_some(), "a search that was stopped at once still moves");
}

const FORCED: &str = "
       X X . X
      . . . . .
     . . . . . .
    . O . . . . .
     . . . . O .
      . . O . .
       . . . .";

#[test]
fn an_only_move_is_played_without_search() {
    let geometry = Geometry::of_size(4).expect("a base");
    let board = picture::read_board(geometry, FORCED).expect("a picture");
    let a3 = geometry.read_cell(Notation::Letternum, "a3").expect("a cell");
    for (name, _) in Params::PRESETS {
        let params = Params { look_ahead: true, ..preset(name) };
        let mut engine = OpenEngine::new(4, Isa::best(), &params);
        engine.set_position(board);
        let report = analyze(&mut engine, &limit(1000));
        let found = (engine.ending(), report.stats.playouts, report.best);
        assert_eq!(
            found,
            (Some(Ending::OnlyMove), 0, Some(geometry.move_to(a3))),
            "{name}\n{board}"
        );
        let limits = Limits { until_solved: true, ..limit(1000) };
        assert!(analyze(&mut engine, &limits).stats.playouts > 0, "{name}\n{board}");
    }
}

#[test]
fn moves_are_made_and_taken_back() {
    let mut engine = OpenEngine::new(4, Isa::best(), &preset("rave"));
    let empty = *engine.position();
    assert!(!engine.undo());
    let geometry = Geometry::of_size(4).expect("a base");
    let first = geometry.move_to(geometry.cells()[0]);
    engine.play(first).expect("a legal move");
    let after = *engine.position();
    assert_ne!(after, empty);
    for illegal in [first, Move::new(10_000), Move::new(0xffff)] {
        assert_eq!(engine.play(illegal), Err(IllegalMove));
        assert_eq!(*engine.position(), after);
    }
    analyze(&mut engine, &limit(100));
    assert!(engine.undo());
    assert_eq!(*engine.position(), empty);
    assert!(!engine.undo());
    let report = analyze(&mut engine, &limit(100));
    assert_eq!(report.stats.playouts, 100);

    // What was never looked at is taken back without loss.
    let nodes = engine.search().tree().counts().nodes;
    engine.play(first).expect("a legal move");
    assert!(engine.undo() && nodes > 0);
    engine.catch_up();
    assert_eq!((*engine.position(), engine.search().tree().counts().nodes), (empty, nodes));

    // After a position was set there is nothing to take back, and nothing known of another.
    engine.play(first).expect("a legal move");
    let mut other = Board::of(geometry);
    other.place(geometry.cell_of(best_of(&report, &empty)));
    engine.set_position(other);
    assert_eq!(engine.search().tree().counts().nodes, 0);
    assert!(!engine.undo());
}
