//! Eight numbers per operation: one algorithm over a vector trait, with one implementation per register
//! type.
//!
//! - Plain words compile to good vector code for sets, but not reliably for formulas with divisions and
//!   conditions. Those are written here.
//! - A [`LaneKernel`] is written once over [`Lanes`]. [`Isa::run_lanes`] runs it with AVX registers or
//!   with plain arrays.
//! - Invariant: the results are the same. Every operation is rounded on its own, by the IEEE standard.
//!   There are no fused operations and no estimates.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use super::isa::Isa;

/// The number of lanes.
pub const LANES: usize = 8;

/// Work over lanes. `run` must be `#[inline(always)]`.
pub trait LaneKernel {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Operations on eight floating-point numbers, eight integers and eight conditions.
///
/// All are `inline(always)`. Those of AVX2 may only run inside [`Isa::run_lanes`], where it was detected.
pub trait Lanes {
    type Floats: Copy;
    type Ints: Copy;
    type Mask: Copy;

    fn floats(value: f32) -> Self::Floats;
    fn load_floats(from: &[f32; LANES]) -> Self::Floats;
    fn store_floats(floats: Self::Floats, to: &mut [f32; LANES]);
    fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn sub(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn div(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn sqrt(a: Self::Floats) -> Self::Floats;
    /// The larger number; the second if the first is not larger.
    fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The first number where the condition holds, otherwise the second.
    fn either(mask: Self::Mask, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The largest lane.
    fn largest(a: Self::Floats) -> f32;
    /// The lanes that are equal, as a bit mask.
    fn equal_bits(a: Self::Floats, b: Self::Floats) -> u32;

    fn ints(value: i32) -> Self::Ints;
    /// Eight relaxed loads. Other threads may write the cells.
    fn load_cells(from: &[AtomicU32; LANES]) -> Self::Ints;
    /// Eight relaxed stores.
    fn store_cells(ints: Self::Ints, to: &[AtomicU32; LANES]);
    /// Eight relaxed loads of bytes, sign-extended.
    fn load_byte_cells(from: &[AtomicU8; LANES]) -> Self::Ints;
    fn to_floats(ints: Self::Ints) -> Self::Floats;
    fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn or_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn max_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    /// The low or the high 16 bits of each number, unsigned.
    fn low_half(ints: Self::Ints) -> Self::Ints;
    fn high_half(ints: Self::Ints) -> Self::Ints;
    fn less(a: Self::Ints, b: Self::Ints) -> Self::Mask;
    /// A mask of the lanes whose bit is set.
    fn of_bits(bits: u32) -> Self::Mask;
    /// The number where the condition holds, otherwise 0.
    fn only(mask: Self::Mask, a: Self::Ints) -> Self::Ints;
    /// Whether the bit is set in any lane.
    fn has_bit(ints: Self::Ints, bit: u32) -> bool;
}

/// The portable implementation: plain arrays.
struct Arrays;

#[inline(always)]
fn each<T: Copy, U: Copy + Default>(a: [T; LANES], b: [T; LANES], f: fn(T, T) -> U) -> [U; LANES] {
    let mut result = [U::default(); LANES];
    for lane in 0..LANES {
        result[lane] = f(a[lane], b[lane]);
    }
    result
}

impl Lanes for Arrays {
    type Floats = [f32; LANES];
    type Ints = [i32; LANES];
    type Mask = [bool; LANES];

    #[inline(always)]
    fn floats(value: f32) -> Self::Floats {
        [value; LANES]
    }

    #[inline(always)]
    fn load_floats(from: &[f32; LANES]) -> Self::Floats {
        *from
    }

    #[inline(always)]
    fn store_floats(floats: Self::Floats, to: &mut [f32; LANES]) {
        *to = floats;
    }

    #[inline(always)]
    fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn sqrt(a: Self::Floats) -> Self::Floats {
        each(a, a, |a, _| a.sqrt())
    }

    #[inline(always)]
    fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn either(mask: Self::Mask, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        let mut result = b;
        for lane in 0..LANES {
            result[lane] = if mask[lane] { a[lane] } else { b[lane] };
        }
        result
    }

    #[inline(always)]
    fn largest(a: Self::Floats) -> f32 {
        let mut largest = a[0];
        for lane in a {
            largest = if lane > largest { lane } else { largest };
        }
        largest
    }

    #[inline(always)]
    fn equal_bits(a: Self::Floats, b: Self::Floats) -> u32 {
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= u32::from(a[lane] == b[lane]) << lane;
        }
        bits
    }

    #[inline(always)]
    fn ints(value: i32) -> Self::Ints {
        [value; LANES]
    }

    #[inline(always)]
    fn load_cells(from: &[AtomicU32; LANES]) -> Self::Ints {
        let mut ints = [0; LANES];
        for lane in 0..LANES {
            ints[lane] = from[lane].load(Relaxed) as i32;
        }
        ints
    }

    #[inline(always)]
    fn store_cells(ints: Self::Ints, to: &[AtomicU32; LANES]) {
        for lane in 0..LANES {
            to[lane].store(ints[lane] as u32, Relaxed);
        }
    }

    #[inline(always)]
    fn load_byte_cells(from: &[AtomicU8; LANES]) -> Self::Ints {
        let mut ints = [0; LANES];
        for lane in 0..LANES {
            ints[lane] = i32::from(from[lane].load(Relaxed) as i8);
        }
        ints
    }

    #[inline(always)]
    fn to_floats(ints: Self::Ints) -> Self::Floats {
        each(ints, ints, |a, _| a as f32)
    }

    #[inline(always)]
    fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, i32::wrapping_add)
    }

