//! The rules of Tron (Laschet 2012 §2.1; den Teuling 2011).
//!
//! Two players on a grid of cells with walls. At each step both move at once to a cell next to their
//! head, and leave a wall where they were. Who moves into a wall loses; if both do, or both move to the
//! same cell, the game is a draw. `grid` is how cells are numbered, `map` a position as text, `position`
//! the game itself, `maps` the maps of the experiments, `regions` what space is left to whom,
//! `chambers` how much of a space a path can take, `territory` what a position is worth without search,
//! `filling` the longest path in a space of one's own; `oracle` the rules again, slow and obvious.

pub mod chambers;
pub mod filling;
pub mod grid;
pub mod map;
#[cfg(any(test, feature = "cli", feature = "internals"))]
pub mod maps;
#[cfg(any(test, feature = "internals"))]
pub mod oracle;
pub mod playout;
pub mod position;
pub mod regions;
mod rules;
pub mod territory;

pub use grid::{Direction, Grid};
pub use map::{Map, MapError};
pub use position::Position;

/// A side of the game, 0 or 1, as maps name it: `1` and `2`.
pub type Side = usize;
