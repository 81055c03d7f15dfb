//! The inner product that defines every score of the vector kernels.
//!
//! Four f64 sums: sum j takes the products at positions j, j + 4, j + 8, … in ascending order; the answer is
//! (sum 0 + sum 1) + (sum 2 + sum 3). A product of two f32 is exact in f64 (24 + 24 ≤ 53 bits), so a fused multiply-add
//! gives the same bits as a product followed by a sum, and the order above is all there is to agree on. Zeros behind the
//! end of a row change nothing: the sums start at +0, and +0 plus any zero is +0.

use crate::matrix::Lanes;
use crate::simd::{Simd, SimdLevel};

/// The defining inner product of two padded rows of equal length.
#[inline]
pub fn exact_dot(left: &[Lanes], right: &[Lanes]) -> f64 {
    let mut sums = [0.0_f64; 4];
    for (left, right) in left.iter().zip(right) {
        for (left, right) in left.0.chunks_exact(4).zip(right.0.chunks_exact(4)) {
            for ((sum, &left), &right) in sums.iter_mut().zip(left).zip(right) {
                *sum += f64::from(left) * f64::from(right);
            }
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// [`exact_dot`] rounded to f32, with −0 made the +0 that it ties with: what a score is.
pub fn exact_score(left: &[Lanes], right: &[Lanes]) -> f32 {
    exact_dot(left, right) as f32 + 0.0
}

/// The scores of four rows with one other; the four sums of a row are the four lanes of one AVX2 register, or of two of NEON.
pub fn exact_scores(simd: Simd, rows: [&[Lanes]; 4], other: &[Lanes]) -> [f32; 4] {
    match simd.level() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Simd` of these levels exists only on a processor that has AVX2 and FMA.
        SimdLevel::Avx2 | SimdLevel::Avx512 => unsafe { avx2::exact_scores(rows, other) },
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a `Simd` of this level exists only on 64-bit ARM, where NEON is part of the base.
        SimdLevel::Neon => unsafe { neon::exact_scores(rows, other) },
        _ => rows.map(|row| exact_score(row, other)),
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256d, _mm_load_ps, _mm256_cvtps_pd, _mm256_fmadd_pd, _mm256_setzero_pd, _mm256_storeu_pd,
    };

    use crate::matrix::Lanes;

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn exact_scores(mut rows: [&[Lanes]; 4], other: &[Lanes]) -> [f32; 4] {
        for row in &mut rows {
            *row = &row[..other.len()];
        }
        let mut sums = [_mm256_setzero_pd(); 4];
        for (position, other) in other.iter().enumerate() {
            for quarter in 0..4 {
                let other = load(other, quarter);
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum = _mm256_fmadd_pd(load(&row[position], quarter), other, *sum);
                }
            }
        }
        let mut scores = [0.0; 4];
        for (score, sums) in scores.iter_mut().zip(sums) {
            let mut parts = [0.0; 4];
            // SAFETY: there is room for four f64, and the store needs no alignment.
            unsafe { _mm256_storeu_pd(parts.as_mut_ptr(), sums) };
            *score = ((parts[0] + parts[1]) + (parts[2] + parts[3])) as f32 + 0.0;
        }
        scores
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(lanes: &Lanes, quarter: usize) -> __m256d {
        let four = &lanes.0[4 * quarter..4 * quarter + 4];
        // SAFETY: four numbers on a 16-byte boundary, since `Lanes` begins on a 64-byte one.
        _mm256_cvtps_pd(unsafe { _mm_load_ps(four.as_ptr()) })
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::{float64x2_t, vcvt_f64_f32, vdupq_n_f64, vfmaq_f64, vgetq_lane_f64, vld1_f32};

    use crate::matrix::Lanes;

    #[target_feature(enable = "neon")]
    pub(super) fn exact_scores(rows: [&[Lanes]; 4], other: &[Lanes]) -> [f32; 4] {
        let mut sums = [[vdupq_n_f64(0.0); 2]; 4];
        for (position, other) in other.iter().enumerate() {
            for quarter in 0..4 {
                let other = load(other, quarter);
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let row = load(&row[position], quarter);
                    sums[0] = vfmaq_f64(sums[0], row[0], other[0]);
                    sums[1] = vfmaq_f64(sums[1], row[1], other[1]);
                }
            }
        }
        let mut scores = [0.0; 4];
        for (score, [low, high]) in scores.iter_mut().zip(sums) {
            let first = vgetq_lane_f64::<0>(low) + vgetq_lane_f64::<1>(low);
            *score = (first + (vgetq_lane_f64::<0>(high) + vgetq_lane_f64::<1>(high))) as f32 + 0.0;
        }
        scores
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn load(lanes: &Lanes, quarter: usize) -> [float64x2_t; 2] {
        let four = &lanes.0[4 * quarter..4 * quarter + 4];
        [
            // SAFETY: the first two of four numbers.
            vcvt_f64_f32(unsafe { vld1_f32(four.as_ptr()) }),
            // SAFETY: the last two of four numbers.
            vcvt_f64_f32(unsafe { vld1_f32(four[2..].as_ptr()) }),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::{exact_dot, exact_score, exact_scores};
    use crate::Simd;
    use crate::matrix::Lanes;

    #[test]
    fn sums_in_the_order_that_defines_it() {
        // Sum 0 takes 2^60 and then 1 (lost: f64 keeps 53 bits), sum 1 takes −2^60 and then 1 (lost): 0 + 0.
        // One sum from left to right would give 2^60 − 2^60 + 1 + 1 = 2.
        let mut left = Lanes::ZERO;
        let two_to_60 = 2.0_f32.powi(60);
        left.0[..6].copy_from_slice(&[two_to_60, -two_to_60, 0.0, 0.0, 1.0, 1.0]);
        assert_eq!(exact_dot(&[left], &[Lanes([1.0; 16])]).to_bits(), 0.0_f64.to_bits());
        for simd in Simd::supported() {
            let rows = [[left], [left], [Lanes::ZERO], [Lanes([1.0; 16])]];
            let scores = exact_scores(simd, rows.each_ref().map(<[Lanes; 1]>::as_slice), &[Lanes([1.0; 16])]);
            assert_eq!(scores.map(f32::to_bits), [0.0, 0.0, 0.0, 16.0_f32].map(f32::to_bits));
        }
    }

    #[test]
    fn every_level_gives_the_bits_of_the_plain_loop() {
        let rows: Vec<Vec<Lanes>> = (0..5_u32)
            .map(|row| {
                (0..7_u32)
                    .map(|at| {
                        Lanes(std::array::from_fn(|i| {
                            ((row * 131 + at * 17 + i as u32) as f32).sin() * 1e3
                        }))
                    })
                    .collect()
            })
            .collect();
        let four = [&rows[0][..], &rows[1], &rows[2], &rows[3]];
        for simd in Simd::supported() {
            let scores = exact_scores(simd, four, &rows[4]);
            assert_eq!(
                scores.map(f32::to_bits),
                four.map(|row| exact_score(row, &rows[4]).to_bits())
            );
        }
    }

    #[test]
    fn is_positive_zero_for_negative_zeros() {
        assert_eq!(
            exact_dot(&[Lanes([-0.0; 16])], &[Lanes([1.0; 16])]).to_bits(),
            0.0_f64.to_bits()
        );
    }
}
