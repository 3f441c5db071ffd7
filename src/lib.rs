//! Ciclon, a Havannah engine: exact rules on fixed-width bitboards and the fastest random
//! playouts there are.
//!
//! The rooms, from the ground up. A file uses only its own room and the rooms above it in this
//! list (`tests/rooms.rs` reads every import and fails on one that goes the wrong way).

// foundations
pub mod bits; // fixed-width bit sets, and the instruction sets they are compiled for
pub mod rng; // seeded streams and bounded draws
// rules
pub mod havannah; // geometry, notation, board, threats, patterns, and the oracle beside them
// playout
pub mod playout; // one simulated game: the random kernel, the mate check, the golden games
// outside
pub mod tools; // bench, signature, profile
