//! Every tunable of the engine: one row each, with name, default, range, meaning and source.
//!
//! The row makes the field, the setter by name and the listing, so a parameter is written once. It stands
//! in the file of its group, below the games that have it. `choices` are the values that have names,
//! `presets` the players of the papers, which set rows on top of the defaults.

mod choices;
mod groups;
mod havannah;
mod player;
mod playout;
mod presets;
mod search;
mod tree;
mod tron;
mod value;

pub use choices::*;
pub use groups::{Games, Group};
pub use value::{CoreList, FileName};

use crate::cores;
use value::Value;

/// A parameter as it is listed.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Row {
    /// What it is set by.
    pub name: &'static str,
    /// What it is about.
    pub group: Group,
    /// The games that have it.
    pub games: Games,
    /// Its value in these settings.
    pub value: String,
    /// Its value in the preset `rave`, on which the others build.
    pub default: String,
    /// The values it can have.
    pub range: String,
    /// What it does.
    pub meaning: &'static str,
    /// Where it comes from: author, year and section; empty if it needs no source.
    pub source: &'static str,
    /// The value in a game that does not have it.
    #[cfg_attr(feature = "serde", serde(skip))]
    off: String,
}

/// A parameter or preset that is not, or a value it cannot have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParamError {
    /// No parameter has this name.
    #[error("unknown parameter '{}' (ciclon params lists them)", .0.escape_debug())]
    UnknownName(String),
    /// The parameter cannot have the value.
    #[error("'{}' is no value for {name} ({range})", .value.escape_debug())]
    BadValue {
        /// The parameter.
        name: &'static str,
        /// What it was to be.
        value: String,
        /// What it can be.
        range: String,
    },
    /// No preset has this name.
    #[error("unknown preset '{}' (known: {})", .0.escape_debug(), preset_names())]
    UnknownPreset(String),
    /// The text is not of the form `name=value`.
    #[error("'{}' is no assignment like name=value", .0.escape_debug())]
    NotAnAssignment(String),
}

fn preset_names() -> String {
    Params::all_presets().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

/// Makes `Params` of the rows of all groups.
///
/// A row that is not off by its default says how it is off: `name: type = default, range, off value,
/// meaning, source;`.
macro_rules! params {
    ([] $($group:ident in $games:ident {
        $($name:ident: $type:ty = $default:expr, $range:expr $(, off $off:expr)?,
            $meaning:literal, $source:literal;)*
    })*) => {
        /// The settings of an engine.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Params {
            $($(#[doc = $meaning] pub $name: $type,)*)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($($name: $default,)*)* }
            }
        }

        impl Params {
            /// Sets a parameter by its name.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
                match name {
                    $($(stringify!($name) => {
                        self.$name = Value::read(value, &$range).ok_or_else(|| {
                            ParamError::BadValue {
                                name: stringify!($name),
                                value: value.to_string(),
                                range: <$type as Value>::describe(&$range),
                            }
                        })?;
                        Ok(())
                    })*)*
                    _ => Err(ParamError::UnknownName(name.to_string())),
                }
            }

            /// Every parameter, with its value here, group by group.
            pub fn rows(&self) -> Vec<Row> {
                let defaults = Self::default();
                vec![$($(Row {
                    name: stringify!($name),
                    group: Group::$group,
                    games: Games::$games,
                    value: self.$name.to_string(),
                    default: defaults.$name.to_string(),
                    range: <$type as Value>::describe(&$range),
                    meaning: $meaning,
                    source: $source,
                    off: last!(defaults.$name $(, $off)?).to_string(),
                },)*)*]
            }

            /// The settings, with those of a group as they are in others.
            fn with_group(mut self, group: Group, others: &Self) -> Self {
                $(if group == Group::$group {
                    $(self.$name.clone_from(&others.$name);)*
                })*
                self
            }
        }
    };
}

/// The last of one or two values.
macro_rules! last {
    ($only:expr) => {
        $only
    };
    ($first:expr, $last:expr) => {
        $last
    };
}

// Each group adds its rows to those before it and hands them to the next.
search::rows! { [tree::rows, playout::rows, player::rows, havannah::rows, tron::rows, params] }

impl Params {
    /// The settings of a preset, with what is no matter of what to search left as it is: memory, threads,
    /// the seed, and what is done besides searching.
    pub fn with_preset(&self, name: &str) -> Result<Self, ParamError> {
        let preset = Self::preset(name)?;
        let Self { memory, threads, parallel, virtual_loss, root_exchange, leaf_stop, .. } = *self;
        let preset =
            Self { memory, threads, parallel, virtual_loss, root_exchange, leaf_stop, ..preset };
        let preset = Self { seed: self.seed, cores: self.cores.clone(), ..preset };
        Ok(preset.with_group(Group::Player, self))
    }

    /// The settings, if they make sense in Havannah.
    pub fn for_havannah(self) -> Result<Self, ParamError> {
        if self.selection == Selection::AlphaBeta {
            let (name, value) = ("selection", self.selection.to_string());
            let range = "in Havannah: tree, flat".to_string();
            return Err(ParamError::BadValue { name, value, range });
        }
        self.only_of(Games::Havannah)
    }

    /// The settings, if they make sense in Tron, where a move is another one a step later and there are no
    /// chains.
    pub fn for_tron(self) -> Result<Self, ParamError> {
        self.only_of(Games::Tron)
    }

    /// The settings, if they agree with each other and those that another game has alone are off.
    fn only_of(self, game: Games) -> Result<Self, ParamError> {
        if self.bound == Bound::Puct && self.rave != Rave::Off {
            let (name, value) = ("rave", self.rave.to_string());
            let range = "with bound=puct: off".to_string();
            return Err(ParamError::BadValue { name, value, range });
        }
        let is_refused =
            |row: &Row| row.games != Games::Both && row.games != game && row.value != row.off;
        match self.rows().into_iter().find(is_refused) {
            Some(Row { name, value, off, .. }) => {
                Err(ParamError::BadValue { name, value, range: format!("in {game}: {off}") })
            }
            None => Ok(self),
        }
    }

    /// The same search, whatever is done besides searching.
    pub fn is_same_search(&self, other: &Self) -> bool {
        self.clone().with_group(Group::Player, other) == *other
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
