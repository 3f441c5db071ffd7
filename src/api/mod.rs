//! The public types of the library. They check every argument and hide the types of the rooms,
//! except for words like [`Colour`](crate::havannah::Colour).
//!
//! - `cell`, `board`: the rules. `playouts`: simulated games.
//! - `params`: settings. `engine`: a game and its search. `report`: what a search found.
//! - `gtp`: the Go Text Protocol. `tron`: the second game.

mod board;
mod cell;
mod engine;
mod gtp;
mod params;
mod playouts;
mod report;
mod tron;

pub use board::Board;
pub use cell::Cell;
pub use engine::{Engine, SetupError, Turn};
pub use gtp::{GtpSession, run_gtp};
pub use params::Params;
pub use playouts::Playouts;
pub use report::{MoveReport, Proven, Report};
pub use tron::{TronEngine, TronMap, TronReport, TronResult, TronSide};
