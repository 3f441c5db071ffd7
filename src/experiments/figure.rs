//! What a paper says of a win rate, in per cent: a number with its error, or only a range.
//!
//! Where a plot is lost and the text says "almost 80 %", a range states just that.

use std::fmt;

/// A paper's win rate of the first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Figure {
    /// A number, and half of its 95 % interval.
    Rate { rate: f64, error: f64 },
    /// Nothing but where it lies.
    Range { low: f64, high: f64 },
}

impl Figure {
    /// Where the rate is, as far as the paper can tell.
    pub fn interval(self) -> (f64, f64) {
        match self {
            Self::Rate { rate, error } => (rate - error, rate + error),
            Self::Range { low, high } => (low, high),
        }
    }

    /// The least and the most that is stated, errors aside.
    pub fn stated(self) -> (f64, f64) {
        match self {
            Self::Rate { rate, .. } => (rate, rate),
            Self::Range { low, high } => (low, high),
        }
    }

    /// The number itself; none where there is a range.
    #[cfg(feature = "plots")]
    pub fn rate(self) -> Option<f64> {
        match self {
            Self::Rate { rate, .. } => Some(rate),
            Self::Range { .. } => None,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { rate, error } => write!(f, "{rate:.1} +- {error:.1}"),
            Self::Range { low, high } => write!(f, "{low} to {high}"),
        }
    }
}

/// A row whose figure makes no sense.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum FigureError {
    /// There is no number and no whole range, or there are both.
    #[error("either 'paper' or both of 'paper_low' and 'paper_high'")]
    NotOne,
    #[error("'{0}' is no win rate in per cent")]
    NoPercentage(f64),
    #[error("'{low}' to '{high}' is no range")]
    Turned { low: f64, high: f64 },
}
