//! The groups that parameters are listed in, and the games that have them.

use std::fmt;

/// What a parameter is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Group {
    /// Selection, proofs, the final move, threads.
    Search,
    /// Expansion, priors, memory.
    Tree,
    /// What playouts of both games have.
    Playout,
    /// What is done besides searching.
    Player,
    /// Rules and playouts of Havannah.
    Havannah,
    /// Rules and playouts of Tron.
    Tron,
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Search => "Search",
            Self::Tree => "Tree",
            Self::Playout => "Playout",
            Self::Player => "Player",
            Self::Havannah => "Havannah",
            Self::Tron => "Tron",
        })
    }
}

/// The games that have a parameter. In the other one it has no effect, and must be off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Games {
    /// Havannah and Tron.
    Both,
    /// Havannah alone.
    Havannah,
    /// Tron alone.
    Tron,
}

impl fmt::Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Both => "Havannah and Tron",
            Self::Havannah => "Havannah",
            Self::Tron => "Tron",
        })
    }
}
