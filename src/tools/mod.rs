//! The commands of the program. Each is a function that takes its options and returns a report.
//! Printing is left to `cli`; `play` and `tron` get their input and output as arguments.
//!
//! - Positions: `analyze` (search or solve), `show` (a record), `play` (a game at the terminal).
//!   They use `drawing`, `picture`, `prompt`, `report` and `table`.
//! - Matches: `contest` (a match with its progress), `crosstable`, `learn` (weights of patterns),
//!   `openings` (values of first moves), `page` and `pattern_page` (HTML with plots).
//! - Speed: `bench` (playouts against the floor and the textbook baseline), `policy_bench`,
//!   `search_bench`, `parallel_bench`, `tron_bench`, `profile` (samples). `playing` is the batch of
//!   playouts that they share.
//! - Behaviour: `signature`, one number.
//! - Tron: `tron`, a bot and a game at the terminal.

pub mod analyze;
pub mod bench;
pub mod contest;
pub mod crosstable;
mod drawing;
pub mod learn;
pub mod openings;
#[cfg(feature = "plots")]
pub mod page;
pub mod parallel_bench;
#[cfg(feature = "plots")]
pub mod pattern_page;
#[cfg(feature = "plots")]
mod picture;
pub mod play;
pub mod playing;
pub mod policy_bench;
#[cfg(all(unix, feature = "profiler"))]
pub mod profile;
mod prompt;
pub mod report;
pub mod search_bench;
pub mod show;
pub mod signature;
mod table;
pub mod tron;
pub mod tron_bench;
