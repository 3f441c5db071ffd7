//! Ciclon, a Havannah engine: exact rules on fixed-width bitboards, fast random playouts, and
//! Monte-Carlo tree search on 19-byte nodes.
//!
//! The rooms, from the ground up. A file uses only its own room and the rooms above it in this
//! list (`tests/rooms.rs` reads every import and fails on one that goes the wrong way).

// The documentation says which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// foundations
// Seeded streams and bounded draws.
pub mod rng;
// Fixed-width bit sets, and the instruction sets they are compiled for.
pub mod bits;
// The cores of the machine, and binding a thread to one.
pub mod cores;
// Every tunable of the engine, one row each, in groups; and the presets.
pub mod params;

// games
// What search needs of a game.
pub mod game;
// What playouts of any game can learn.
pub mod policies;
// Havannah: geometry, notation, board, threats, patterns, playouts; and the oracle beside them.
pub mod havannah;
// Tron: grids, maps, positions, the space that is left, playouts; and the oracle beside them.
pub mod tron;

// tree
// Blocks of 19-byte nodes in recycled arenas: growing, moving the root, keeping to the memory.
pub mod tree;

// search
// What answers which move, what value, what is proven: one trait; limits and reports.
pub mod search;
// Monte-Carlo tree search: select, expand, simulate, back up; proofs, threads, the final move.
pub mod mcts;
// Alpha-beta and the territory search of Tron.
pub mod alpha_beta;

// engine
// Game, tree and params across moves; clocks, swapping and resigning.
pub mod engine;

// outside
// Game records: SGF and HGF.
pub mod record;
// The Go Text Protocol: how tournaments, interfaces and scripts use the engine.
pub mod gtp;
// Matches between players, and what they say.
#[cfg(feature = "cli")]
pub mod matches;
// The experiments of the sources, and sweeps over a parameter.
#[cfg(feature = "cli")]
pub mod experiments;
// What users run: analyze, play, show, bench, profile, signature.
#[cfg(feature = "cli")]
pub mod tools;
// The command line.
#[cfg(feature = "cli")]
mod cli;

/// The program `ciclon`.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub fn run_program() -> std::process::ExitCode {
    cli::run()
}

// The rooms, for this project's tests, benches and fuzz targets.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
