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
//!
//! **Moves at once.** In a tree where the sides take turns, the second to choose sees what the first has
//! chosen. So what the first is sure of there it is sure of in the game; what it cannot get there it may
//! well get in the game. [`sound`] is the half that holds. In a stacked tree nothing else is proven in the
//! first place: a move of the first side is worth no less than the worst that the other's moves make of
//! it, and no more than the best; a node no less than the best of its moves, and no more than what the
//! other side can hold the first to with a single move, whatever the first does.

use crate::game::{LOSS, WIN};
use crate::tree::{Block, Handle, NodeRef, Status, ThreadAllocator, Tree};

/// Notes what is certain of the leaf of a path, and what follows for the nodes above it. The level of
/// the highest node that is proven.
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
        // What was known of the node before its children were freed for want of memory, and
        // added again, stays known.
        let known = tree.block(parent.block).status(parent.index);
        // The first side chooses at the root, so its moves are on even levels.
        let is_second = is_stacked && level % 2 == 1;
        let best = match is_second {
            true => hull(&tree.block(place.block)),
            false => best(tree, place.block, is_stacked),
        };
        let (above, depth_above) = follows_above(&tree.block(place.block), best, known);
        // What the second side's moves are worth may tell more of the node above than of the move.
        if above == known && !is_second {
            break;
        }
        (status, depth) = (above, depth_above);
    }
    highest_proven
}

/// Notes what follows for the root from what is known of its children.
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

/// What of a status holds for the side that chooses first, if the sides move at once in the game, and
/// in turn in the tree.
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
    // What the first side can get, at the most, against a move of the second.
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
    // Another thread may have found out more meanwhile.
    Status::new(best.lower(), held_to.unwrap_or(WIN).max(best.lower()))
}

/// What is certain for the side to move whichever of the moves of a block it makes.
fn hull(block: &Block) -> Status {
    let lower = block.statuses().map(Status::lower).min().unwrap_or(LOSS);
    let upper = block.statuses().map(Status::upper).max().unwrap_or(WIN);
    Status::new(lower.min(upper), upper)
}

/// What follows for the parent of a block whose side to move can get as much as `best`, and of which
/// something may be known; and how deep the proof is.
fn follows_above(block: &Block, best: Status, known: Status) -> (Status, u32) {
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
