//! Loads and stores of eight atomic cells by one 256-bit register.
//!
//! - Rust has atomic accesses for one cell at a time. Any other access to cells that other threads write
//!   is undefined behaviour.
//! - An assembly block may do anything that Rust code could do. These blocks stand for eight relaxed
//!   accesses; the order of the eight does not matter.
//! - Invariant: the processor does not tear an aligned cell of a vector access. Vendors guarantee this
//!   for accesses of 16 aligned bytes. In practice accesses are split at cache lines only, and no cell
//!   crosses one (Java compilers rely on the same).
//! - Miri has no assembly. It runs the eight accesses one by one.

use std::arch::x86_64::__m256i;
use std::sync::atomic::{AtomicU8, AtomicU32};

use super::LANES;

#[cfg(not(miri))]
mod at_once {
    use std::arch::asm;

    use super::{__m256i, AtomicU8, AtomicU32, LANES};

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn load(from: &[AtomicU32; LANES]) -> __m256i {
        let ints;
        // SAFETY: the reference makes the eight cells valid; the head of this file covers the rest.
        unsafe {
            asm!(
                "vmovdqu {ints}, [{from}]",
                ints = lateout(ymm_reg) ints,
                from = in(reg) from.as_ptr(),
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        ints
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn store(ints: __m256i, to: &[AtomicU32; LANES]) {
        // SAFETY: the reference makes the eight cells valid; the head of this file covers the rest.
        unsafe {
            asm!(
                "vmovdqu [{to}], {ints}",
                ints = in(ymm_reg) ints,
                to = in(reg) to.as_ptr(),
                options(nostack, preserves_flags),
            );
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn load_bytes(from: &[AtomicU8; LANES]) -> __m256i {
        let ints;
        // SAFETY: the reference makes the eight cells valid; the head of this file covers the rest.
        unsafe {
            asm!(
                "vpmovsxbd {ints}, qword ptr [{from}]",
                ints = lateout(ymm_reg) ints,
                from = in(reg) from.as_ptr(),
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        ints
    }
}

#[cfg(miri)]
mod at_once {
    use std::arch::x86_64 as x86;
    use std::sync::atomic::Ordering::Relaxed;

    use super::{__m256i, AtomicU8, AtomicU32, LANES};

    #[target_feature(enable = "avx2")]
    pub fn load(from: &[AtomicU32; LANES]) -> __m256i {
        let ints: [u32; LANES] = std::array::from_fn(|lane| from[lane].load(Relaxed));
        // SAFETY: the load needs no alignment.
        unsafe { x86::_mm256_loadu_si256(ints.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    pub fn store(ints: __m256i, to: &[AtomicU32; LANES]) {
        let mut eight = [0_u32; LANES];
        // SAFETY: the store needs no alignment.
        unsafe { x86::_mm256_storeu_si256(eight.as_mut_ptr().cast(), ints) };
        to.iter().zip(eight).for_each(|(cell, int)| cell.store(int, Relaxed));
    }

    #[target_feature(enable = "avx2")]
    pub fn load_bytes(from: &[AtomicU8; LANES]) -> __m256i {
        let bytes: [u8; LANES] = std::array::from_fn(|lane| from[lane].load(Relaxed));
        // SAFETY: eight bytes are read.
        unsafe { x86::_mm256_cvtepi8_epi32(x86::_mm_loadl_epi64(bytes.as_ptr().cast())) }
    }
}

pub use at_once::{load, load_bytes, store};
