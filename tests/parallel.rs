//! Several threads: limits are kept, proofs are exact, trees are whole, memory is shared; and one thread
//! is what it was.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ciclon::internals::bits::Isa;
use ciclon::internals::game::{Position, Value};
use ciclon::internals::params::Params;
use ciclon::internals::search::{Ending, Limits, Report, SearchStats};
use ciclon::internals::tree::{Handle, Status, Tree};

use crate::engine::OpenEngine;

/// What a thread counts for itself before others see it, early in a search: as many visits may a node have
/// before any thread sees that it is due to get children.
const BATCH: u32 = 64;

const WAYS: [&str; 3] = ["tree", "root", "leaf"];

fn settings(preset: &str, settings: &[&str]) -> Params {
    let mut params = Params { memory: 16, ..Params::preset(preset).expect("a preset") };
    settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
    params
}

fn with_threads(preset: &str, way: &str, threads: usize) -> Params {
    settings(preset, &[&format!("parallel={way}"), &format!("threads={threads}")])
}

fn engine(size: usize, params: &Params) -> OpenEngine {
    OpenEngine::new(size, Isa::best(), params)
}

fn playouts(playouts: u64) -> Limits {
    Limits { playouts: Some(playouts), ..Limits::default() }
}

fn analyze(engine: &mut OpenEngine, limits: &Limits) -> Report {
    engine.analyze(limits, &AtomicBool::new(false), &mut |_| {})
}

/// All that a search found, but for the time it took.
fn without_time(report: Report) -> Report {
    let stats = SearchStats { seconds: 0.0, per_second: 0.0, ..report.stats };
    Report { stats, ..report }
}

/// The blocks of a tree, with the node that each hangs on.
fn blocks(tree: &Tree) -> Vec<(Option<(Handle, usize)>, Handle)> {
    let mut found: Vec<_> = tree.children().map(|top| (None, top)).into_iter().collect();
    let mut looked_at = 0;
    while let Some((_, handle)) = found.get(looked_at).copied() {
        let children: Vec<_> = tree.block(handle).children().collect();
        found.extend(children.into_iter().map(|(index, child)| (Some((handle, index)), child)));
        looked_at += 1;
    }
    found
}

/// Every number of a tree that no thread is in: what children have adds up, and what is proven follows
/// from what is below it. The visits that a node had before it had children, and those of threads that
/// were there at that time, are in the range.
fn check_tree(tree: &Tree, limit: usize, own: RangeInclusive<u32>) {
    let blocks = blocks(tree);
    let counts = tree.counts();
    assert_eq!(counts.blocks, blocks.len());
    let nodes: usize = blocks.iter().map(|(_, handle)| tree.block(*handle).count()).sum();
    assert_eq!(counts.nodes, nodes);
    assert!(tree.bytes() <= limit, "{} of {limit} bytes", tree.bytes());
    for (parent, handle) in blocks {
        let block = tree.block(handle);
        let visits: u32 = (0..block.count()).map(|index| block.real_visits(index)).sum();
        let follows = Status::best(block.statuses()).turned();
        match parent {
            None => {
                assert_eq!(follows.and(tree.root_status()), tree.root_status(), "a proof was lost");
            }
            Some((above, index)) => {
                let above = tree.block(above);
                let of_node = above.real_visits(index);
                assert!(visits <= of_node, "children have {visits} visits, the node {of_node}");
                assert!(own.contains(&(of_node - visits)), "{of_node} - {visits} not in {own:?}");
                let known = above.status(index);
                assert!(!known.is_proven(), "a proven node has children");
                assert_eq!(follows.and(known), known, "a proof was lost");
            }
        }
        for index in 0..block.count() {
            assert!(block.wins(index) <= Value::WIN.parts() * block.visits(index));
            let rave = block.rave(index);
            assert!(rave.points() <= 2 * rave.visits(), "{rave:?}");
        }
    }
}

/// The visits that nodes of a tree have before they have children: a thread may take those that others add
/// on their way down for visits, and they may go on to the children; or it sees theirs late.
fn own_visits(params: &Params) -> RangeInclusive<u32> {
    let others = params.threads - 1;
    let least = params.expand_after.saturating_sub(others * params.virtual_loss);
    least..=params.expand_after + BATCH * params.threads
}

/// The visits of the root's children by playouts.
fn visits_below_root(tree: &Tree) -> u64 {
    let block = tree.block(tree.children().expect("children"));
    (0..block.count()).map(|index| u64::from(block.real_visits(index))).sum()
}

