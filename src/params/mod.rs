//! Every tunable of the engine: one row each, with name, default, range, meaning and source.
//!
//! The row makes the field, the setter by name and the listing, so a parameter is written once.
//! `choices` are the values that have names, `presets` the players of the papers, which set rows on top
//! of the defaults.

mod choices;
mod presets;
mod value;

pub use choices::*;
pub use value::FileName;

use std::fmt;

use crate::cores;
use value::Value;

/// A parameter as it is listed.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Row {
    pub name: &'static str,
    pub value: String,
    pub default: String,
    pub range: String,
    pub meaning: &'static str,
    pub source: &'static str,
}

/// A parameter or preset that is not, or a value it cannot have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamError {
    UnknownName(String),
    BadValue { name: &'static str, value: String, range: String },
    UnknownPreset(String),
    NotAnAssignment(String),
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName(name) => {
                write!(f, "unknown parameter '{}' (ciclon params lists them)", name.escape_debug())
            }
            Self::BadValue { name, value, range } => {
                write!(f, "'{}' is no value for {name} ({range})", value.escape_debug())
            }
            Self::UnknownPreset(name) => write!(
                f,
                "unknown preset '{}' (known: {})",
                name.escape_debug(),
                Params::all_presets().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
            ),
            Self::NotAnAssignment(text) => {
                write!(f, "'{}' is no assignment like name=value", text.escape_debug())
            }
        }
    }
}

impl std::error::Error for ParamError {}

macro_rules! params {
    ($($name:ident: $type:ty = $default:expr, $range:expr, $meaning:literal, $source:literal;)*) => {
        /// The settings of an engine.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Params {
            $(#[doc = $meaning] pub $name: $type,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Params {
            /// Sets a parameter by its name.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
                match name {
                    $(stringify!($name) => {
                        self.$name = Value::read(value, &$range).ok_or_else(|| {
                            ParamError::BadValue {
                                name: stringify!($name),
                                value: value.to_string(),
                                range: <$type as Value>::describe(&$range),
                            }
                        })?;
                        Ok(())
                    })*
                    _ => Err(ParamError::UnknownName(name.to_string())),
                }
            }

            /// Every parameter, with its value here.
            pub fn rows(&self) -> Vec<Row> {
                let defaults = Self::default();
                vec![$(Row {
                    name: stringify!($name),
                    value: self.$name.to_string(),
                    default: defaults.$name.to_string(),
                    range: <$type as Value>::describe(&$range),
                    meaning: $meaning,
                    source: $source,
                },)*]
            }
        }
    };
}