    #[inline(always)]
    fn or_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn max_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn low_half(ints: Self::Ints) -> Self::Ints {
        each(ints, ints, |a, _| a & 0xffff)
    }

    #[inline(always)]
    fn high_half(ints: Self::Ints) -> Self::Ints {
        each(ints, ints, |a, _| (a as u32 >> 16) as i32)
    }

    #[inline(always)]
    fn less(a: Self::Ints, b: Self::Ints) -> Self::Mask {
        each(a, b, |a, b| a < b)
    }

    #[inline(always)]
    fn of_bits(bits: u32) -> Self::Mask {
        let mut mask = [false; LANES];
        for (lane, holds) in mask.iter_mut().enumerate() {
            *holds = bits >> lane & 1 != 0;
        }
        mask
    }

    #[inline(always)]
    fn only(mask: Self::Mask, a: Self::Ints) -> Self::Ints {
        let mut result = a;
        for lane in 0..LANES {
            result[lane] = if mask[lane] { a[lane] } else { 0 };
        }
        result
    }

    #[inline(always)]
    fn has_bit(ints: Self::Ints, bit: u32) -> bool {
        let mut any = 0;
        for lane in ints {
            any |= lane;
        }
        any as u32 >> bit & 1 != 0
    }
}

/// The implementation with registers of 256 bits.
#[cfg(target_arch = "x86_64")]
struct Avx2;

/// Defines operations that are one intrinsic each.
#[cfg(target_arch = "x86_64")]
macro_rules! intrinsic {
    ($($name:ident($($argument:ident: $type:ident),*) -> $result:ident = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name($($argument: Self::$type),*) -> Self::$result {
            // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
            unsafe { $body }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
impl Lanes for Avx2 {
    type Floats = x86::__m256;
    type Ints = x86::__m256i;
    type Mask = x86::__m256i;

    intrinsic! {
        add(a: Floats, b: Floats) -> Floats = x86::_mm256_add_ps(a, b);
        sub(a: Floats, b: Floats) -> Floats = x86::_mm256_sub_ps(a, b);
        mul(a: Floats, b: Floats) -> Floats = x86::_mm256_mul_ps(a, b);
        div(a: Floats, b: Floats) -> Floats = x86::_mm256_div_ps(a, b);
        sqrt(a: Floats) -> Floats = x86::_mm256_sqrt_ps(a);
        max(a: Floats, b: Floats) -> Floats = x86::_mm256_max_ps(a, b);
        either(mask: Mask, a: Floats, b: Floats) -> Floats =
            x86::_mm256_blendv_ps(b, a, x86::_mm256_castsi256_ps(mask));
        to_floats(ints: Ints) -> Floats = x86::_mm256_cvtepi32_ps(ints);
        add_ints(a: Ints, b: Ints) -> Ints = x86::_mm256_add_epi32(a, b);
        or_ints(a: Ints, b: Ints) -> Ints = x86::_mm256_or_si256(a, b);
        max_ints(a: Ints, b: Ints) -> Ints = x86::_mm256_max_epi32(a, b);
        low_half(ints: Ints) -> Ints =
            x86::_mm256_and_si256(ints, x86::_mm256_set1_epi32(0xffff));
        high_half(ints: Ints) -> Ints = x86::_mm256_srli_epi32::<16>(ints);
        less(a: Ints, b: Ints) -> Mask = x86::_mm256_cmpgt_epi32(b, a);
        only(mask: Mask, a: Ints) -> Ints = x86::_mm256_and_si256(mask, a);
    }

    #[inline(always)]
    fn floats(value: f32) -> Self::Floats {
        // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
        unsafe { x86::_mm256_set1_ps(value) }
    }

    #[inline(always)]
    fn load_floats(from: &[f32; LANES]) -> Self::Floats {
        // SAFETY: as above, and the load needs no alignment.
        unsafe { x86::_mm256_loadu_ps(from.as_ptr()) }
    }

    #[inline(always)]
    fn store_floats(floats: Self::Floats, to: &mut [f32; LANES]) {
        // SAFETY: as above, and the store needs no alignment.
        unsafe { x86::_mm256_storeu_ps(to.as_mut_ptr(), floats) }
    }

    #[inline(always)]
    fn largest(a: Self::Floats) -> f32 {
        // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
        unsafe {
            let four =
                x86::_mm_max_ps(x86::_mm256_castps256_ps128(a), x86::_mm256_extractf128_ps::<1>(a));
            let two = x86::_mm_max_ps(four, x86::_mm_movehl_ps(four, four));
            let one = x86::_mm_max_ss(two, x86::_mm_shuffle_ps::<1>(two, two));
            x86::_mm_cvtss_f32(one)
        }
    }

    #[inline(always)]
    fn equal_bits(a: Self::Floats, b: Self::Floats) -> u32 {
        // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
        unsafe { x86::_mm256_movemask_ps(x86::_mm256_cmp_ps::<{ x86::_CMP_EQ_OQ }>(a, b)) as u32 }
    }

    #[inline(always)]
    fn ints(value: i32) -> Self::Ints {
        // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
        unsafe { x86::_mm256_set1_epi32(value) }
    }

    #[inline(always)]
    fn load_cells(from: &[AtomicU32; LANES]) -> Self::Ints {
        // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
        unsafe { cells::load(from) }
    }

    #[inline(always)]
    fn store_cells(ints: Self::Ints, to: &[AtomicU32; LANES]) {
        // SAFETY: as above.
        unsafe { cells::store(ints, to) }
    }

    #[inline(always)]
    fn load_byte_cells(from: &[AtomicU8; LANES]) -> Self::Ints {
        // SAFETY: as above.
        unsafe { cells::load_bytes(from) }
    }

    #[inline(always)]
    fn of_bits(bits: u32) -> Self::Mask {
        // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
        unsafe {
            let each = x86::_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let all = x86::_mm256_set1_epi32(bits as i32);
            x86::_mm256_cmpeq_epi32(x86::_mm256_and_si256(all, each), each)
        }
    }

    #[inline(always)]
    fn has_bit(ints: Self::Ints, bit: u32) -> bool {
        // SAFETY: run under `Isa::run_lanes` only, after AVX2 was detected.
        unsafe { x86::_mm256_testz_si256(ints, x86::_mm256_set1_epi32(1 << bit)) == 0 }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as x86;

#[cfg(target_arch = "x86_64")]
mod cells;

impl Isa {
    /// Runs the kernel with the registers of this instruction set.
    #[inline]
    pub fn run_lanes<K: LaneKernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if self != Self::PORTABLE {
            // SAFETY: every instruction set but the portable one includes AVX2, and was detected.
            return unsafe { run_avx2_lanes(kernel) };
        }
        kernel.run::<Arrays>()
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2_lanes<K: LaneKernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

#[cfg(test)]
mod tests;
