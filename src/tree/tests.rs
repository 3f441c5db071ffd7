//! The tree through random operations: counts equal those of a full traversal, and statistics do not
//! change.

use std::collections::BTreeMap;
use std::iter::repeat;

use super::*;
use crate::game::{DRAW, LOSS, Move, WIN};
use crate::rng::Rng;

const MEGABYTE: usize = 1 << 20;

/// The statistics of a node.
#[derive(Clone, PartialEq, Debug)]
struct Facts {
    visits: u32,
    wins: u32,
    rave: RaveCount,
    status: Status,
    proof_depth: Option<u32>,
    has_children: bool,
}

/// Every node, by the moves that lead to it.
type Snapshot = BTreeMap<Vec<u16>, Facts>;

/// The handles of all blocks, with the moves that lead to them, found by traversal.
fn blocks(tree: &Tree) -> Vec<(Vec<u16>, Handle)> {
    let mut found: Vec<(Vec<u16>, Handle)> = Vec::new();
    let mut waiting: Vec<_> = tree.children().map(|handle| (vec![], handle)).into_iter().collect();
    while let Some((line, handle)) = waiting.pop() {
        let block = tree.block(handle);
        let mut with_children = Vec::new();
        for index in 0..block.count() {
            if let Some(child) = block.child(index) {
                let mut line = line.clone();
                line.push(block.moves[index]);
                with_children.push((index, child));
                waiting.push((line, child));
            }
        }
        assert_eq!(block.children().collect::<Vec<_>>(), with_children);
        found.push((line, handle));
    }
    found
}

fn snapshot(tree: &Tree) -> Snapshot {
    let mut snapshot = Snapshot::new();
    for (line, handle) in blocks(tree) {
        let block = tree.block(handle);
        for index in 0..block.count() {
            let mut line = line.clone();
            line.push(block.moves[index]);
            let facts = Facts {
                visits: block.visits(index),
                wins: block.wins(index),
                rave: block.rave(index),
                status: block.status(index),
                proof_depth: block.proof_depth(index),
                has_children: block.child(index).is_some(),
            };
            assert!(snapshot.insert(line, facts).is_none());
        }
    }
    snapshot
}

/// The part below a move, by the moves after it.
fn below(snapshot: &Snapshot, next: u16) -> Snapshot {
    let lines = snapshot.iter().filter(|(line, _)| line.len() > 1 && line[0] == next);
    lines.map(|(line, facts)| (line[1..].to_vec(), facts.clone())).collect()
}

/// A tree that is grown at random, and the number of nodes it ever had.
struct Grown {
    tree: Tree,
    limit: usize,
    rng: Rng,
    created: usize,
    most_children: u32,
}

impl Grown {
    fn new(megabytes: usize, most_children: u32, rng: Rng) -> Self {
        let limit = megabytes * MEGABYTE;
        let tree = Tree::new(limit);
        let mut grown = Self { tree, limit, rng, created: 0, most_children };
        grown.expand(None);
        grown
    }

    /// Gives a node children with random statistics. False if there is no memory for them.
    fn expand(&mut self, place: Option<NodeRef>) -> bool {
        let count = 1 + self.rng.below(self.most_children) as usize;
        let first = self.rng.below(500) as u16;
        let Some(handle) = self.tree.add_children(place, first..first + count as u16) else {
            return false;
        };
        self.created += count;
        let block = self.tree.block_mut(handle);
        for index in 0..count {
            block.visits[index] = self.rng.below(1000);
            block.wins[index] = self.rng.below(2000);
            block.rave[index] = RaveCount::new(self.rng.below(100), self.rng.below(200));
        }
        self.tree.add_to_root(1000, 0);
        true
    }

    fn random_place(&mut self) -> Option<NodeRef> {
        let blocks = blocks(&self.tree);
        let (_, block) = *blocks.get(self.rng.below(blocks.len().max(1) as u32) as usize)?;
        let index = self.rng.below(self.tree.block(block).count() as u32) as usize;
        Some(NodeRef { block, index })
    }