/// With one thread it does not matter what threads would share (what it finds is in the signature).
#[test]
fn one_thread_is_the_sequential_search() {
    for preset in ["rave", "tournament", "lorentz"] {
        let found = WAYS.map(|way| {
            let mut engine = engine(4, &with_threads(preset, way, 1));
            without_time(analyze(&mut engine, &playouts(3000)))
        });
        assert_eq!(found[0], found[1], "{preset}");
        assert_eq!(found[0], found[2], "{preset}");
    }
}

/// A limit in playouts is kept to the playout, and no visit is lost.
#[test]
fn playouts_are_counted_exactly() {
    for preset in ["uct", "rave", "tournament"] {
        for way in WAYS {
            for threads in [2, 5] {
                for limit in [1, 7, 2000] {
                    let params = with_threads(preset, way, threads);
                    let mut engine = engine(4, &params);
                    let report = analyze(&mut engine, &playouts(limit));
                    let context = format!("{preset}, {way}, {threads} threads, {limit} playouts");
                    // The playouts of a leaf are made together.
                    let most = if way == "leaf" { limit + threads as u64 - 1 } else { limit };
                    assert!(
                        (limit..=most).contains(&report.stats.playouts),
                        "{context}: {report:#?}"
                    );
                    assert_eq!(report.stats.threads, threads);
                    let search = engine.search();
                    let tree = search.tree();
                    assert_eq!(visits_below_root(tree), report.stats.playouts, "{context}");
                    assert_eq!(u64::from(tree.root().visits), report.stats.playouts, "{context}");
                    // What several trees counted at the root is in no single one of them.
                    let own = if way == "root" { 0..=u32::MAX } else { own_visits(&params) };
                    check_tree(tree, 16 << 20, own);
                }
            }
        }
    }
}

/// Threads that count for themselves over several batches lose nothing either.
#[test]
fn no_visit_is_lost_in_a_long_search() {
    for preset in ["uct", "rave", "tournament", "ppr"] {
        for threads in [2, 3] {
            let mut params = with_threads(preset, "tree", threads);
            params.memory = 64;
            let mut engine = engine(4, &params);
            let report = analyze(&mut engine, &playouts(60_000));
            let search = engine.search();
            let tree = search.tree();
            assert_eq!(report.stats.playouts, 60_000);
            assert_eq!(
                visits_below_root(tree),
                report.stats.playouts,
                "{preset}, {threads} threads"
            );
            check_tree(tree, 64 << 20, own_visits(&params));
        }
    }
}

/// The time is kept, and `stop` is heard.
#[test]
fn time_and_stop_are_kept() {
    for way in WAYS {
        let mut engine = engine(6, &with_threads("rave", way, 3));
        let begin = Instant::now();
        let time = Duration::from_millis(100);
        let report = analyze(&mut engine, &Limits { time: Some(time), ..Limits::default() });
        assert!(begin.elapsed() >= time && begin.elapsed() < 20 * time, "{:?}", begin.elapsed());
        assert!(report.stats.playouts > 0);
        assert_eq!(engine.ending(), Some(Ending::Limit));

        let stop = AtomicBool::new(false);
        let mut calls = 0;
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(time);
                stop.store(true, Ordering::Relaxed);
            });
            engine.analyze(&Limits::default(), &stop, &mut |found| {
                // What is shown while threads are at work is possible, if not all of one moment.
                let report = found.report(time);
                assert!((0.0..=1.0).contains(&report.value), "{}", report.value);
                calls += 1;
            });
        });
        assert_eq!(engine.ending(), Some(Ending::Stopped), "{way}");
        assert!(calls > 0, "{way}: progress is shown while threads are at work");
    }
}

/// A game of an engine with threads against itself: the tree is kept from move to move, and is whole.
#[test]
fn trees_are_kept_from_move_to_move() {
    for way in WAYS {
        let mut engine = engine(4, &with_threads("tournament", way, 3));
        let mut kept = 0;
        while engine.position().result().is_none() {
            let report = analyze(&mut engine, &playouts(600));
            kept += usize::from(report.stats.kept > 0);
            check_tree(engine.search().tree(), 16 << 20, 0..=u32::MAX);
            engine.play(report.best.expect("a move")).expect("a legal move");
        }
        assert!(kept > 0, "{way}");
    }
}

/// Base 3 is solved by any number of threads, with the same value.
#[test]
fn threads_solve_what_one_solves() {
    for way in WAYS {
        for threads in [1, 2, 4] {
            let params = Params { symmetry_plies: 4, ..with_threads("rave", way, threads) };
            let mut engine = engine(3, &params);
            let limits = Limits { until_solved: true, ..Limits::default() };
            let report = analyze(&mut engine, &limits);
            assert_eq!(report.status, Status::WON, "{way}, {threads} threads");
            assert_eq!(engine.ending(), Some(Ending::Solved));
            assert!(report.proof_depth.is_some());
            let best = report.moves.iter().find(|found| Some(found.next) == report.best);
            assert_eq!(best.expect("the best move").status, Status::WON);
        }
    }
}

