//! What users run from the command line, each a function that takes its options and gives back a report:
//! `analyze` searches a position or solves it, `play` is a game at the terminal, `show` a position of a
//! record (both by `drawing`), with a `picture` of it; `openings` is what first moves are worth,
//! `contest` a match with its progress, `learn` weights of patterns from such games, `crosstable` a
//! round robin as text; `page` and `pattern_page` are HTML with plots. `bench` measures
//! playouts per second against the floor and the textbook baseline and `search_bench` the search against
//! its playouts, `policy_bench` playouts with each policy, `parallel_bench` searches with several
//! threads, `tron_bench` playouts and searches of Tron, `signature` boils behaviour down to one number,
//! `profile` samples where the time goes; `tron` is a bot and a game at the terminal; `prompt` asks
//! there; `playing` is the batch of playouts that they share. Printing is left to `cli`.

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
