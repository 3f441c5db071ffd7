//! MCTS-Solver: what is certain of a leaf, taken up the tree (Lorentz 2010 §3.2; Nahue 2014 §5.2).
//!
//! The side to move can get the best of what its moves are worth, so the bounds of a node are
//! those of its best children, seen from the other side. Moves that lose at once were never
//! added: they cannot be the best, unless there are no others, and then the node was proven when
//! its children were looked for.
//!
//! Threads that share a tree may do this at once. Bounds only become narrower, each of them follows
//! from bounds that hold, and whoever marks the last of some siblings sees the marks of the others: so
//! nothing wrong is ever proven, and nothing that follows is left out.

use crate::game::{LOSS, WIN};
use crate::tree::{Block, Place, Plot, Status, Tree};

/// Notes what is certain of the leaf of a path, and what follows for the nodes above it. The level of
/// the highest node that is proven.
pub fn prove(
    tree: &Tree,
    plot: &mut Plot,
    path: &[Place],
    mut status: Status,
    mut depth: u32,
) -> usize {
    let mut highest_proven = path.len() - 1;
    for level in (0..path.len()).rev() {
        let place = path[level];
        tree.mark(plot, place, status, depth);
        if status.is_proven() {
            highest_proven = level;
        }
        if level == 0 {
            prove_root(tree);
            break;
        }
        let parent = path[level - 1];
        // What was known of the node before its children were freed for want of memory, and
        // added again, stays known.
        let known = tree.block(parent.block).status(parent.index);
        let (above, depth_above) = follows_above(&tree.block(place.block), known);
        if above == known {
            break;
        }
        (status, depth) = (above, depth_above);
    }
    highest_proven
}

/// Notes what follows for the root from what is known of its children.
pub fn prove_root(tree: &Tree) {
    let Some(children) = tree.children() else {
        return;
    };
    let (known, block) = (tree.root_status(), tree.block(children));
    let (status, depth) = follows_above(&block, known);
    // A value known from an earlier search keeps its depth until moves prove it again.
    if status != known || Status::best(block.statuses()).is_proven() {
        tree.mark_root(status, depth);
    }
}

/// What follows for the parent of a block, of which something may be known, and how deep the proof is.
fn follows_above(block: &Block, known: Status) -> (Status, u32) {
    let best = Status::best(block.statuses());
    let above = best.turned().and(known);
    (above, if above.is_proven() { 1 + longest(block, best) } else { 0 })
}

/// The plies to the end of the game if the side to move, which can get as much as `best`, wins as
/// soon as it can or holds out as long as it can.
fn longest(block: &Block, best: Status) -> u32 {
    let depths = (0..block.count())
        .filter(|index| block.status(*index) == best)
        .filter_map(|index| block.proof_depth(index));
    match best.lower() {
        WIN => depths.min().unwrap_or(0),
        LOSS => depths.max().unwrap_or(1),
        _ => depths.max().unwrap_or(0),
    }
}
