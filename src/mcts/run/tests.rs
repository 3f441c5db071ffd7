//! Counts of several trees near their limits.

use super::*;
use crate::bits::Isa;
use crate::game::Value;
use crate::havannah::Board;
use crate::params::Params;
use crate::tree::Handle;

const TREES: usize = 2;
/// The move of the root that gains what a test adds.
const RAISED: usize = 1;

/// A search with two small trees. They exchange counts only when they have to.
fn grown() -> Mcts {
    let mut params = Params::preset("rave").expect("a preset");
    for setting in ["threads=2", "parallel=root", "root_exchange=0", "memory=4", "expand_after=2"] {
        params.assign(setting).expect("a setting");
    }
    let board = Board::new(4).expect("a base");
    let mut mcts = Mcts::new(Isa::best(), &params, Box::new(board));
    run(&mut mcts, 2000);
    assert_eq!(mcts.state.trees.len(), TREES);
    mcts
}

fn run(mcts: &mut Mcts, playouts: u64) {
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    assert_eq!(mcts.run(&limits, &AtomicBool::new(false), &mut |_| ()), Ending::Limit);
}

/// Gives a tree visits, half of them won, as its thread would: at a move of the root, and in its
/// `ThreadProgress`.
fn raise(state: &SearchState, tree: usize, visits: u32) {
    let points = visits * Value::DRAW.parts();
    let children = state.trees[tree].children().expect("children");
    state.trees[tree].block(children).add(RAISED, visits, points, false);
    state.thread_progress[tree].add_to_root(visits, points);
}

/// Raises the visits of the root to a number that all trees agree on.
fn raise_to(mcts: &mut Mcts, visits: u32) {
    raise(&mcts.state, 0, visits - mcts.state.root_counts(0).0);
    mcts.keep_up(|| false);
    mcts.state.exchange();
    assert_eq!(roots(mcts), [visits; TREES]);
}

fn roots(mcts: &Mcts) -> [u32; TREES] {
    [0, 1].map(|tree| mcts.state.trees[tree].root().visits)
}

/// Visits and values of all nodes of a tree, the moves of the root first.
fn nodes(tree: &Tree) -> Vec<(u32, u32)> {
    let mut nodes = Vec::new();
    let mut waiting: Vec<Handle> = tree.children().into_iter().collect();
    while let Some(handle) = waiting.pop() {
        let block = tree.block(handle);
        nodes.extend((0..block.count()).map(|index| (block.visits(index), block.wins(index))));
        waiting.extend(block.children().map(|(_, child)| child));
    }
    nodes
}

fn halved(counts: &[(u32, u32)]) -> Vec<(u32, u32)> {
    counts.iter().map(|(visits, wins)| (visits / 2, wins / 2)).collect()
}

#[test]
fn trees_are_halved_together() {
    let mut mcts = grown();
    raise_to(&mut mcts, MOST_VISITS - 10);
    let before = [0, 1].map(|tree| nodes(&mcts.state.trees[tree]));
    let moves = mcts.tree().block(mcts.tree().children().expect("children")).count();
    assert_eq!(before[0][..moves], before[1][..moves]);
    assert!(before.iter().all(|nodes| nodes.len() > 4 * moves), "there is something below them");
    mcts.keep_up(|| false);
    assert_eq!(roots(&mcts), [MOST_VISITS - 10; TREES], "it is not time yet");

    // Each of them reaches the limit alone.
    raise(&mcts.state, 0, 10);
    raise(&mcts.state, 1, 14);
    let expected = before.map(|mut nodes| {
        nodes[RAISED].0 += 24;
        nodes[RAISED].1 += 24 * Value::DRAW.parts();
        halved(&nodes)
    });
    for _ in 0..2 {
        mcts.keep_up(|| false);
        assert_eq!(roots(&mcts), [(MOST_VISITS - 10 + 24) / 2; TREES]);
        assert_eq!([0, 1].map(|tree| nodes(&mcts.state.trees[tree])), expected);
        // They agree on the halves: nothing is added once more.
        mcts.state.exchange();
    }
}

#[test]
fn counts_are_exchanged_before_their_sum_overflows() {
    let mut mcts = grown();
    raise_to(&mut mcts, MOST_VISITS - 1);
    let gain = MOST_VISITS / 2 / TREES as u32;
    let is_over = |mcts: &Mcts| {
        let stop = AtomicBool::new(false);
        let clock = SearchClock { begin: Instant::now(), limits: Limits::default(), stop: &stop };
        mcts.state.is_epoch_over(&clock, Duration::ZERO)
    };
    raise(&mcts.state, 0, gain - 1);
    assert!(!is_over(&mcts), "threads may go on");
    raise(&mcts.state, 0, 1);
    raise(&mcts.state, 1, gain);
    assert!(is_over(&mcts), "threads have to stop");
    mcts.keep_up(|| false);
    assert_eq!(roots(&mcts), [(MOST_VISITS - 1 + 2 * gain) / 2; TREES]);

    // The same far from the limit of a tree.
    let mut mcts = grown();
    let [visits, _] = roots(&mcts);
    raise(&mcts.state, 0, gain - 1);
    mcts.keep_up(|| false);
    assert_eq!(roots(&mcts), [visits + gain - 1, visits], "each for itself");
    raise(&mcts.state, 1, gain);
    mcts.keep_up(|| false);
    assert_eq!(roots(&mcts), [visits + 2 * gain - 1; TREES]);
}

#[test]
fn a_search_goes_on_over_the_limit() {
    let mut mcts = grown();
    raise_to(&mut mcts, MOST_VISITS - 100);
    let value = mcts.report(Duration::ZERO).value;
    run(&mut mcts, 4000);
    let [visits, other] = roots(&mcts);
    assert_eq!(visits, other);
    assert!((MOST_VISITS / 2 - 100..MOST_VISITS / 2 + 4000).contains(&visits), "{visits}");
    let found = mcts.report(Duration::ZERO).value;
    assert!((found - value).abs() < 0.001, "{found} {value}");
}
