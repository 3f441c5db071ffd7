//! Settings. Every value is always in its range.
//!
//! Whether settings have a meaning in a game is checked when an engine is made.

use std::fmt;

use crate::params::{self, ParamError, Row as Param};

/// The settings of an engine: a preset and the changes to it. Each setting has a name, a range and
/// a source. [`list`](Self::list) and `ciclon params` show them all.
///
/// ```
/// use ciclon::Params;
/// let params = Params::preset("rave")?.with("threads", 2)?.with("bound", "tuned")?;
/// assert!(params.list().iter().any(|param| param.name == "bound" && param.value == "tuned"));
///
/// let error = params.with("threads", -1).expect_err("out of range");
/// assert_eq!(error.to_string(), "'-1' is no value for threads (0 to 1024)");
/// # Ok::<(), ciclon::ParamError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Params(params::Params);

impl Default for Params {
    /// The strongest preset, on one thread.
    fn default() -> Self {
        Self(params::Params::preset(params::Params::DEFAULT_PRESET).expect("it is one of them"))
    }
}

impl Params {
    /// The settings of a preset.
    pub fn preset(name: &str) -> Result<Self, ParamError> {
        params::Params::preset(name).map(Self)
    }

    /// The names of the presets, each with a description.
    pub fn presets() -> impl Iterator<Item = (&'static str, &'static str)> {
        params::Params::all_presets()
    }

    /// Changes a setting. On an error nothing changes.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) -> Result<(), ParamError> {
        self.0.set(name, &value.to_string())
    }

    /// These settings with one changed.
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Result<Self, ParamError> {
        self.set(name, value)?;
        Ok(self)
    }

    /// Every setting, group by group.
    pub fn list(&self) -> Vec<Param> {
        self.0.rows()
    }

    pub(super) fn inner(&self) -> &params::Params {
        &self.0
    }
}
