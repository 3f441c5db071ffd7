//! Every tunable of the engine: one row each, with name, default, range, meaning and source.
//!
//! The row makes the field, the setter by name and the listing, so a parameter is written once.
//! Presets are the players of the papers; they set rows on top of the defaults.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;

/// A kind of value that a parameter can have.
trait Value: Sized + fmt::Display {
    type Range;
    fn read(text: &str, range: &Self::Range) -> Option<Self>;
    fn describe(range: &Self::Range) -> String;
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Value for $type {
            type Range = RangeInclusive<$type>;

            fn read(text: &str, range: &Self::Range) -> Option<Self> {
                text.parse().ok().filter(|value| range.contains(value))
            }

            fn describe(range: &Self::Range) -> String {
                format!("{} to {}", range.start(), range.end())
            }
        }
    )*};
}

number!(u32, u64, f32);

impl Value for bool {
    type Range = ();

    fn read(text: &str, _: &()) -> Option<Self> {
        text.parse().ok()
    }

    fn describe(_: &()) -> String {
        "true or false".to_string()
    }
}

/// An enumeration whose members have the names they are set by.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$member_doc])* $member,)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$member => $text,)*
                })
            }
        }

        impl Value for $name {
            type Range = ();

            fn read(text: &str, _: &()) -> Option<Self> {
                match text {
                    $($text => Some(Self::$member),)*
                    _ => None,
                }
            }

            fn describe(_: &()) -> String {
                [$($text),*].join(", ")
            }
        }
    };
}

choice! {
    /// How the tree is grown.
    Selection {
        /// Down the tree by upper confidence bounds.
        Tree = "tree",
        /// The moves of the root in turn, and no tree below them.
        Flat = "flat",
    }
}

choice! {
    /// The bound behind the exploration term.
    Bound {
        /// `K sqrt(ln N / n)`.
        Hoeffding = "hoeffding",
        /// `K (sqrt(2 v (1 - v) ln N / n) + 3 ln N / n)`, `v` the win rate.
        Bernstein = "bernstein",
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

/// A parameter as it is listed.
#[derive(Serialize)]
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
                Params::PRESETS.map(|(name, _)| name).join(", ")
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
        "down a tree, or flat: the root's moves in turn",
        "Nahue 2014 §1.2";
    exploration: f32 = 0.4, 0.0..=100.0,
        "K (or C), the weight of the exploration term",
        "Stankiewicz 2011 eq. 2.1; Nahue 2014 table 1.1";
    bound: Bound = Bound::Hoeffding, (),
        "the bound behind the exploration term",
        "Lorentz 2010 §2";
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
    playouts: u32 = 1, 1..=1000,
        "playouts for each visit of a leaf (a limit in playouts is kept to the visit)",
        "Nahue 2014 §5.6";
    ties_win: bool = false, (),
        "a drawn playout counts as a win for the side that searches",
        "Nahue 2014 ch. 4";
    symmetry_plies: u32 = 2, 0..=271,
        "moves that a symmetry of the board makes equal are searched once in positions with fewer stones",
        "Nahue 2014 ch. 2";
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

impl Params {
    /// The presets and what they are.
    pub const PRESETS: [(&'static str, &'static str); 4] = [
        ("flat", "flat Monte-Carlo: WandererMC (Nahue 2014 §1.2)"),
        ("uct", "plain UCT: the improved WandererUCT (Nahue 2014 table 4.13)"),
        ("rave", "UCT with RAVE and an early mate check (Stankiewicz 2011, baseline)"),
        ("rave130", "RAVE with R = 130, K = 0, random playouts (Duguépéroux 2016, baseline)"),
    ];

    /// What plays when nothing is said.
    pub const DEFAULT_PRESET: &'static str = "rave";

    /// The settings of a preset.
    pub fn preset(name: &str) -> Result<Self, ParamError> {
        let defaults = Self::default();
        Ok(match name {
            "flat" => Self {
                selection: Selection::Flat,
                rave: Rave::Off,
                policy: PlayoutPolicy::Random,
                final_move: FinalMove::Max,
                ..defaults
            },
            "uct" => Self {
                exploration: 0.5,
                expand_after: 5,
                child_trials: 1,
                rave: Rave::Off,
                policy: PlayoutPolicy::Random,
                ties_win: true,
                final_move: FinalMove::Max,
                ..defaults
            },
            "rave" => defaults,
            "rave130" => Self {
                exploration: 0.0,
                child_trials: 1,
                rave: Rave::Beta,
                rave_weight: 130.0,
                rave_moves: RaveMoves::Both,
                policy: PlayoutPolicy::Random,
                ..defaults
            },
            _ => return Err(ParamError::UnknownPreset(name.to_string())),
        })
    }

    /// The settings of a preset, with what is no matter of how to search left as it is: the memory,
    /// the seed, and what is done besides searching.
    pub fn with_preset(&self, name: &str) -> Result<Self, ParamError> {
        let preset = Self::preset(name)?;
        let Self { memory, seed, ponder, pie, resign, resign_streak, .. } = *self;
        Ok(Self { memory, seed, ponder, pie, resign, resign_streak, ..preset })
    }

    /// The same search, whatever is done besides searching.
    pub fn is_same_search(&self, other: &Self) -> bool {
        let Self { ponder, pie, resign, resign_streak, .. } = *other;
        Self { ponder, pie, resign, resign_streak, ..self.clone() } == *other
    }

    /// Sets a parameter from text like `name=value`.
    pub fn assign(&mut self, text: &str) -> Result<(), ParamError> {
        let not_one = || ParamError::NotAnAssignment(text.to_string());
        let (name, value) = text.split_once('=').ok_or_else(not_one)?;
        self.set(name.trim(), value.trim())
    }
}
