//! Ciclon, a Havannah engine: exact rules on fixed-width bitboards, fast random playouts, and
//! Monte-Carlo tree search on 19-byte nodes. Tron is the second game.
//!
//! **Play a game.** A [`Board`] enforces the rules. A [`Cell`] is parsed from text like `c3`.
//!
//! ```
//! use ciclon::{Board, Colour, Outcome, PlayError};
//!
//! let mut board = Board::new(4).expect("bases are 2 to 10");
//! for name in ["a1", "d4", "a2", "d5", "a3", "e5"] {
//!     assert_eq!(board.play(name.parse()?)?, Outcome::Ongoing);
//! }
//! assert_eq!(board.play("d4".parse()?), Err(PlayError::Occupied));
//! board.play("a4".parse()?)?;
//! assert_eq!(board.outcome().winner(), Some(Colour::White), "a bridge from corner to corner");
//! println!("{board}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Run playouts.** [`Playouts`] play random games to the end, a million games per second and
//! more.
//!
//! ```
//! use ciclon::{Board, Outcome, Playouts, Policy, WinKind};
//!
//! let board = Board::new(4).expect("a base");
//! let mut playouts = Playouts::new(&board, Policy::Random, 1);
//! let is_bridge = |outcome| match outcome {
//!     Outcome::Won { wins, .. } => wins.kind() == Some(WinKind::Bridge),
//!     _ => false,
//! };
//! let bridges = (0..10_000).filter(|_| is_bridge(playouts.run().outcome)).count();
//! assert!((4_800..5_200).contains(&bridges), "{bridges}");
//! ```
//!
//! **Search.** An [`Engine`] holds a game and a search that follows it.
//!
//! - [`Params`] are a preset and the changes to it.
//! - [`Limits`] say when a search ends.
//! - A [`Report`] says what the search found.
//!
//! ```
//! use ciclon::{Engine, Limits, Params, Proven};
//!
//! let mut engine = Engine::new(3, &Params::preset("tournament")?.with("seed", 7)?)?;
//! engine.play("c3".parse()?)?;
//! let limits = Limits { playouts: Some(100_000), ..Limits::default() };
//! let report = engine.analyze(&limits);
//! assert_eq!(report.proven, Some(Proven::Win), "Black wins: the centre is a bad first move here");
//! engine.play(report.best.expect("the game is not over"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`records`] reads and writes games as SGF. [`GtpSession`] speaks the Go Text Protocol.
//! [`TronEngine`] plays Tron.
//!
//! Features: `cli`, `plots`, `profiler` and `signals` belong to the program and are on by default.
//! A user of the library sets `default-features = false`. `serde` makes the list of parameters
//! serializable.

// docs.rs shows the feature that an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "internals"), deny(missing_docs))]

// The rooms, from the lowest to the highest. A file uses only its own room and rooms earlier in
// this list. `tests/rooms.rs` says which, reads every import, and fails on one in the wrong
// direction.

// foundations
// Seeded streams and bounded draws.
mod rng;
// Fixed-width bit sets, and the instruction sets they are compiled for.
mod bits;
// The cores of the machine, and pinning a thread to one.
mod cores;
// Every tunable of the engine, one row each, in groups. The presets.
mod params;

// games
// What the search needs of a game.
mod game;
// What the playouts of any game can learn.
mod policies;
// Havannah: geometry, notation, board, threats, patterns, playouts, and the oracle for tests.
mod havannah;
// Tron: grids, maps, positions, territory, playouts, and the oracle for tests.
mod tron;

// tree
// Blocks of 19-byte nodes in recycled arenas: growth, moving the root, the memory limit.
mod tree;

// search
// The trait of a search (which move, what value, what is proven), limits and reports.
mod search;
// Monte-Carlo tree search: selection, expansion, simulation, back-up, proofs, threads, final move.
mod mcts;
// Alpha-beta and the territory search of Tron.
mod alpha_beta;

// engine
// A game, its history and its search across moves. Clocks, swapping and resigning.
mod engine;

// outside
// Game records: SGF and HGF.
mod record;
// The Go Text Protocol: how tournaments, interfaces and scripts use the engine.
mod gtp;
// The public types of the library that are not types of a room.
mod api;
// Matches between players, and their statistics.
#[cfg(feature = "cli")]
mod matches;
// The published experiments, and sweeps over a parameter.
#[cfg(feature = "cli")]
mod experiments;
// The commands of the program: analyze, play, show, bench, profile, signature.
#[cfg(feature = "cli")]
mod tools;
// The command line.
#[cfg(feature = "cli")]
mod cli;

// The public interface. Every call here checks its arguments.

// The rules.
pub use api::{Board, Cell};
pub use havannah::notation::NotationError;
pub use havannah::picture::PictureError;
pub use havannah::{Colour, Notation, Outcome, PlayError, WinKind, Wins};
// Playouts.
pub use api::Playouts;
pub use havannah::playout::{IllegalLine, Playout, Policy};
// Settings.
pub use api::Params;
pub use params::{Games, Group, ParamError, Row as Param};
// The engine and its search.
pub use api::{Engine, MoveReport, Proven, Report, SetupError, Turn};
pub use search::{Ending, Limits};
// The Go Text Protocol.
pub use api::{GtpSession, run_gtp};
// Tron.
pub use api::{TronEngine, TronMap, TronReport, TronResult, TronSide};
pub use tron::{Direction, MapError};

/// Game records: SGF files, and the HGF files of HavannahGui and Little Golem, which are SGF.
///
/// ```
/// use ciclon::records::{self, Record};
/// use ciclon::{Engine, Notation, Params};
///
/// let collection = records::read("(;GM[Havannah]SZ[4]PW[Ann];W[a1];B[d4];W[a2])")?;
/// let record = Record::from_tree(&collection.trees()[0])?;
/// assert_eq!(record.white.as_deref(), Some("Ann"));
///
/// let mut engine = Engine::replay(&record, record.turns.len(), &Params::default())?;
/// engine.play("d5".parse()?)?;
/// assert!(engine.record(Notation::Letternum).to_sgf().ends_with(";W[a1];B[d4];W[a2];B[d5])"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod records {
    pub use crate::record::game_tree::{GameTree, NodeId, Property};
    pub use crate::record::replay::{Reason, ReplayError};
    pub use crate::record::sgf::{Collection, MAX_BYTES, SgfError, read};
    pub use crate::record::{Action, Record, RecordError, Turn};
}

/// Runs the program `ciclon`.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub fn run_program() -> std::process::ExitCode {
    cli::run()
}

// The rooms themselves, for the tests, benches and fuzz targets of this project.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
