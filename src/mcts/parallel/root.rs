//! Root parallelisation: the exchange of counts and proofs of the root's moves between trees.
//!
//! All trees have the same moves at the root, in the same order, and began with the same counts. A
//! [`RootTotals`] has the counts that all trees agreed on last. The gains of each tree since then are
//! summed and given to all of them. RAVE counts are halved now and then, so they are not exchanged.

use crate::mcts::proof::prove_root;
use crate::tree::{NodeRef, Root, Status, Tree};

/// The counts that all trees agreed on last: visits and points of each move of the root, and of the
/// root.
#[derive(Clone, Default)]
pub struct RootTotals {
    moves: Vec<(u32, u32)>,
    root: (u32, u32),
}

impl RootTotals {
    /// The first totals: the priors of the moves, and no visits of the root.
    pub fn new(visits: u32, points: impl Iterator<Item = u32>) -> Self {
        Self { moves: points.map(|points| (visits, points)).collect(), root: (0, 0) }
    }

    /// The visits of the root that all trees agreed on.
    pub fn root_visits(&self) -> u32 {
        self.root.0
    }

    /// The visits of each move of the root, over all trees.
    pub fn visits(&self, trees: &[Tree]) -> Vec<u32> {
        let sum = |index: usize| {
            let (seen, _) = self.moves[index];
            let of_tree = |tree: &Tree| {
                let children = tree.children().expect("the root has children");
                tree.block(children).visits(index).saturating_sub(seen)
            };
            seen + trees.iter().map(of_tree).sum::<u32>()
        };
        (0..self.moves.len()).map(sum).collect()
    }

    /// Sums the gains of the trees, and sets all trees to the new totals.
    pub fn exchange(&mut self, trees: &mut [Tree]) {
        let handles: Vec<_> = trees.iter().filter_map(Tree::children).collect();
        if handles.len() < trees.len() || self.moves.is_empty() {
            return;
        }
        let gained = |now: (u32, u32), seen: (u32, u32)| {
            (now.0.saturating_sub(seen.0), now.1.saturating_sub(seen.1))
        };
        let plus = |a: (u32, u32), b: (u32, u32)| (a.0 + b.0, a.1 + b.1);
        for (index, seen) in self.moves.iter_mut().enumerate() {
            let of_trees = trees.iter().zip(&handles).map(|(tree, handle)| {
                let block = tree.block(*handle);
                gained((block.visits(index), block.wins(index)), *seen)
            });
            *seen = of_trees.fold(*seen, plus);
            for (tree, handle) in trees.iter_mut().zip(&handles) {
                let block = tree.block_mut(*handle);
                (block.visits[index], block.wins[index]) = *seen;
            }
        }
        let of_roots = trees.iter().map(Tree::root).map(|root| (root.visits, root.wins));
        self.root = of_roots.map(|root| gained(root, self.root)).fold(self.root, plus);
        for tree in &mut *trees {
            let (visits, wins) = self.root;
            tree.set_root(Root { visits, wins, ..tree.root() });
            // The root counts are equal: all trees are halved, or none.
            tree.keep_counts_in_range();
        }
        self.root = (trees[0].root().visits, trees[0].root().wins);
        let block = trees[0].block(handles[0]);
        for (index, seen) in self.moves.iter_mut().enumerate() {
            *seen = (block.visits(index), block.wins(index));
        }
    }
}

/// Whether the trees have different statuses for the root's moves.
pub fn have_news(trees: &[Tree]) -> bool {
    let known = |tree: &Tree| -> Vec<Status> {
        tree.children().map_or_else(Vec::new, |handle| tree.block(handle).statuses().collect())
    };
    trees.split_first().is_some_and(|(first, others)| {
        let of_first = known(first);
        others.iter().any(|tree| known(tree) != of_first)
    })
}

