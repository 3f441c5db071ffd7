//! What users of the library see: a few types that check what they are given, with nothing of the rooms
//! behind them but words like [`Colour`](crate::havannah::Colour).
//!
//! `cell` and `board` are the rules, `playouts` simulated games; `params` are settings, `engine` is a
//! game and its search, `report` what a search found; `gtp` talks, `tron` is the second game.

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
