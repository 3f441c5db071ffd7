//! Ciclon, a Havannah engine: exact rules on fixed-width bitboards, and fast random playouts.
//!
//! The rooms, from the ground up. A file uses only its own room and the rooms above it in this
//! list (`tests/rooms.rs` reads every import and fails on one that goes the wrong way).

// foundations
// Fixed-width bit sets, and the instruction sets they are compiled for.
pub mod bits;
// The cores of the machine, and binding a thread to one.
pub mod cores;
// Seeded streams and bounded draws.
pub mod rng;

// rules
// Geometry, notation, board, threats, patterns; and the oracle beside them.
pub mod havannah;

// playout
// One simulated game: the random kernel and the mate check.
pub mod playout;

// outside
// What users run: bench, signature, profile.
pub mod tools;
