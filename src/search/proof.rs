//! MCTS-Solver: what is certain of a leaf, taken up the tree (Lorentz 2010 §3.2; Nahue 2014 §5.2).
//!
//! The side to move can get the best of what its moves are worth, so the bounds of a node are
//! those of its best children, seen from the other side. Moves that lose at once were never
//! added: they cannot be the best, unless there are no others, and then the node was proven when
//! its children were looked for.

use super::{Search, points_of};
use crate::game::{LOSS, WIN};
use crate::params::DeadCells;
use crate::playout::Playouts;
use crate::tree::{Block, Status};

impl<P: Playouts> Search<P> {
    /// Notes what is certain of the leaf of the path, and what follows for the nodes above it. The
    /// path then ends at the highest node that is proven. Returns the points of side 0 at the leaf,
    /// where `mover` is the side that moved there.
    pub(super) fn prove(&mut self, status: Status, depth: u32, mover: usize) -> u32 {
        let points = points_of(mover, status.lower(), 1);
        if self.params.dead_cells == DeadCells::Local {
            // Moves may have been left out that were of use.
            return points;
        }
        let (mut status, mut depth) = (status, depth);
        let mut highest_proven = self.path.len() - 1;
        for level in (0..self.path.len()).rev() {
            let place = self.path[level];
            self.tree.mark(place, status, depth);
            if status.is_proven() {
                highest_proven = level;
            }
            let block = self.tree.block(place.block);
            let best = Status::best(block.status);
            // What was known of the node before its children were freed for want of memory, and
            // added again, stays known.
            let known = match level {
                0 => self.tree.root().status,
                _ => {
                    let parent = self.path[level - 1];
                    self.tree.block(parent.block).status[parent.index]
                }
            };
            let above = best.turned().and(known);
            let depth_above = if above.is_proven() { 1 + longest(&block, best) } else { 0 };
            if level == 0 {
                let root = self.tree.root_mut();
                // A value known from an earlier search keeps its depth until moves prove it again.
                if above != known || best.is_proven() {
                    (root.status, root.proof_depth) = (above, depth_above);
                }
                break;
            }
            if above == known {
                break;
            }
            (status, depth) = (above, depth_above);
        }
        // What was below a proven node is freed.
        self.path.truncate(highest_proven + 1);
        self.line.truncate(highest_proven + 1);
        points
    }

    /// Whether the value of the root is known, and a move that has it: of a value known from an
    /// earlier search the moves are gone.
    pub(super) fn is_solved(&self) -> bool {
        let status = self.tree.root().status;
        status.is_proven()
            && self.tree.children().is_none_or(|handle| {
                Status::best(self.tree.block(handle).status).turned() == status
            })
    }
}

/// The plies to the end of the game if the side to move, which can get as much as `best`, wins as
/// soon as it can or holds out as long as it can.
fn longest(block: &Block, best: Status) -> u32 {
    let depths = (0..block.count())
        .filter(|index| block.status[*index] == best)
        .filter_map(|index| block.proof_depth(index));
    match best.lower() {
        WIN => depths.min().unwrap_or(0),
        LOSS => depths.max().unwrap_or(1),
        _ => depths.max().unwrap_or(0),
    }
}
