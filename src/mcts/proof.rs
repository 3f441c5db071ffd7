//! MCTS-Solver: what is certain of a leaf, and what follows up the tree (Lorentz 2010 §3.2; Nahue 2014
//! §5.2).
//!
//! The bounds of a node are the best of its children's bounds, seen from the other side. Moves that lose
//! at once are not in the tree. They cannot be the best, unless there are no others; then the node was
//! proven when its children were looked for.
//!
//! **Threads.** Several threads may prove in one tree at the same time. Bounds only become narrower, and
//! each follows from bounds that hold: nothing wrong is proven. The thread that marks the last of some
//! siblings sees the marks of the others: nothing that follows is left out.
//!
//! **Simultaneous moves.** In a tree where sides take turns, the second side sees the choice of the
//! first. What the first side is sure of there, it is sure of in the game. What it cannot get there, it
//! may still get in the game. [`sound`] keeps the half that holds. A stacked tree proves only what
//! holds:
//! - A move of the first side is worth at least the worst, and at most the best, over the replies.
//! - A node is worth at least the best of its moves. It is worth at most what a single move of the
//!   second side allows against all moves of the first.

use crate::game::{LOSS, WIN};
use crate::tree::{Block, Handle, NodeRef, Status, ThreadAllocator, Tree};

/// Marks what is certain of the leaf of a path, and what follows for the nodes above it. Returns the
/// level of the highest proven node.
pub fn prove(
    tree: &Tree,
    allocator: &mut ThreadAllocator,
    path: &[NodeRef],
    is_stacked: bool,
    mut status: Status,
    mut depth: u32,
) -> usize {
    let mut highest_proven = path.len() - 1;
    for level in (0..path.len()).rev() {
        let place = path[level];
        tree.mark(allocator, place, status, depth);
        if status.is_proven() {
            highest_proven = level;
        }
        if level == 0 {
            prove_root(tree, is_stacked);
            break;
        }
        let parent = path[level - 1];
        // The node may know more than its children: they may have been freed for lack of memory, and
        // added again.
        let known = tree.block(parent.block).status(parent.index);
        // The first side chooses at the root, so its moves are on even levels.
        let is_second = is_stacked && level % 2 == 1;
        let best = match is_second {
            true => hull(&tree.block(place.block)),
            false => best(tree, place.block, is_stacked),
        };
        let (above, depth_above) = follows_above(&tree.block(place.block), best, known);
        // The second side's moves may prove more of the node above than of the first side's move.
        if above == known && !is_second {
            break;
        }
        (status, depth) = (above, depth_above);
    }
    highest_proven
}

/// Marks what follows for the root from its children.
pub fn prove_root(tree: &Tree, is_stacked: bool) {
    let Some(children) = tree.children() else {
        return;
    };
    let (known, block) = (tree.root_status(), tree.block(children));
    let best = best(tree, children, is_stacked);
    let (status, depth) = follows_above(&block, best, known);
    // A value known from an earlier search keeps its depth until moves prove it again.
    if status != known || best.is_proven() {
        tree.mark_root(status, depth);
    }
}

/// The part of a status that holds for the side that chooses first, if moves are simultaneous in the
/// game and in turn in the tree.
pub fn sound(of_first: Status) -> Status {
    Status::new(of_first.lower(), WIN)
}

/// What the side to move can get from the moves of a block.
fn best(tree: &Tree, handle: Handle, is_stacked: bool) -> Status {
    let block = tree.block(handle);
    let best = Status::best(block.statuses());
    if !is_stacked {
        return best;
    }
    let blocks = || (0..block.count()).filter_map(|index| block.child(index));
    let Some(second) = blocks().next() else {
        return best;
    };
    // The most that the first side can get against a move of the second.
    let against = |number: u16| {
        let of_move = |index: usize| {
            let replies = block.child(index).map(|handle| tree.block(handle));
            let reply = replies.and_then(|replies| {
                let reply = replies.moves.iter().position(|other| *other == number)?;
                Some(replies.status(reply).turned())
            });
            block.status(index).upper().min(reply.map_or(WIN, Status::upper))
        };
        (0..block.count()).map(of_move).max().unwrap_or(WIN)
    };
    let held_to = tree.block(second).moves.iter().map(|number| against(*number)).min();
    // Another thread may have raised the lower bound since it was read.
    Status::new(best.lower(), held_to.unwrap_or(WIN).max(best.lower()))
}

/// What is certain for the side to move with any move of a block.
fn hull(block: &Block) -> Status {
    let lower = block.statuses().map(Status::lower).min().unwrap_or(LOSS);
    let upper = block.statuses().map(Status::upper).max().unwrap_or(WIN);
    Status::new(lower.min(upper), upper)
}

/// The status of the parent of a block and the depth of the proof. `best` is what the side to move in
/// the block can get, `known` what was known of the parent before.
fn follows_above(block: &Block, best: Status, known: Status) -> (Status, u32) {
    let above = best.turned().and(known);
    (above, if above.is_proven() { 1 + longest(block, best) } else { 0 })
}

/// The plies from the block to the end of the game, if the side to move, which can get `best`, wins as
/// soon, or loses as late, as it can.
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