params! {
    selection: Selection = Selection::Tree, (),
        "down a tree, flat: the root's moves in turn, or by alpha-beta without playouts (Tron)",
        "Nahue 2014 §1.2; Laschet 2012 §6";
    exploration: f32 = 0.4, 0.0..=100.0,
        "K (or C), the weight of the exploration term",
        "Stankiewicz 2011 eq. 2.1; Nahue 2014 table 1.1";
    bound: Bound = Bound::Hoeffding, (),
        "the bound behind the exploration term",
        "Lorentz 2010 §2; Auer, Cesa-Bianchi and Fischer 2002";
    expand_after: u32 = 20, 0..=1_000_000,
        "V, the visits of a node after which its children are added",
        "Nahue 2014 §3.4";
    child_trials: u32 = 0, 0..=1_000_000,
        "T, the visits of a child before its score counts: until then it goes first, in random order",
        "Nahue 2014 §3.4; Duguépéroux 2016 alg. 1";
    node_trials: u32 = 0, 0..=1_000_000,
        "T, the visits of a node before scores count there: until then a random child is taken",
        "Laschet 2012 §2.2";
    first_play: f32 = 0.5, 0.0..=100.0,
        "the value of a child without visits or RAVE visits (first-play urgency)",
        "Gelly and Wang 2006";
    rave: Rave = Rave::Alpha, (),
        "how RAVE values are blended in",
        "Stankiewicz 2011 eq. 2.2; Duguépéroux 2016 §3.1";
    rave_weight: f32 = 50.0, 0.0..=1_000_000.0,
        "R, how long RAVE values count",
        "Stankiewicz 2011 §2.2.1";
    rave_moves: RaveMoves = RaveMoves::Own, (),
        "whose moves count for RAVE values",
        "Duguépéroux 2016 alg. 1";
    policy: PlayoutPolicy = PlayoutPolicy::Mate, (),
        "how playouts choose moves",
        "Lorentz 2010 §3.1";
    mate_plies: u32 = 5, 0..=271,
        "plies of a playout with the mate check, for each unit of the base",
        "Lorentz 2010 §3.1";
    havannah_mate: bool = false, (),
        "a playout is decided when a move leaves its chain two cells that win, unless the opponent wins at once",
        "Stankiewicz 2011 §2.2.3; Fossel 2010";
    havannah_mate_part: u32 = 2, 1..=271,
        "c: that is looked for in the first N / c plies of a playout, N the cells of the board",
        "Stankiewicz 2011 §2.2.3, without a value: measured, see EXPERIMENTS.md";
    bridge_reply: bool = false, (),
        "a virtual connection that the opponent intrudes on is completed",
        "";
    lgr: LastGoodReply = LastGoodReply::Off, (),
        "last good replies to one or two moves, with or without forgetting",
        "Stankiewicz 2011 §2.2.4";
    lgr_keep: bool = true, (),
        "replies are kept from turn to turn",
        "Stankiewicz 2011 §4.3";
    lgr_compare: bool = false, (),
        "moves of a draw become replies too, and a reply gives way only to a better one",
        "Laschet 2012 §3.2";
    ngram: NGram = NGram::Off, (),
        "moves of the highest win rate in their context: the move alone (MAST), after one move (NAST2) or two",
        "Stankiewicz 2011 §2.2.5; Duguépéroux 2016 §3.2";
    ngram_epsilon: f32 = 0.1, 0.0..=1.0,
        "probability of a default move instead",
        "Stankiewicz 2011 §3.6";
    ngram_decay: f32 = 0.0, 0.0..=1.0,
        "gamma: what is left of the counts from one turn to the next",
        "Stankiewicz 2011 §2.2.5";
    ngram_threshold: f32 = 0.0, 0.0..=1000.0,
        "T: an N-gram that was played less often is not considered",
        "Stankiewicz 2011 §4.4.1";
    ngram_sequence: bool = false, (),
        "where sides move at once: N-grams are taken as if they moved in turn",
        "Laschet 2012 §5.2";
    pool_rave: bool = false, (),
        "playouts take moves from a pool of the best by RAVE",
        "Duguépéroux 2016 §3.2";
    pool_size: u32 = 10, 1..=271,
        "N, the moves in the pool",
        "Duguépéroux 2016 §3.2, without a value";
    pool_chance: f32 = 0.5, 0.0..=1.0,
        "p, the probability of a move from the pool",
        "Duguépéroux 2016 §3.2, without a value";
    pool_visits: u32 = 50, 0..=1_000_000,
        "visits that a node has whose RAVE values make the pool",
        "Duguépéroux 2016 §3.2, without a value";
    ppr: bool = false, (),
        "playout pruning with RAVE: playouts take moves whose RAVE value is above a threshold",
        "Duguépéroux 2016 §4";
    ppr_visits: f32 = 0.01, 0.0..=2.0,
        "T_n, the share of all playouts that the node of the RAVE values has (above 1: none has it)",
        "Duguépéroux 2016 §4";
    ppr_wins: f32 = 0.25, 0.0..=1.0,
        "T_w', the RAVE value above which a move is taken",
        "Duguépéroux 2016 §4";
    ppr_chance: f32 = 0.8, 0.0..=1.0,
        "p, the probability of such a move",
        "Duguépéroux 2016 §4";
    ppr_order: MoveOrder = MoveOrder::List, (),
        "the order of the moves from whose end the others are taken",
        "Duguépéroux 2016 alg. 1, without a value";
    playout_weights: PlayoutWeights = PlayoutWeights::Off, (),
        "what default moves are weighed by",
        "Stankiewicz 2011 §3.2, §4.6.1";
    playout_choice: PlayoutChoice = PlayoutChoice::Roulette, (),
        "how a default move is chosen by its weight",
        "Stankiewicz 2011 §3.5, §3.6";
    playout_epsilon: f32 = 0.1, 0.0..=1.0,
        "probability of a random move instead of the one of the highest weight",
        "Stankiewicz 2011 §3.6";
    joint_weight: u32 = 30, 0..=1000,
        "weight of a joint move in a playout",
        "Stankiewicz 2011 §4.6.1";
    neighbour_weight: u32 = 40, 0..=1000,
        "weight of a neighbour move in a playout",
        "Stankiewicz 2011 §4.6.1";
    other_weight: u32 = 5, 0..=1000,
        "weight of other moves in a playout",
        "Stankiewicz 2011 §4.6.1";
    pattern_file: FileName = FileName::shipped(), (),
        "the weights of patterns, as ciclon learn patterns writes them",
        "Stankiewicz 2011 §3.3";
    pattern_stage: u32 = 0, 0..=271,
        "stones on the board by which pattern weights have come in fully (0: from the start)",
        "Stankiewicz 2011 §5.3";
    locality: Locality = Locality::Off, (),
        "default moves near own stones are preferred",
        "Lorentz 2010 §3.1";
    avoid_pairs: bool = false, (),
        "default moves next to two adjacent own stones are avoided",
        "Lorentz 2010 §3.1";
    proximity: Proximity = Proximity::Off, (),
        "default moves near the last move of a side are preferred",
        "Lorentz 2010 §3.1; Joosten 2009";
    locality_tries: u32 = 2, 1..=100,
        "draws before any default move will do: how strongly moves are preferred",
        "";
    dead_cells: DeadCells = DeadCells::Off, (),
        "cells of no use to anyone are left out of the tree and of playouts",
        "Stankiewicz 2011 §3.4";
    separation_cut: bool = false, (),
        "Tron: when the players are separated, the space they have decides, in the tree and in playouts",
        "Laschet 2012 §5.5";
    playout_cut: u32 = 0, 0..=271,
        "plies after which a playout is broken off as a draw (0: never)",
        "Lorentz 2010 §2";
    ring_fill: f32 = 1.0, 0.0..=1.0,
        "the part of the empty cells after which rings do not count any more in a playout",
        "";
    ring_stones: u32 = 0, 0..=6,
        "stones of a ring that must have stood before the playout",
        "";
    playouts: u32 = 1, 1..=1000,
        "playouts for each visit of a leaf (a limit in playouts is kept to the visit)",
        "Nahue 2014 §5.6";
    ties_win: bool = false, (),
        "a drawn playout counts as a win for the side that searches",
        "Nahue 2014 ch. 4";
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
    history_weight: f32 = 0.0, 0.0..=1000.0,
        "W of progressive history (0: off)",
        "Stankiewicz 2011 eq. 2.3";
    bias_weight: f32 = 0.0, 0.0..=1000.0,
        "W of progressive bias by the mean of 2- and 3-gram values (0: off; 10 in the paper, where a win is 1 and a loss -1: 5 here)",
        "Laschet 2012 §4.2";
    ulm: Ulm = Ulm::Off, (),
        "children without visits are chosen by their 2- and 3-gram values",
        "Laschet 2012 §4.1, §6";
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
    proofs: bool = true, (),
        "what is certain of a leaf is taken up the tree (MCTS-Solver, score bounds)",
        "Lorentz 2010 §3.2; Laschet 2012 §5.5; Cazenave and Saffidine 2010";
    symmetry_plies: u32 = 2, 0..=271,
        "moves that a symmetry of the board makes equal are searched once in positions with fewer stones",
        "Nahue 2014 ch. 2";
    stacked: bool = false, (),
        "where sides move at once: both choose at a node, each by counts of its own",
        "Lanctot, Wittlinger, Winands and den Teuling 2013";
    leaf_value: bool = false, (),
        "playouts are broken off after playout_cut plies, and the game's own evaluation judges (Tron)",
        "Bošanský, Lisý, Lanctot, Čermák and Winands 2016";
    final_move: FinalMove = FinalMove::Robust, (),
        "how the move to play is chosen",
        "Nahue 2014 §3.4";
    secure_a: f32 = 1.0, 0.0..=100.0,
        "A of the secure child",
        "Nahue 2014 §3.4; Laschet 2012 §2.2";
    memory: u32 = 1024, 1..=65_536,
        "megabytes that the tree may take",
        "Nahue 2014 §5.8";
    reuse_tree: bool = true, (),
        "keep the part of the tree below the moves played",
        "Nahue 2014 §5.4";
    threads: u32 = 1, 0..=1024,
        "threads that search (0: one for every core)",
        "Nahue 2014 §5.6";
    parallel: Parallel = Parallel::Tree, (),
        "what several threads share: one tree, the moves of the root, or the playouts of a leaf",
        "Chaslot, Winands and van den Herik 2008; Nahue 2014 §5.6";
    virtual_loss: u32 = 1, 0..=1000,
        "visits without points that a thread leaves on its way down a shared tree",
        "Chaslot, Winands and van den Herik 2008";
    root_exchange: u32 = 0, 0..=1_000_000,
        "milliseconds after which the trees of threads exchange the counts of the root (0: at the end)",
        "Chaslot, Winands and van den Herik 2008";
    leaf_stop: bool = false, (),
        "playouts of a leaf that are not begun are left out once half of them are finished and agree",
        "Nahue 2014 §5.6";
    ponder: bool = false, (),
        "go on searching while the opponent thinks",
        "";
    pie: bool = false, (),
        "the pie rule: the second player may take the first stone instead of moving",
        "Lorentz 2010 §5";
    resign: f32 = 0.0, 0.0..=0.5,
        "resign when lost for certain, or when the win rate stays below this (0: never)",
        "";
    resign_streak: u32 = 10, 1..=271,
        "own moves in a row with a lower win rate before the engine resigns",
        "";
    seed: u64 = 1, 0..=u64::MAX,
        "seed of the random numbers",
        "";
}

