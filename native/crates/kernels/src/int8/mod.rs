//! Rows in a quarter of their memory, for a scan that knows how far it can be from the truth.
//!
//! A row v is kept as s·q + r: s one f32, q integers of −127 to 127, r what is left, of which the length is kept. A query u becomes t·P + e
//! in the same way, with integers P of up to 15 bits. Then v·u = s·t·(q·P) + s·q·e + r·u, and by Cauchy and Schwarz
//! |v·u − s·t·(q·P)| ≤ (|v| + |r|)·|e| + |r|·|u|. The integer q·P is exact and the same on every processor; the few f32 operations on
//! it are covered by [`QueryError`].

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;
mod query;
mod rows;
#[cfg(target_arch = "x86_64")]
mod vnni;

pub(crate) use query::{Int8Anchors, Int8Query};
pub(crate) use rows::{ByteRows, Int8Rows};

use crate::exact_dot::exact_dot;
use crate::matrix::{LANES, Lanes};
use crate::simd::{Simd, SimdLevel};

/// Which instructions multiply integers: proof, like [`Simd`], that the processor has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Int8Kernels(Instructions);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instructions {
    /// AVX-512 VNNI: 64 products an instruction. Not every processor with AVX-512 has it.
    #[cfg(target_arch = "x86_64")]
    Vnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Plain,
}

impl Int8Kernels {
    /// The best within a level.
    pub(crate) fn within(simd: Simd) -> Self {
        Self(match simd.level() {
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 if is_x86_feature_detected!("avx512vnni") => Instructions::Vnni,
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 | SimdLevel::Avx2 => Instructions::Avx2,
            #[cfg(target_arch = "aarch64")]
            SimdLevel::Neon => Instructions::Neon,
            _ => Instructions::Plain,
        })
    }

    /// Writes into `products[i]` the product of row `ordinals[i]` and the query, within the bound of [`Int8Query::error`].
    pub(crate) fn scan(self, rows: ByteRows<'_>, ordinals: &[u32], query: &Int8Query, products: &mut [f32]) {
        assert_eq!(ordinals.len(), products.len(), "one product for each ordinal");
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: these instructions were chosen because the processor has them.
            Instructions::Vnni => unsafe { vnni::scan(rows, ordinals, query, products) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx2 => unsafe { avx2::scan(rows, ordinals, query, products) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: as above.
            Instructions::Neon => unsafe { neon::scan(rows, ordinals, query, products) },
            Instructions::Plain => plain::scan(rows, ordinals, query, products),
        }
    }

    /// Whether [`Self::scan_maximum`] can be called: without VNNI integers multiply no faster than floats.
    pub(crate) fn has_maximum(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Vnni => true,
            _ => false,
        }
    }

    /// Writes into `products[i]` the greatest product of row `ordinals[i]` with an anchor, within the bound of
    /// [`Int8Anchors::error`].
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(unused_variables, reason = "see `has_maximum`: nothing is called here")
    )]
    pub(crate) fn scan_maximum(
        self,
        rows: ByteRows<'_>,
        ordinals: &[u32],
        anchors: &Int8Anchors,
        products: &mut [f32],
    ) {
        assert_eq!(ordinals.len(), products.len(), "one product for each ordinal");
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: these instructions were chosen because the processor has them.
            Instructions::Vnni => unsafe { vnni::scan_maximum(rows, ordinals, anchors, products) },
            _ => unreachable!("asked of `has_maximum` before"),
        }
    }
}

/// Bounds how far a product can be from the true one: `per_length` times the row's length and `per_residual` times the length of
/// its residual.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct QueryError {
    pub(crate) per_length: f64,
    pub(crate) per_residual: f64,
}

impl QueryError {
    /// From the lengths of a query and of its residual. Three f32 roundings (the integer, two scales) are within 2⁻²² of a product
    /// that is at most (|v| + |r|)·(|u| + |e|), and the scores' own f64 roundings far below the other half of the 2⁻²¹ taken here.
    fn new(length: f64, residual: f64) -> Self {
        let rounding = (length + residual) * (1.0 / f64::from(1 << 21));
        Self {
            per_length: residual + rounding,
            per_residual: length + residual + rounding,
        }
    }

    fn worse(self, other: Self) -> Self {
        Self {
            per_length: self.per_length.max(other.per_length),
            per_residual: self.per_residual.max(other.per_residual),
        }
    }
}

/// Numbers below this are taken as zeros, so that scales are never too small to divide by: they all go into the residual.
const TINY: f32 = 1.0 / (1_u128 << 100) as f32;

/// Adding and taking away 1.5 · 2^23 rounds an f32 below 2^22 to the nearest integer.
const ROUNDER: f32 = (3 << 22) as f32;

/// Writes integers P of at most `limit` (2^15 − 1 or less), and gives the scale t and the length of the residual u − t·P.
fn quantise(simd: Simd, values: &[Lanes], limit: i32, integers: &mut [[i16; LANES]]) -> (f32, f64) {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of these levels exists only on a processor that has AVX2.
        SimdLevel::Avx2 | SimdLevel::Avx512 => unsafe { quantise_by_avx2(values, limit, integers) },
        _ => quantise_plainly(values, limit, integers),
    }
}

/// The same loop, which the compiler makes three times as fast with wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn quantise_by_avx2(values: &[Lanes], limit: i32, integers: &mut [[i16; LANES]]) -> (f32, f64) {
    quantise_plainly(values, limit, integers)
}

#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "so that every caller compiles it for its own instructions"
)]
fn quantise_plainly(values: &[Lanes], limit: i32, integers: &mut [[i16; LANES]]) -> (f32, f64) {
    let mut greatest = [0.0_f32; LANES];
    for lanes in values {
        for (greatest, value) in greatest.iter_mut().zip(&lanes.0) {
            *greatest = if value.abs() > *greatest {
                value.abs()
            } else {
                *greatest
            };
        }
    }
    let greatest = greatest.into_iter().fold(0.0, f32::max);
    if greatest < TINY {
        integers.as_flattened_mut().fill(0);
        return (0.0, exact_dot(values, values).sqrt());
    }
    let scale = greatest / limit as f32;
    let inverse = 1.0 / scale;
    let limit = limit as f32;
    let mut sums = [0.0; LANES];
    for (values, integers) in values.iter().zip(integers) {
        for ((&value, integer), sum) in values.0.iter().zip(integers).zip(&mut sums) {
            let rounded = ((value * inverse + ROUNDER) - ROUNDER).clamp(-limit, limit);
            // SAFETY: it is within ±limit, which fits; and it is no NaN, since the values are finite and the scale is not small.
            *integer = unsafe { rounded.to_int_unchecked::<i32>() } as i16;
            // The product of an f32 and 15 bits is exact in f64.
            let left = f64::from(value) - f64::from(scale) * f64::from(rounded);
            *sum += left * left;
        }
    }
    (scale, sums.iter().sum::<f64>().sqrt())
}
