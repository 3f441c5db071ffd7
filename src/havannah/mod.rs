//! The rules of Havannah, its playouts and its move knowledge.
//!
//! - `geometry`: tables per base, one layout for all rooms; `width`: sets and rows per stride
//! - `notation`: cells as text; `picture`: boards as text
//! - `rules`: colours, wins, outcomes; `board`: the incremental rules, on top of `chains` and `zobrist`
//! - `neighbourhood`: whole-board questions about neighbours; `threats`: winning cells
//! - `patterns`: 6-neighbour patterns and dead cells; `weights`: learned pattern weights
//! - `priors`: values of moves before any playout; `structure`: the stones that make a win
//! - `prospect`: the game as search sees it; `playout`: playouts and their policies
//! - `oracle` (the slow, obvious rules) and `baseline` (the textbook program that speed is compared with):
//!   for tests, fuzzing and the bench only. Nothing else here may use them.

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