    fn random_leaf(&mut self) -> Option<NodeRef> {
        let place = self.random_place()?;
        let block = self.tree.block(place.block);
        let is_leaf = block.child(place.index).is_none() && !block.status(place.index).is_proven();
        is_leaf.then_some(place)
    }

    /// Adds children to random leaves. False once there is no memory.
    fn grow(&mut self, times: usize) -> bool {
        (0..times).all(|_| self.random_leaf().is_none_or(|leaf| self.expand(Some(leaf))))
    }

    fn mark(&mut self) {
        if let Some(place) = self.random_place() {
            let known = self.tree.block(place.block).status(place.index);
            let lower = known.lower() + self.rng.below(known.upper() - known.lower() + 1);
            let upper = lower + self.rng.below(known.upper() - lower + 1);
            let status = Status::new(lower, upper);
            if !known.is_proven() {
                self.tree.mark(&mut self.tree.allocator(0), place, status, 7);
                assert!(self.tree.sweep(|| false));
                let block = self.tree.block(place.block);
                assert_eq!(block.status(place.index), status);
                assert_eq!(block.proof_depth(place.index), status.is_proven().then_some(7));
            }
        }
    }

    /// A move of the root; with preference one that has children.
    fn random_move(&mut self) -> Option<u16> {
        let block = self.tree.block(self.tree.children()?);
        let expanded: Vec<usize> = block.children().map(|(index, _)| index).collect();
        let any = self.rng.below(block.count() as u32) as usize;
        let chosen =
            self.rng.below(4 * expanded.len().max(1) as u32) as usize % (1 + expanded.len());
        Some(block.moves[*expanded.get(chosen).unwrap_or(&any)])
    }

    /// Counts equal those of a traversal, and every node is in the tree or was recycled.
    fn check(&self) {
        let blocks = blocks(&self.tree);
        let sizes: Vec<usize> =
            blocks.iter().map(|(_, handle)| self.tree.block(*handle).count()).collect();
        let counts = self.tree.counts();
        assert_eq!(counts.blocks, blocks.len());
        assert_eq!(counts.nodes, sizes.iter().sum::<usize>());
        assert_eq!(counts.nodes + counts.recycled, self.created);
        let bytes: usize = sizes.iter().map(|count| units(*count) * arena::UNIT).sum();
        assert_eq!(self.tree.block_bytes(), bytes);
        assert!(self.tree.bytes() <= self.limit);
    }

    /// Moves the root, and compares what is kept with what was there.
    fn advance(&mut self, next: u16) {
        let expected = below(&snapshot(&self.tree), next);
        let before = self.tree.counts();
        let node = self.tree.children().and_then(|handle| {
            let block = self.tree.block(handle);
            let index = block.moves.iter().position(|number| *number == next)?;
            Some((block.visits(index), block.wins(index), block.status(index)))
        });
        // The marks are random and would contradict each other.
        let root = self.tree.root();
        self.tree.set_root(Root { status: Status::UNKNOWN, ..root });
        self.tree.advance(&[Move::new(next as usize)]);
        assert!(self.tree.sweep(|| false));
        let after = self.tree.counts();
        assert_eq!(snapshot(&self.tree), expected);
        assert_eq!((after.nodes, after.kept), (expected.len(), expected.len()));
        assert_eq!(after.recycled - before.recycled, before.nodes - expected.len());
        let root = self.tree.root();
        let known = (root.visits, root.wins, root.status);
        assert_eq!(known, node.unwrap_or((0, 0, Status::UNKNOWN)));
        self.check();
    }
}

