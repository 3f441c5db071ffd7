//! Fixed-width bit sets: the boards of this house.
//!
//! A [`Bits`] is an array of 64-bit words that reads as a set of small numbers: union,
//! difference, subset, `len`, iteration, whole-set shifts. Its width is a type, so every loop
//! over the words has a constant length and compiles to straight vector code for the instruction
//! set at hand; [`isa`] is where that set is chosen, once, outside every loop. [`lanes`] are
//! numbers side by side, for formulas; `squeeze` moves the bits of a word under a mask together.

pub mod isa;
pub mod lanes;
mod set;
mod squeeze;

pub use isa::{Isa, Kernel};
pub(crate) use set::bits_of;
pub use set::{Bits, Words};
pub(crate) use squeeze::squeeze;

#[cfg(test)]
mod tests;
