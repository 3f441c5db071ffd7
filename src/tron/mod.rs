//! The rules of Tron (Laschet 2012 §2.1; den Teuling 2011), and what is computed from them.
//!
//! Two players move on a grid of cells with walls. At each step both move simultaneously to a cell next
//! to their head, and leave a wall where they were. A player who moves into a wall loses. If both do, or
//! both move to the same cell, the game is a draw.
//!
//! - `grid`: the numbering of cells; `symmetry`: the rotations and reflections of a grid.
//! - `map`: a position as text; `maps`: the maps of the experiments.
//! - `position`: the game itself; `rules`: its traits for search and engine; `playout`: work at the
//!   leaves.
//! - `regions`: the space left to each player; `chambers`: an upper bound on a path through a space;
//!   `filling`: the longest path in a space of one player; `territory`: the static evaluation.
//! - `oracle`: the rules again, slow and obvious. Only for tests and fuzzing.

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
mod symmetry;
pub mod territory;

pub use grid::{Direction, Grid};
pub use map::{Map, MapError};
pub use position::Position;

/// A side of the game, 0 or 1. Maps name them `1` and `2`.
pub type Side = usize;