/// The counts of the root's moves are those of all trees together, whether they are exchanged at the end
/// or meanwhile; and a search goes on from there.
#[test]
fn trees_of_threads_are_summed_up() {
    for exchange in ["root_exchange=0", "root_exchange=1"] {
        let params = settings("tournament", &["threads=3", "parallel=root", exchange]);
        let mut engine = engine(5, &params);
        let first = analyze(&mut engine, &playouts(4000)).stats.playouts;
        assert_eq!(visits_below_root(engine.search().tree()), first, "{exchange}");
        let second = analyze(&mut engine, &playouts(4000)).stats.playouts;
        assert_eq!(visits_below_root(engine.search().tree()), first + second, "{exchange}");
        assert_eq!(u64::from(engine.search().tree().root().visits), first + second);
    }
}

/// Threads have a tree each, or one together.
#[test]
fn threads_have_trees_as_they_should() {
    for (way, has_one) in [("tree", true), ("root", false), ("leaf", true)] {
        let mut engine = engine(4, &with_threads("rave", way, 3));
        let report = analyze(&mut engine, &playouts(3000));
        assert_eq!(report.stats.nodes == engine.search().tree().counts().nodes, has_one, "{way}");
    }
}

/// Counts are exchanged while threads are at work if that is wanted: then one tree knows of all visits
/// before the end.
#[test]
fn trees_exchange_counts_meanwhile() {
    for (exchange, expected) in [("root_exchange=5", true), ("root_exchange=0", false)] {
        let params = settings("rave", &["threads=4", "parallel=root", exchange]);
        let mut engine = engine(5, &params);
        let limits = Limits { time: Some(Duration::from_millis(400)), ..Limits::default() };
        let mut most = 0.0_f64;
        engine.analyze(&limits, &AtomicBool::new(false), &mut |found| {
            // The moves are those of the first tree.
            let Report { stats: SearchStats { playouts: all, .. }, moves, .. } =
                found.report(Duration::ZERO);
            if all > 2000 {
                let below_root: u64 = moves.iter().map(|found| u64::from(found.visits)).sum();
                most = most.max(below_root as f64 / all as f64);
            }
        });
        // Its own part alone is a quarter.
        assert_eq!(most > 0.9, expected, "{exchange}: {most}");
    }
}

/// Virtual losses are seen by the other threads: large ones make a node due for children too early.
#[test]
fn virtual_losses_are_seen() {
    const V: u32 = 200;
    let expanded_early = |virtual_loss: &str| {
        let expand_after = format!("expand_after={V}");
        let params = settings("rave", &["threads=4", virtual_loss, &expand_after]);
        let mut engine = engine(4, &params);
        analyze(&mut engine, &playouts(30_000));
        let search = engine.search();
        let tree = search.tree();
        let is_early = |(parent, handle): &(Option<(Handle, usize)>, Handle)| {
            let Some((above, index)) = *parent else {
                return false;
            };
            let block = tree.block(*handle);
            let below: u32 = (0..block.count()).map(|index| block.real_visits(index)).sum();
            tree.block(above).real_visits(index) - below < V
        };
        blocks(tree).iter().any(is_early)
    };
    assert!(!expanded_early("virtual_loss=0"));
    // On one core, or a busy machine, threads meet only where one is broken off in an iteration.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert!(cores < 2 || (0..100).any(|_| expanded_early("virtual_loss=1000")));
}

/// The playouts of a leaf are made together, the same every time; where they may agree, some leaves have
/// fewer.
#[test]
fn leaves_are_simulated_together() {
    // The first two of four agree every other time.
    const EACH: u32 = 4;
    let leaf = ["threads=2", "parallel=leaf", "playouts=4"];
    let search = |settings_of_leaf: &[&str]| {
        let mut engine = engine(5, &settings("rave", settings_of_leaf));
        let report = analyze(&mut engine, &playouts(800));
        let search = engine.search();
        let tree = search.tree();
        assert_eq!(visits_below_root(tree), report.stats.playouts);
        let block = tree.block(tree.children().expect("children"));
        let is_whole = |index: usize| block.real_visits(index).is_multiple_of(EACH);
        let are_whole = (0..block.count()).all(is_whole);
        (without_time(report), are_whole)
    };
    let (first, are_whole) = search(&leaf);
    assert!(are_whole && !first.status.is_proven());
    assert_eq!(search(&leaf).0, first);
    let (_, are_whole) = search(&[&leaf[..], &["leaf_stop=true"]].concat());
    assert!(!are_whole, "every leaf had all its playouts");
}