#[test]
fn counts_are_those_of_a_walk() {
    let (games, steps) = if cfg!(miri) { (1, 30) } else { (20, 400) };
    for game in 0..games {
        let mut grown = Grown::new(1 + game % 3, 40, Rng::stream(40, game));
        for _ in 0..steps {
            match grown.rng.below(20) {
                0..12 => {
                    grown.grow(1);
                }
                12..17 => grown.mark(),
                17 => {
                    let next = grown.random_move();
                    next.into_iter().for_each(|next| grown.advance(next));
                }
                18 if grown.rng.below(8) == 0 => grown.tree.clear(),
                _ => grown.tree.make_room(|| false),
            }
            if grown.tree.children().is_none() {
                grown.check();
                grown.expand(None);
            }
            grown.check();
        }
    }
}

/// The root is moved by copying if there is room for the copy, otherwise in place. Both keep the same
/// nodes.
#[test]
fn moving_the_root_keeps_what_is_below_it() {
    let (games, growth) = if cfg!(miri) { (1, 12) } else { (12, 500) };
    // One segment never has room for a copy; sixteen segments always have here.
    for (megabytes, copies) in [(1, false), (16, true)] {
        for game in 0..games {
            let mut grown = Grown::new(megabytes, 60, Rng::stream(41, game));
            let (mut kept_nodes, mut moves) = (0, 0);
            while moves < 4 {
                grown.grow(growth);
                grown.tree.make_room(|| false);
                let kept = |tree: &Tree, next: u16| {
                    let block = tree.block(tree.children()?);
                    let index = block.moves.iter().position(|number| *number == next)?;
                    block.child(index)
                };
                let next = grown.random_move().expect("the root has children");
                if let Some(top) = kept(&grown.tree, next) {
                    assert_eq!(grown.tree.reserve_copy(top), copies);
                }
                grown.advance(next);
                kept_nodes += grown.tree.counts().kept;
                moves += 1;
                if grown.tree.children().is_none() {
                    grown.expand(None);
                }
            }
            assert!(kept_nodes > 0);
        }
    }
}

/// Advancing by a line of moves equals advancing move by move.
#[test]
fn lines_are_followed_at_once() {
    let (games, growth) = if cfg!(miri) { (1, 12) } else { (40, 300) };
    let mut kept = 0;
    for game in 0..games {
        let grown = || {
            let mut grown = Grown::new(1 + 15 * (game % 2), 12, Rng::stream(47, game));
            grown.grow(growth);
            grown
        };
        let (mut at_once, mut one_by_one) = (grown(), grown());
        let mut line = Vec::new();
        for _ in 0..game % 5 {
            let Some(next) = one_by_one.random_move() else {
                break;
            };
            one_by_one.tree.advance(&[Move::new(next as usize)]);
            line.push(Move::new(next as usize));
        }
        at_once.tree.advance(&line);
        assert!(at_once.tree.sweep(|| false));
        at_once.check();
        assert_eq!(snapshot(&at_once.tree), snapshot(&one_by_one.tree));
        assert_eq!(at_once.tree.root(), one_by_one.tree.root());
        kept += at_once.tree.counts().kept;
    }
    assert!(kept > 0);
}

#[test]
fn unknown_moves_and_proven_ones_empty_the_tree() {
    for proven in [false, true] {
        let mut grown = Grown::new(1, 40, Rng::new(42));
        grown.grow(20);
        let handle = grown.tree.children().expect("the root has children");
        let mut next = 10_000;
        if proven {
            next = grown.tree.block(handle).moves[0];
            let place = NodeRef { block: handle, index: 0 };
            grown.tree.mark(&mut grown.tree.allocator(0), place, Status::WON, 3);
        }
        grown.advance(next);
        assert_eq!(grown.tree.children(), None);
        assert_eq!(grown.tree.block_bytes(), 0);
    }
}