/// What turns on techniques that Tron has alone, and how they are off.
const OF_TRON: [(&str, &str); 4] = [
    ("ngram_sequence", "false"),
    ("separation_cut", "false"),
    ("stacked", "false"),
    ("leaf_value", "false"),
];

/// What turns on techniques that Havannah has alone, and how they are off.
const OF_HAVANNAH: [(&str, &str); 21] = [
    ("rave", "off"),
    ("policy", "random"),
    ("havannah_mate", "false"),
    ("bridge_reply", "false"),
    ("pool_rave", "false"),
    ("ppr", "false"),
    ("playout_weights", "off"),
    ("locality", "off"),
    ("avoid_pairs", "false"),
    ("proximity", "off"),
    ("dead_cells", "off"),
    ("ring_fill", "1"),
    ("ring_stones", "0"),
    ("prior_joint", "false"),
    ("prior_local", "false"),
    ("prior_edge", "off"),
    ("killer_rave", "false"),
    // No node has as many children as widening leaves out.
    ("widening", "off"),
    ("ponder", "false"),
    ("pie", "false"),
    ("resign", "0"),
];

impl Params {
    /// The settings of a preset, with what is no matter of what to search left as it is: memory, threads,
    /// the seed, and what is done besides searching.
    pub fn with_preset(&self, name: &str) -> Result<Self, ParamError> {
        let preset = Self::preset(name)?;
        let Self { memory, threads, parallel, virtual_loss, root_exchange, leaf_stop, .. } = *self;
        let preset =
            Self { memory, threads, parallel, virtual_loss, root_exchange, leaf_stop, ..preset };
        let Self { seed, ponder, pie, resign, resign_streak, .. } = *self;
        Ok(Self { seed, ponder, pie, resign, resign_streak, ..preset })
    }

