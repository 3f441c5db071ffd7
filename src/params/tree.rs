//! When nodes are added to the tree, what they begin with, and what is kept of them.
//!
//! Priors are visits and wins by what is next to a move in Havannah: joint moves, groups, edges.

macro_rules! rows {
    ([$next:path $(, $rest:path)*] $($before:tt)*) => { $next! { [$($rest),*] $($before)*

    Tree in Both {
        expand_after: u32 = 20, 0..=1_000_000,
            "V, the visits of a node after which its children are added",
            "Nahue 2014 §3.4";
        memory: u32 = 1024, 1..=65_536,
            "megabytes that the tree may take",
            "Nahue 2014 §5.8";
        reuse_tree: bool = true, (),
            "keep the part of the tree below the moves played",
            "Nahue 2014 §5.4";
    }

    Tree in Havannah {
        symmetry_plies: u32 = 2, 0..=271,
            "moves that a symmetry of the board makes equal are searched once in positions with fewer stones",
            "Nahue 2014 ch. 2";
        prior_joint: bool = false, (),
            "children begin with visits and wins by joint, neighbour and other moves",
            "Lorentz 2010 §3.3; Stankiewicz 2011 §3.7.1";
        prior_joint_visits: u32 = 40, 0..=1000,
            "visits of that prior",
            "Lorentz 2010 §3.3";
        prior_joint_wins: u32 = 30, 0..=1000,
            "wins of a joint move",
            "Lorentz 2010 §3.3";
        prior_neighbour_wins: u32 = 40, 0..=1000,
            "wins of a neighbour move",
            "Lorentz 2010 §3.3";
        prior_other_wins: u32 = 5, 0..=1000,
            "wins of other moves",
            "Lorentz 2010 §3.3";
        prior_local: bool = false, (),
            "children begin with visits and wins by the own groups around the move",
            "Stankiewicz 2011 §3.7.2";
        prior_local_visits: u32 = 30, 0..=1000,
            "visits of that prior",
            "Stankiewicz 2011 §3.7.2";
        prior_local_wins: u32 = 10, 0..=1000,
            "wins for each group",
            "Stankiewicz 2011 §3.7.2";
        prior_edge: EdgePrior = EdgePrior::Off, (),
            "children begin with visits and wins by the edges and corners they are connected to",
            "Stankiewicz 2011 §3.7.3, §4.6.3";
        prior_edge_visits: u32 = 30, 0..=1000,
            "visits of that prior",
            "Stankiewicz 2011 §3.7.3";
        prior_edge_wins: u32 = 10, 0..=1000,
            "wins for each edge and corner",
            "Stankiewicz 2011 §3.7.3";
        prior_stage: u32 = 0, 0..=271,
            "stones on the board by which local and edge priors have come in fully (0: from the start)",
            "Stankiewicz 2011 §5.3";
    }

    } };
}

pub(super) use rows;
