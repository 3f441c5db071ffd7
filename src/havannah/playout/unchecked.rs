//! Array access for the playout kernel, bounds-checked only in debug builds.
//!
//! The indices of the kernel are cells of the padded grid, labels, plies and patterns. All are bounded by
//! the way the tables are built. Debug builds (`cargo test` without `--release`, and the fuzz targets)
//! assert every one. In release the checks would cost 15 to 20 % of a playout.

/// Reads `row[index]`.
#[inline(always)]
pub fn get<T: Copy>(row: &[T], index: usize) -> T {
    debug_assert!(index < row.len(), "{index} is outside a row of {}", row.len());
    // SAFETY: the callers' indices are in bounds by construction, asserted in debug builds.
    unsafe { *row.get_unchecked(index) }
}

/// Writes `row[index]`.
#[inline(always)]
pub fn set<T: Copy>(row: &mut [T], index: usize, value: T) {
    debug_assert!(index < row.len(), "{index} is outside a row of {}", row.len());
    // SAFETY: the callers' indices are in bounds by construction, asserted in debug builds.
    unsafe { *row.get_unchecked_mut(index) = value }
}