/// The status of the root and of a move determine the status after the move.
#[test]
fn proofs_outlive_a_move() {
    let (at_least_draw, at_most_draw) = (Status::new(DRAW, WIN), Status::new(LOSS, DRAW));
    // The status of the root, that of the move, the expected status and its depth.
    let cases = [
        (Status::UNKNOWN, Some(Status::WON), Status::WON, 3),
        (Status::UNKNOWN, Some(at_least_draw), at_least_draw, 7),
        (Status::UNKNOWN, None, Status::UNKNOWN, 7),
        (Status::WON, Some(Status::UNKNOWN), Status::LOST, 7),
        (Status::WON, None, Status::LOST, 7),
        (at_least_draw, Some(at_least_draw), Status::DRAWN, 7),
        (at_least_draw, None, at_most_draw, 7),
        (Status::LOST, Some(Status::UNKNOWN), Status::UNKNOWN, 7),
    ];
    for (root, of_move, expected, depth) in cases {
        let mut grown = Grown::new(1, 40, Rng::new(46));
        grown.grow(60);
        let handle = grown.tree.children().expect("the root has children");
        grown.tree.set_root(Root { status: root, proof_depth: 8, ..Root::default() });
        let mut next = 10_000;
        if let Some(status) = of_move {
            next = grown.tree.block(handle).moves[0];
            let place = NodeRef { block: handle, index: 0 };
            grown.tree.mark(&mut grown.tree.allocator(0), place, status, 3);
        }
        grown.tree.advance(&[Move::new(next as usize)]);
        let found = (grown.tree.root().status, grown.tree.root().proof_depth);
        assert_eq!(found, (expected, depth), "{root:?} {of_move:?}");
    }
}

/// When memory has run out, nodes with few visits lose their children first, and a quarter of the memory
/// is free again.
#[test]
fn room_is_made_by_the_least_visited() {
    if cfg!(miri) {
        // The test fills a whole megabyte.
        return;
    }
    let mut grown = Grown::new(1, 300, Rng::new(43));
    grown.tree.make_room(|| false);
    assert_eq!(grown.tree.needed_visits(), 0, "there is memory yet");
    while grown.grow(1) {}
    let before = snapshot(&grown.tree);
    assert!(19 * before.len() > 9 * MEGABYTE / 10, "{} nodes", before.len());
    grown.tree.make_room(|| false);
    grown.check();
    let (after, needed) = (snapshot(&grown.tree), grown.tree.needed_visits());
    assert!(needed > 0);
    assert!(grown.tree.allocator(0).arena.free_bytes() >= MEGABYTE / 4);
    for (line, facts) in &after {
        let Facts { has_children, .. } = before[line];
        assert_eq!(*facts, Facts { has_children: facts.has_children, ..before[line].clone() });
        assert_eq!(facts.has_children, has_children && facts.visits >= needed, "{line:?}");
    }
    // Nothing is freed while there is memory.
    grown.tree.make_room(|| false);
    assert_eq!(snapshot(&grown.tree), after);
    grown.most_children = 20;
    assert!(grown.grow(20), "there is room for small blocks at least");
}

#[test]
fn counts_are_halved_before_they_overflow() {
    let mut grown = Grown::new(1, 20, Rng::new(44));
    grown.grow(10);
    let before = snapshot(&grown.tree);
    grown.tree.set_root(Root { visits: MOST_VISITS - 1, ..Root::default() });
    grown.tree.keep_counts_in_range();
    assert_eq!(snapshot(&grown.tree), before);
    grown.tree.set_root(Root { visits: MOST_VISITS, ..Root::default() });
    grown.tree.keep_counts_in_range();
    assert_eq!(grown.tree.root().visits, MOST_VISITS / 2);
    for (line, facts) in snapshot(&grown.tree) {
        let Facts { visits, wins, .. } = before[&line];
        assert_eq!((facts.visits, facts.wins), (visits / 2, wins / 2));
    }
}

