//! The list of moves that a playout gets: the best by the RAVE values of a node above the leaf
//! (Duguépéroux 2016 §3.2 and §4). How a playout uses it is up to the game (`havannah::playout`).
//!
//! - PPR takes the first node from the leaf upwards that has the share `T_n` of all playouts, and its
//!   moves with a RAVE value above `T_w'`. With `T_n` above 1 there is no such node and no list.
//! - PoolRave takes the first node from the leaf upwards that has enough visits, otherwise the root, and
//!   its N best moves.
//!
//! Moves that were never made have no RAVE value and are in no list.

use crate::params::Params;
use crate::tree::{Block, Handle, NodeRef, RaveCount};

/// Fills the list for a playout from the leaf at the end of a path, in a tree with `total` visits.
/// `look` returns the block of a handle.
pub fn fill_pool<'a>(
    params: &Params,
    look: impl Fn(Handle) -> Block<'a>,
    total: u32,
    path: &[NodeRef],
    list: &mut Vec<u16>,
) {
    list.clear();
    let needed = match params.ppr {
        true => (params.ppr_visits * total as f32).ceil() as u32,
        false => params.pool_visits.min(total),
    };
    let visits_above = |level: usize| match level {
        0 => total,
        _ => look(path[level - 1].block).real_visits(path[level - 1].index),
    };
    let Some(level) = (0..path.len()).rev().find(|level| visits_above(*level) >= needed) else {
        return;
    };
    let block = look(path[level].block);
    if params.ppr {
        above_threshold(&block, params.ppr_wins, list);
    } else {
        best_by_rave(&block, params.pool_size as usize, list);
    }
}

fn above_threshold(block: &Block, threshold: f32, list: &mut Vec<u16>) {
    for (index, number) in block.moves.iter().enumerate() {
        let rave = block.rave(index);
        let most = threshold * (2 * rave.visits()) as f32;
        if rave.visits() > 0 && rave.points() as f32 > most {
            list.push(*number);
        }
    }
}

fn best_by_rave(block: &Block, count: usize, list: &mut Vec<u16>) {
    // The rate as an integer, then the index: ties have a fixed order.
    let rank = |rave: RaveCount| u64::from(rave.points()) * (1 << 30) / u64::from(rave.visits());
    // Each count is read once: another thread may change it.
    let known = (0..block.count()).map(|index| (block.rave(index), index));
    let known = known.filter(|(rave, _)| rave.visits() > 0);
    let mut ranks: Vec<(u64, usize)> = known.map(|(rave, index)| (rank(rave), index)).collect();
    if count < ranks.len() {
        ranks.select_nth_unstable_by(count, |a, b| b.cmp(a));
        ranks.truncate(count);
    }
    list.extend(ranks.into_iter().map(|(_, index)| block.moves[index]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    /// A tree of two levels. The root has 1,000 visits and children 0 to 9. Its child 3 has 100 visits
    /// and children 0 to 9. The RAVE rate of move `m` is `m / 10` at the root, `1 - m / 10` below.
    fn tree() -> (Tree, [NodeRef; 2]) {
        let mut tree = Tree::new(1 << 20);
        let top = tree.add_children(None, 0..10).expect("room");
        let first = NodeRef { block: top, index: 3 };
        let bottom = tree.add_children(Some(first), 0..10).expect("room");
        for number in 0..10 {
            let points = 2 * number as u32;
            tree.block_mut(top).rave[number] = RaveCount::new(10, points);
            tree.block_mut(bottom).rave[number] = RaveCount::new(10, 20 - points);
        }
        tree.block_mut(top).visits[3] = 100;
        (tree, [first, NodeRef { block: bottom, index: 0 }])
    }

    fn list(settings: &[&str]) -> Vec<u16> {
        let mut params = Params::default();
        settings.iter().for_each(|setting| params.assign(setting).expect("a setting"));
        let (tree, path) = tree();
        let mut list = vec![7];
        fill_pool(&params, |handle| tree.block(handle), 1000, &path, &mut list);
        list.sort_unstable();
        list
    }

    #[test]
    fn ppr_climbs_to_a_node_with_enough_playouts() {
        let ppr = "ppr=true";
        assert_eq!(list(&[ppr, "ppr_visits=0.1", "ppr_wins=0.75"]), [0, 1, 2]);
        assert_eq!(list(&[ppr, "ppr_visits=0.11", "ppr_wins=0.75"]), [8, 9]);
        assert!(list(&[ppr, "ppr_visits=1.1"]).is_empty());
        // Above the threshold, not at it.
        assert_eq!(list(&[ppr, "ppr_visits=0.11", "ppr_wins=0.8"]), [9]);
    }

    #[test]
    fn the_pool_has_the_best_moves() {
        let settings = ["pool_rave=true", "pool_size=3"];
        assert_eq!(list(&settings), [0, 1, 2]);
        assert_eq!(list(&[&settings[..], &["pool_visits=101"]].concat()), [7, 8, 9]);
        assert_eq!(list(&[&settings[..], &["pool_visits=5000"]].concat()), [7, 8, 9]);
        assert_eq!(list(&["pool_rave=true", "pool_size=200"]).len(), 10);
    }
}
