//! The parameters that are set by a name.

use std::fmt;

use super::value::{Value, choice};

choice! {
    /// How the tree is grown.
    Selection {
        /// Down the tree by upper confidence bounds.
        Tree = "tree",
        /// The moves of the root in turn, and no tree below them.
        Flat = "flat",
        /// No playouts: alpha-beta on the game's own evaluation (Tron).
        AlphaBeta = "alpha_beta",
    }
}

choice! {
    /// The bound behind the exploration term.
    Bound {
        /// `K sqrt(ln N / n)`.
        Hoeffding = "hoeffding",
        /// `K (sqrt(2 v (1 - v) ln N / n) + 3 ln N / n)`, `v` the win rate.
        Bernstein = "bernstein",
        /// `K sqrt(ln N / n min(1/4, v (1 - v) + sqrt(2 ln N / n)))`: UCB1-Tuned.
        Tuned = "tuned",
        /// `K P sqrt(N) / (1 + n)`, `P` the prior probability of the child: PUCT. It needs `rave=off`.
        Puct = "puct",
    }
}

choice! {
    /// How RAVE values are blended in.
    Rave {
        Off = "off",
        /// Weight `R / (R + n)`.
        Alpha = "alpha",
        /// Weight `sqrt(R / (R + 3n))`.
        Beta = "beta",
    }
}

choice! {
    /// Whose moves count for the RAVE values of a node's children.
    RaveMoves {
        /// Those of the side to move at the node.
        Own = "own",
        /// Those of both sides, each with the result of the side that made it.
        Both = "both",
    }
}

choice! {
    /// How playouts choose moves.
    PlayoutPolicy {
        Random = "random",
        /// A win in one is played, else an opponent's blocked, early in the playout.
        Mate = "mate",
    }
}

choice! {
    /// How the move to play is chosen at the end.
    FinalMove {
        /// The highest win rate.
        Max = "max",
        /// The most visits.
        Robust = "robust",
        /// Both; the search goes on for a while if no move has both.
        MaxRobust = "max_robust",
        /// The highest win rate less `A / sqrt(n)`.
        Secure = "secure",
    }
}

choice! {
    /// Last good replies.
    LastGoodReply {
        Off = "off",
        /// Replies to the last move.
        One = "lgr1",
        /// Replies to the last two moves, else to the last.
        Two = "lgr2",
        /// The same, and the loser's are forgotten.
        OneForgetting = "lgrf1",
        TwoForgetting = "lgrf2",
    }
}

choice! {
    /// What the win rates of moves are kept by.
    NGram {
        Off = "off",
        /// The move alone.
        Mast = "mast",
        /// The move and the one before it.
        One = "1",
        /// The move and the two before it; move by move, those of one where there are none.
        Two = "2",
        /// The mean of both.
        Average = "average",
    }
}

choice! {
    /// What moves of a playout are weighed by.
    PlayoutWeights {
        Off = "off",
        /// The stones on the six neighbours.
        Patterns = "patterns",
        /// Joint and neighbour moves.
        Joint = "joint",
    }
}

choice! {
    /// How a move is chosen by its weight.
    PlayoutChoice {
        /// In proportion to it.
        Roulette = "roulette",
        /// The highest, most of the time.
        Greedy = "greedy",
    }
}

choice! {
    /// Which cells are left out because they are of no use to anyone.
    DeadCells {
        Off = "off",
        /// Those that are proven to be.
        Exact = "exact",
        /// Those of the published patterns; nothing is proven then.
        Local = "local",
    }
}

choice! {
    /// Which moves of a playout are near the action.
    Locality {
        Off = "off",
        /// Next to an own stone or two away from one.
        Near = "near",
        /// Next to an own stone, or two away with both cells between empty.
        Joint = "joint",
    }
}

choice! {
    /// Near whose last move a playout goes on.
    Proximity {
        Off = "off",
        Own = "own",
        Opponent = "opponent",
    }
}

choice! {
    /// The order of the moves from whose end PPR takes what is not in its list.
    MoveOrder {
        /// Row by row, as the cells are numbered.
        Board = "board",
        /// Row by row at first; the place of a move that was played goes to the last one.
        List = "list",
        /// Shuffled.
        Shuffled = "shuffled",
    }
}

choice! {
    /// Which edges and corners count for a move.
    EdgePrior {
        Off = "off",
        /// Those that the chains next to it reach.
        Chains = "chains",
        /// Those and its own.
        Own = "own",
    }
}

choice! {
    /// Where children are chosen by their N-gram value.
    Ulm {
        Off = "off",
        /// Among children without visits.
        Unvisited = "unvisited",
        /// Everywhere.
        All = "all",
    }
}

choice! {
    /// In which order the children of a node are let in.
    Widening {
        Off = "off",
        Random = "random",
        /// By their wins.
        Wins = "wins",
    }
}

choice! {
    /// What several threads share.
    Parallel {
        /// One tree.
        Tree = "tree",
        /// What they count at the root; each has a tree.
        Root = "root",
        /// The playouts of a leaf.
        Leaf = "leaf",
    }
}