    /// The settings, if they make sense in Havannah.
    pub fn for_havannah(self) -> Result<Self, ParamError> {
        if self.selection == Selection::AlphaBeta {
            let (name, value) = ("selection", self.selection.to_string());
            let range = "in Havannah: tree, flat".to_string();
            return Err(ParamError::BadValue { name, value, range });
        }
        self.without(&OF_TRON, "in Havannah")
    }

    /// The settings, if they make sense in Tron, where a move is another one a step later and there are no
    /// chains.
    pub fn for_tron(self) -> Result<Self, ParamError> {
        self.without(&OF_HAVANNAH, "in Tron")
    }

    /// The settings, if those that another game has alone are as they are without them.
    fn without(self, others: &[(&str, &str)], game: &str) -> Result<Self, ParamError> {
        for Row { name, value, .. } in self.rows() {
            if let Some((_, off)) =
                others.iter().find(|(other, off)| *other == name && *off != value)
            {
                return Err(ParamError::BadValue { name, value, range: format!("{game}: {off}") });
            }
        }
        Ok(self)
    }

    /// The same search, whatever is done besides searching.
    pub fn is_same_search(&self, other: &Self) -> bool {
        let Self { ponder, pie, resign, resign_streak, .. } = *other;
        Self { ponder, pie, resign, resign_streak, ..self.clone() } == *other
    }

    /// The threads that search.
    pub fn thread_count(&self) -> usize {
        if self.threads == 0 { cores::count() } else { self.threads as usize }
    }

    /// Sets a parameter from text like `name=value`.
    pub fn assign(&mut self, text: &str) -> Result<(), ParamError> {
        let not_one = || ParamError::NotAnAssignment(text.to_string());
        let (name, value) = text.split_once('=').ok_or_else(not_one)?;
        self.set(name.trim(), value.trim())
    }
}
