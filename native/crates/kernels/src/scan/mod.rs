//! Inner products of one query with many rows, in f32, as fast as memory is read.
//!
//! These numbers only narrow down the candidates, so each instruction set may sum in its own order. All of them keep
//! within [`relative_error`] of the true value.

mod anchors;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

use crate::matrix::{LANES, Lanes, Matrix};
use crate::simd::{Simd, SimdLevel};

pub use anchors::Anchors;

/// Writes into `products[i]` the inner product of `query` with row `ordinals[i]`, rounded on the way.
pub fn scan(simd: Simd, matrix: &Matrix, ordinals: &[u32], query: &[Lanes], products: &mut [f32]) {
    assert_eq!(ordinals.len(), products.len(), "one product for each ordinal");
    match simd.level() {
        SimdLevel::Scalar => scalar::scan(matrix, ordinals, query, products),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of this level exists only on a processor that has AVX2 and FMA.
        SimdLevel::Avx2 => unsafe { avx2::scan(matrix, ordinals, query, products) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of this level exists only on a processor that has AVX-512 F.
        SimdLevel::Avx512 => unsafe { avx512::scan(matrix, ordinals, query, products) },
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a `Simd` of this level exists only on 64-bit ARM, where NEON is part of the base.
        SimdLevel::Neon => unsafe { neon::scan(matrix, ordinals, query, products) },
        #[allow(
            unreachable_patterns,
            reason = "which levels are left over depends on the architecture"
        )]
        _ => scalar::scan(matrix, ordinals, query, products),
    }
}

/// Writes into `products[i]` the greatest inner product of row `ordinals[i]` with an anchor, rounded on the way.
///
/// Bound by arithmetic: sixteen anchors stand in the lanes of a register and one number of a row in all of them, so that nothing is
/// added across lanes and a number of a row is read once for all anchors of a block.
pub fn scan_maximum(simd: Simd, matrix: &Matrix, ordinals: &[u32], anchors: &Anchors, products: &mut [f32]) {
    assert_eq!(ordinals.len(), products.len(), "one product for each ordinal");
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of this level exists only on a processor that has AVX2 and FMA.
        SimdLevel::Avx2 => unsafe { avx2::scan_maximum(matrix, ordinals, anchors, products) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of this level exists only on a processor that has AVX-512 F.
        SimdLevel::Avx512 => unsafe { avx512::scan_maximum(matrix, ordinals, anchors, products) },
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a `Simd` of this level exists only on 64-bit ARM, where NEON is part of the base.
        SimdLevel::Neon => unsafe { neon::scan_maximum(matrix, ordinals, anchors, products) },
        _ => scalar::scan_maximum(matrix, ordinals, anchors, products),
    }
}

/// A bound on |computed − true| / (|row| · |query|) for every version of [`scan`], with room for the roundings of f64.
///
/// A sum whose longest chain has m roundings is within m·u / (1 − m·u) times Σ|aᵢbᵢ| ≤ |a|·|b| of the true value, u = 2⁻²⁴
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 3.1). No version chains more than one
/// product, dimensions / 16 sums and four levels of a tree; four more levels are the room.
pub fn relative_error(dimensions: usize) -> f64 {
    error_of_chain(dimensions.div_ceil(LANES) + 8)
}

/// The same for [`scan_maximum`], which adds all products of an anchor in one chain.
pub fn relative_error_of_maximum(dimensions: usize) -> f64 {
    error_of_chain(dimensions + 8)
}

fn error_of_chain(roundings: usize) -> f64 {
    const UNIT_ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;
    let error = roundings as f64 * UNIT_ROUNDOFF;
    error / (1.0 - error)
}

/// Calls `several` on groups of `ROWS` rows and `one` on the rest: what every version of the scan does around its kernel.
macro_rules! scan_in_groups {
    ($rows:literal, $matrix:ident, $ordinals:ident, $query:ident, $products:ident, $dot_rows:ident) => {{
        let rows = $matrix.view();
        let (groups, rest) = $ordinals.as_chunks::<$rows>();
        let (group_products, rest_products) = $products.as_chunks_mut::<$rows>();
        for (ordinals, products) in groups.iter().zip(group_products) {
            *products = $dot_rows::<$rows>(rows.all(ordinals), $query);
        }
        for (&ordinal, product) in rest.iter().zip(rest_products) {
            [*product] = $dot_rows::<1>(rows.all(&[ordinal]), $query);
        }
    }};
}
use scan_in_groups;

/// The first `lanes` of every row, so that a loop over them need not look at the rows' ends. No closure: in a function of a target
/// feature it is not always made part of the loop.
#[inline]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "for their kernels")
)]
fn cut<const ROWS: usize>(mut rows: [&[Lanes]; ROWS], lanes: usize) -> [&[Lanes]; ROWS] {
    for row in &mut rows {
        *row = &row[..lanes];
    }
    rows
}
