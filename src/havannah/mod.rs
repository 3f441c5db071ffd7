//! The rules of Havannah.
//!
//! `geometry` is the ground: tables per base, in one layout for everything. `notation` reads and
//! prints cells, `picture` boards. `board` is the incremental rules, with `chains` behind it;
//! `neighbourhood` the whole-board questions about neighbours; `threats` the winning cells;
//! `patterns` the 6-neighbour patterns and dead cells; `priors` what moves are worth before any
//! playout; `weights` what patterns are worth; `structure` the stones that make a
//! win; `prospect` is the game as search sees it. `oracle` states the rules again in the slowest,
//! most obvious way, and `baseline` is the textbook program that speed is compared with:
//! both serve tests, fuzzing and the bench, and nothing here may use them.

#[cfg(any(test, feature = "cli", feature = "internals"))]
pub mod baseline;
pub mod board;
pub mod chains;
pub mod geometry;
pub mod neighbourhood;
pub mod notation;
#[cfg(any(test, feature = "internals"))]
pub mod oracle;
pub mod patterns;
pub mod picture;
pub mod playout;
pub mod priors;
pub mod prospect;
pub mod rules;
pub mod structure;
pub mod threats;
pub mod weights;
pub mod width;
pub mod zobrist;

pub use board::Board;
#[cfg(any(test, feature = "internals"))]
pub use board::Undo;
pub use geometry::{Cell, Geometry};
pub use notation::Notation;
pub use rules::{Colour, Outcome, PlayError, WinKind, Wins};
pub use width::{AnyWidth, Layout, Set, Width};
