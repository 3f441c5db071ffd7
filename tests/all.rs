//! The integration tests, in one program; `allocations` has its own, for its global allocator.

mod command_line;
mod engine;
mod exhaustive;
mod experiments;
mod games;
mod geometry;
mod gtp;
mod gtp_process;
mod guided;
mod hand_built;
mod matches;
mod parallel;
mod parameters;
mod player;
mod playouts;
mod positions;
mod proofs;
mod rooms;
mod rules;
mod search;
mod structure;
mod tactics;
mod terminal;
mod tron;
mod tron_interfaces;
mod tron_search;