/// A proven node has no children. Bounds that are not a proof free nothing.
#[test]
fn proofs_free_what_is_below() {
    for status in [Status::new(DRAW, WIN), Status::new(LOSS, DRAW), Status::DRAWN] {
        let mut grown = Grown::new(1, 40, Rng::new(45));
        grown.grow(60);
        let handle = grown.tree.children().expect("the root has children");
        let (index, _) = grown.tree.block(handle).children().next().expect("it grew");
        let next = grown.tree.block(handle).moves[index];
        let (before, recycled) = (snapshot(&grown.tree), grown.tree.counts().recycled);
        grown.tree.mark(&mut grown.tree.allocator(0), NodeRef { block: handle, index }, status, 5);
        // What was cut off is freed in steps.
        assert!(grown.tree.sweep(|| true) != status.is_proven());
        while !grown.tree.cut_off.is_empty() {
            grown.tree.make_room(|| true);
        }
        grown.check();
        let freed = if status.is_proven() { below(&before, next).len() } else { 0 };
        assert_eq!(grown.tree.counts().recycled - recycled, freed);
        assert_eq!(snapshot(&grown.tree).len(), before.len() - freed);
    }
}

/// Threads add children, visits and proofs concurrently. Nothing is lost, nothing is there twice, and
/// what they cut off is freed once.
#[test]
fn threads_grow_a_tree_together() {
    const THREADS: usize = 3;
    const MOVES: [u16; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const CHILDREN: usize = MOVES.len();
    let (trees, steps) = if cfg!(miri) { (1, 12) } else { (20, 3000) };
    for number in 0..trees {
        // So little memory that it runs out.
        let mut tree = Tree::for_threads(MEGABYTE, THREADS);
        tree.expand_root(&MOVES, |block| block.set_priors(2, repeat(1))).expect("room");
        std::thread::scope(|scope| {
            let work = |thread: usize| {
                let tree = &tree;
                move || {
                    let mut rng = Rng::stream(48 + number, thread);
                    let mut allocator = tree.allocator(thread);
                    (0..steps).for_each(|_| walk(tree, &mut allocator, &mut rng, &MOVES));
                }
            };
            (0..THREADS).for_each(|thread| {
                scope.spawn(work(thread));
            });
        });
        let block = tree.block(tree.children().expect("children"));
        let found: u32 = (0..CHILDREN).map(|index| block.real_visits(index)).sum();
        assert_eq!(found as usize, THREADS * steps);
        assert!(tree.sweep(|| false));
        let blocks = blocks(&tree);
        assert_eq!(tree.counts().blocks, blocks.len());
        assert_eq!(tree.counts().nodes, CHILDREN * blocks.len());
        assert!(tree.bytes() <= MEGABYTE);
        for (line, handle) in blocks {
            let block = tree.block(handle);
            for index in 0..CHILDREN {
                // Every visit added two points to the one that nodes started with.
                assert_eq!(block.wins(index), 1 + 2 * block.real_visits(index), "{line:?}");
                assert!(block.child(index).is_none() || !block.status(index).is_proven());
            }
        }
        tree.clear();
        assert_eq!(tree.counts().blocks, 0);
    }
}

/// Descends at random, adds children or a proof at the end, and a visit to every node of the path.
fn walk(tree: &Tree, allocator: &mut ThreadAllocator, rng: &mut Rng, moves: &[u16]) {
    let mut path: Vec<NodeRef> = Vec::new();
    let mut next = tree.children();
    while let Some(handle) = next {
        let index = rng.below(moves.len() as u32) as usize;
        path.push(NodeRef { block: handle, index });
        next = tree.block(handle).child(index);
        if path.len() > 6 {
            break;
        }
    }
    let place = *path.last().expect("the root has children");
    match rng.below(4) {
        0 => tree.mark(allocator, place, Status::WON, path.len() as u32),
        1 => tree.mark(allocator, place, Status::new(DRAW, WIN), 0),
        _ => {
            let prepare = |block: &mut BlockMut| block.set_priors(2, repeat(1));
            let added = tree.expand(allocator, place, moves, prepare);
            if let Some(added) = added {
                // The block is complete, no matter which thread made it.
                let block = tree.block(added);
                assert_eq!((block.prior(), block.count(), block.moves), (2, moves.len(), moves));
            }
        }
    }
    for NodeRef { block, index } in path {
        tree.block(block).add(index, 1, 2, true);
    }
}
