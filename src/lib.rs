//! Ciclon, a Havannah engine: exact rules on fixed-width bitboards, fast random playouts, and
//! Monte-Carlo tree search on 19-byte nodes. Tron is its second game.
//!
//! **Play a game.** A [`Board`] knows the rules; a [`Cell`] is read from text like `c3`.
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
//! **Run playouts.** [`Playouts`] play on to the end at random, a million games a second and more.
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
//! **Search.** An [`Engine`] has a game, and a search that follows it. [`Params`] are presets and what is
//! changed in them, [`Limits`] say when a search ends, and a [`Report`] what it found.
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
//! [`records`] reads and writes games as SGF, [`GtpSession`] talks the Go Text Protocol, [`TronEngine`]
//! plays Tron.
//!
//! Features: `cli`, `plots`, `profiler` and `signals` are those of the program, and on by default: a user
//! of the library sets `default-features = false`. `serde` makes the list of parameters serializable.

// The documentation says which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "internals"), deny(missing_docs))]

// The rooms, from the ground up. A file uses only its own room and rooms above it in this list
// (`tests/rooms.rs` says which, reads every import and fails on one that goes the wrong way).

// foundations
// Seeded streams and bounded draws.
mod rng;
// Fixed-width bit sets, and the instruction sets they are compiled for.
mod bits;
// The cores of the machine, and binding a thread to one.
mod cores;
// Every tunable of the engine, one row each, in groups; and the presets.
mod params;

// games
// What search needs of a game.
mod game;
// What playouts of any game can learn.
mod policies;
// Havannah: geometry, notation, board, threats, patterns, playouts; and the oracle beside them.
mod havannah;
// Tron: grids, maps, positions, the space that is left, playouts; and the oracle beside them.
mod tron;

// tree
// Blocks of 19-byte nodes in recycled arenas: growing, moving the root, keeping to the memory.
mod tree;

// search
// What answers which move, what value, what is proven: one trait; limits and reports.
mod search;
// Monte-Carlo tree search: select, expand, simulate, back up; proofs, threads, the final move.
mod mcts;
// Alpha-beta and the territory search of Tron.
mod alpha_beta;

// engine
// Game, tree and params across moves; clocks, swapping and resigning.
mod engine;

// outside
// Game records: SGF and HGF.
mod record;
// The Go Text Protocol: how tournaments, interfaces and scripts use the engine.
mod gtp;
// What users of the library see, where that is not a type of a room.
mod api;
// Matches between players, and what they say.
#[cfg(feature = "cli")]
mod matches;
// The experiments of the sources, and sweeps over a parameter.
#[cfg(feature = "cli")]
mod experiments;
// What users run: analyze, play, show, bench, profile, signature.
#[cfg(feature = "cli")]
mod tools;
// The command line.
#[cfg(feature = "cli")]
mod cli;

// The public interface: nothing that can be called here is unchecked.

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

/// The program `ciclon`.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub fn run_program() -> std::process::ExitCode {
    cli::run()
}

// The rooms as they are, for this project's tests, benches and fuzz targets.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
