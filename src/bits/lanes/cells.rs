//! Eight atomic cells to and from a register of 256 bits.
//!
//! The language has atomic accesses for one cell at a time, and to read cells that are written
//! elsewhere in any other way is undefined. An assembly block, though, may do whatever could have been
//! written in the language, and these stand for eight relaxed accesses. That takes processors that do not
//! tear an aligned cell of a vector access apart. Their makers promise it for accesses of sixteen aligned
//! bytes; in practice accesses are split at lines of the cache only, which no cell lies across (compilers
//! of Java rely on the same). What order the eight have does not matter. Miri, which
//! has no assembly, sees the eight accesses.

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
        // SAFETY: the cells are there; see above for the rest.
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
        // SAFETY: the cells are there; see above for the rest.
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
        // SAFETY: the cells are there; see above for the rest.
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
