//! Which moves the search visits and which it plays, what it proves, and how threads share the work.
//!
//! RAVE counts a move wherever it is made: in Tron it is another one a step later. No node of Tron has as
//! many children as widening leaves out.

macro_rules! rows {
    ([$next:path $(, $rest:path)*] $($before:tt)*) => { $next! { [$($rest),*] $($before)*

    Search in Both {
        selection: Selection = Selection::Tree, (),
            "down a tree, flat: the root's moves in turn, or by alpha-beta without playouts (Tron)",
            "Nahue 2014 §1.2; Laschet 2012 §6";
        exploration: f32 = 0.4, 0.0..=100.0,
            "K (or C), the weight of the exploration term",
            "Stankiewicz 2011 eq. 2.1; Nahue 2014 table 1.1";
        bound: Bound = Bound::Hoeffding, (),
            "the exploration term: a confidence bound, or by prior probabilities (puct, with rave=off)",
            "Lorentz 2010 §2; Auer, Cesa-Bianchi and Fischer 2002; Silver et al. 2017";
        child_trials: u32 = 0, 0..=1_000_000,
            "T, the visits of a child before its score counts: until then it goes first, in random order",
            "Nahue 2014 §3.4; Duguépéroux 2016 alg. 1";
        node_trials: u32 = 0, 0..=1_000_000,
            "T, the visits of a node before scores count there: until then a random child is taken",
            "Laschet 2012 §2.2";
        first_play: f32 = 0.5, 0.0..=100.0,
            "the value of a child without visits or RAVE visits (first-play urgency)",
            "Gelly and Wang 2006";
        history_weight: f32 = 0.0, 0.0..=1000.0,
            "W of progressive history (0: off)",
            "Stankiewicz 2011 eq. 2.3";
        bias_weight: f32 = 0.0, 0.0..=1000.0,
            "W of progressive bias by the mean of 2- and 3-gram values, where a win is 1, a draw 0 and a loss -1 (0: off; 10 in the paper)",
            "Laschet 2012 §4.2";
        ulm: Ulm = Ulm::Off, (),
            "children without visits are chosen by their 2- and 3-gram values",
            "Laschet 2012 §4.1, §6";
        proofs: bool = true, (),
            "what is certain of a leaf is taken up the tree (MCTS-Solver, score bounds)",
            "Lorentz 2010 §3.2; Laschet 2012 §5.5; Cazenave and Saffidine 2010";
        final_move: FinalMove = FinalMove::Robust, (),
            "how the move to play is chosen",
            "Nahue 2014 §3.4";
        secure_a: f32 = 1.0, 0.0..=100.0,
            "A of the secure child",
            "Nahue 2014 §3.4; Laschet 2012 §2.2";
        threads: u32 = 1, 0..=1024,
            "threads that search (0: one for every core)",
            "Nahue 2014 §5.6";
        cores: CoreList = CoreList::Auto, (),
            "cores that the threads are bound to (auto: idle ones, or those after the core of a match or bench; none: not bound)",
            "";
        parallel: Parallel = Parallel::Tree, (),
            "what several threads share: one tree, the moves of the root, or the playouts of a leaf",
            "Chaslot, Winands and van den Herik 2008; Nahue 2014 §5.6";
        virtual_loss: u32 = 1, 0..=1000,
            "visits without points on the path of a leaf that waits for its value, in a shared tree or a batch",
            "Chaslot, Winands and van den Herik 2008";
        leaf_batch: u32 = 1, 1..=64,
            "leaves that a thread selects before it evaluates them together",
            "Silver et al. 2016";
        root_exchange: u32 = 0, 0..=1_000_000,
            "milliseconds after which the trees of threads exchange the counts of the root (0: at the end)",
            "Chaslot, Winands and van den Herik 2008";
        leaf_stop: bool = false, (),
            "playouts of a leaf that are not begun are left out once half of them are finished and agree",
            "Nahue 2014 §5.6";
        seed: u64 = 1, 0..=u64::MAX,
            "seed of the random numbers",
            "";
    }

    Search in Havannah {
        rave: Rave = Rave::Alpha, (), off Rave::Off,
            "how RAVE values are blended in",
            "Stankiewicz 2011 eq. 2.2; Duguépéroux 2016 §3.1";
        rave_weight: f32 = 50.0, 0.0..=1_000_000.0,
            "R, how long RAVE values count",
            "Stankiewicz 2011 §2.2.1";
        rave_moves: RaveMoves = RaveMoves::Own, (),
            "whose moves count for RAVE values",
            "Duguépéroux 2016 alg. 1";
        killer_rave: bool = false, (),
            "RAVE counts only winning and loss-avoiding moves of a playout's early part, at nodes with few visits",
            "Lorentz 2010 §3.5";
        killer_visits: u32 = 1000, 1..=1_000_000_000,
            "visits up to which a node counts killers",
            "Lorentz 2010 §3.5, without a value";
        widening: Widening = Widening::Off, (),
            "children of a node are let in bit by bit, in random order or by their wins",
            "Lorentz 2010 §3.4";
        widening_start: u32 = 50_000, 0..=1_000_000_000,
            "visits of a node at which widening by wins begins",
            "Lorentz 2010 §3.4";
        widening_span: u32 = 500_000, 1..=1_000_000_000,
            "visits over which all children are let in",
            "Lorentz 2010 §3.4";
        look_ahead: bool = true, (), off true,
            "wins in one, forced blocks, double threats and certain draws are seen before any playout (false: nothing but the end of the game)",
            "Nahue 2014 §5.2, §5.3";
    }

    } };
}

pub(super) use rows;
