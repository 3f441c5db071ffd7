//! Fixed-width bit sets, lanes of numbers, and the choice of the instruction set.
//!
//! - [`Bits`] is an array of 64-bit words used as a set of small numbers: union, difference, subset,
//!   `len`, iteration, whole-set shifts. Its width is part of the type, so every loop over the words has
//!   a constant length and compiles to vector code.
//! - [`isa`] chooses the instruction set: once for a batch of work, outside every loop.
//! - [`lanes`] holds eight numbers per operation, for formulas.
//! - `squeeze` packs the bits of a word that are under a mask (`pext`).

pub mod isa;
pub mod lanes;
mod set;
mod squeeze;

pub use isa::{Isa, Kernel};
pub(crate) use set::bits_of;
pub use set::{Bits, Words};
pub(crate) use squeeze::squeeze_pair;

#[cfg(test)]
mod tests;