/// Limits that leave hardly anything to do: no time at all, a single move, moves in turn.
#[test]
fn odd_limits_are_kept() {
    for way in WAYS {
        let mut hurried = engine(4, &with_threads("rave", way, 3));
        let none = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let report = analyze(&mut hurried, &none);
        assert!(report.stats.playouts > 0 && report.best.is_some(), "{way}");

        let mut flat = engine(4, &with_threads("flat", way, 3));
        assert!(analyze(&mut flat, &playouts(500)).stats.playouts >= 500, "{way}");
        assert_eq!(flat.search().tree().counts().blocks, 1, "{way}");

        // In the time of another search it is decided, and the time is not used up; unless two moves are
        // as good as each other for once.
        let mut decided = engine(4, &with_threads("rave", way, 2));
        let enough = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        analyze(&mut decided, &enough);
        let limits = Limits { stop_when_decided: true, ..enough };
        let ends_early = |_| {
            let begin = Instant::now();
            analyze(&mut decided, &limits);
            decided.ending() == Some(Ending::Decided) && begin.elapsed() < Duration::from_secs(1)
        };
        assert!((0..3).any(ends_early), "{way}");
    }
}

/// What several trees know of a position goes on from a move of theirs: the root has what its moves have.
#[test]
fn trees_of_threads_are_moved_on() {
    let mut engine = engine(4, &with_threads("rave", "root", 3));
    let report = analyze(&mut engine, &playouts(6000));
    engine.play(report.best.expect("a move")).expect("a legal move");
    analyze(&mut engine, &playouts(300));
    let search = engine.search();
    let tree = search.tree();
    assert_eq!(u64::from(tree.root().visits), visits_below_root(tree));
    assert!(tree.root().visits > 300, "something was kept");
    assert!(tree.root().wins <= Value::WIN.parts() * tree.root().visits);
}

/// Virtual losses are gone when the threads are; without any, threads count as well.
#[test]
fn virtual_losses_leave_nothing_behind() {
    for virtual_loss in ["virtual_loss=0", "virtual_loss=1", "virtual_loss=7"] {
        let params = settings("rave", &["threads=4", virtual_loss]);
        let mut engine = engine(4, &params);
        let report = analyze(&mut engine, &playouts(5000));
        assert_eq!(report.stats.playouts, 5000, "{virtual_loss}");
        // Virtual visits of others make a node due for children sooner.
        check_tree(engine.search().tree(), 16 << 20, 0..=params.expand_after + 4 * BATCH);
    }
}

/// What playouts learned is counted over all threads.
#[test]
fn policies_are_counted_over_threads() {
    for way in WAYS {
        let mut engine = engine(4, &with_threads("tournament", way, 3));
        let report = analyze(&mut engine, &playouts(3000));
        let moves: u64 = report.policies.iter().map(|row| row.moves).sum();
        assert!(moves > 3000, "{way}: {:?}", report.policies);
        assert!(report.policies.iter().any(|row| row.policy == "lgr"), "{way}");
    }
}

/// Eight threads on whatever cores there are, with hardly any memory, for some time: then every number of
/// the tree is looked at.
fn stress(time: Duration) {
    const LIMIT: usize = 1 << 20;
    let begin = Instant::now();
    let (mut searches, mut short) = (0, 0);
    while begin.elapsed() < time {
        let preset = ["rave", "uct", "tournament"][searches % 3];
        let way = if searches % 4 == 3 { "root" } else { "tree" };
        let params = Params {
            memory: 1,
            expand_after: [0, 1, 5][searches / 3 % 3],
            seed: searches as u64,
            ..with_threads(preset, way, 8)
        };
        let mut engine = engine(4, &params);
        let mut total = 0;
        for _ in 0..3 {
            let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
            let report = analyze(&mut engine, &limits);
            total += report.stats.playouts;
            engine.search().sweep();
            let search = engine.search();
            let tree = search.tree();
            short += usize::from(tree.needed_visits() > 0);
            // Children that were freed for want of memory had visits too.
            check_tree(tree, LIMIT, 0..=u32::MAX);
            assert_eq!(visits_below_root(tree), total);
        }
        searches += 1;
    }
    assert!(searches > 0 && short > 0, "{searches} searches, {short} short of memory");
}

#[test]
fn threads_share_little_memory() {
    stress(Duration::from_secs(2));
}

#[test]
#[ignore = "takes twenty seconds of all cores; .ci/run runs it"]
fn threads_share_little_memory_for_long() {
    stress(Duration::from_secs(20));
}