/// Gives what is proven of the root's moves in one tree to all trees.
pub fn share_proofs(trees: &[Tree], is_stacked: bool) {
    let handles: Vec<_> = trees.iter().filter_map(Tree::children).collect();
    if handles.len() < trees.len() || trees.len() < 2 {
        return;
    }
    let blocks = || trees.iter().zip(&handles).map(|(tree, handle)| tree.block(*handle));
    for index in 0..trees[0].block(handles[0]).count() {
        let known = blocks().map(|block| block.status(index));
        let known = known.reduce(Status::and).expect("there are trees");
        // The shortest win, the longest loss.
        let depths = blocks().filter_map(|block| block.proof_depth(index));
        let depth = if known == Status::WON { depths.min() } else { depths.max() };
        for (tree, block) in trees.iter().zip(&handles) {
            let place = NodeRef { block: *block, index };
            tree.mark(&mut tree.allocator(0), place, known, depth.unwrap_or(0));
        }
    }
    let root = trees.iter().map(Tree::root_status).reduce(Status::and).expect("there are trees");
    let depth = trees.iter().map(|tree| tree.root().proof_depth).max().unwrap_or(0);
    for tree in trees {
        if tree.root_status() != root {
            tree.mark_root(root, depth);
        }
        prove_root(tree, is_stacked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{DRAW, LOSS};

    const MOVES: usize = 4;

    /// Trees whose root has four moves. Each began with 10 visits and its number in points.
    fn trees(count: usize) -> (Vec<Tree>, RootTotals) {
        let tree = |_| {
            let mut tree = Tree::new(1 << 20);
            let prepare = |block: &mut crate::tree::BlockMut| block.set_priors(10, 0..MOVES as u32);
            tree.expand_root(&[0, 1, 2, 3], prepare).expect("room");
            tree
        };
        ((0..count).map(tree).collect(), RootTotals::new(10, 0..MOVES as u32))
    }

    fn add(tree: &mut Tree, index: usize, visits: u32, points: u32) {
        let children = tree.children().expect("children");
        tree.block(children).add(index, visits, points, false);
        tree.add_to_root(visits, 2 * visits - points);
    }

    fn counts(tree: &Tree, index: usize) -> (u32, u32) {
        let block = tree.block(tree.children().expect("children"));
        (block.visits(index), block.wins(index))
    }

    #[test]
    fn counts_are_added_up_once() {
        let (mut trees, mut root_totals) = trees(3);
        add(&mut trees[0], 1, 5, 6);
        add(&mut trees[2], 1, 7, 2);
        assert_eq!(root_totals.visits(&trees), [10, 22, 10, 10]);
        for _ in 0..2 {
            root_totals.exchange(&mut trees);
            for tree in &trees {
                assert_eq!(counts(tree, 1), (22, 1 + 8));
                assert_eq!(counts(tree, 2), (10, 2));
                assert_eq!((tree.root().visits, tree.root().wins), (12, 24 - 8));
            }
        }
        add(&mut trees[1], 1, 100, 200);
        root_totals.exchange(&mut trees);
        assert_eq!(counts(&trees[0], 1), (122, 209));
    }

    #[test]
    fn proofs_reach_every_tree() {
        let (trees, _) = trees(2);
        assert!(!have_news(&trees));
        let mark = |tree: usize, index: usize, status: Status| {
            let block = trees[tree].children().expect("children");
            trees[tree].mark(&mut trees[tree].allocator(0), NodeRef { block, index }, status, 3);
        };
        mark(0, 0, Status::LOST);
        mark(0, 1, Status::new(LOSS, DRAW));
        mark(1, 1, Status::new(DRAW, crate::game::WIN));
        mark(1, 2, Status::LOST);
        assert!(have_news(&trees));
        share_proofs(&trees, false);
        assert!(!have_news(&trees));
        for tree in &trees {
            let block = tree.block(tree.children().expect("children"));
            let known: Vec<Status> = block.statuses().collect();
            assert_eq!(known, [Status::LOST, Status::DRAWN, Status::LOST, Status::UNKNOWN]);
            assert_eq!(
                tree.root_status(),
                Status::new(LOSS, DRAW),
                "a draw at the least, for the mover"
            );
        }
        // The last move is proven in another tree: then the root is proven too.
        mark(1, 3, Status::LOST);
        share_proofs(&trees, false);
        assert_eq!(trees[0].root_status(), Status::DRAWN);
    }
}
