use std::arch::x86_64::{
    __m256, _mm_add_ps, _mm_add_ss, _mm_cvtss_f32, _mm_movehl_ps, _mm_shuffle_ps, _mm256_add_ps,
    _mm256_castps256_ps128, _mm256_extractf128_ps, _mm256_fmadd_ps, _mm256_load_ps, _mm256_max_ps, _mm256_set1_ps,
    _mm256_setzero_ps, _mm256_storeu_ps,
};

use super::{Anchors, cut, scan_in_groups};
use crate::matrix::{LANES, Lanes, Matrix};

#[target_feature(enable = "avx2,fma")]
pub(super) fn scan(matrix: &Matrix, ordinals: &[u32], query: &[Lanes], products: &mut [f32]) {
    scan_in_groups!(6, matrix, ordinals, query, products, dot_rows);
}

/// Two sums a row: with six rows twelve of the sixteen registers hold sums, and six streams keep the memory busy.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn dot_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], query: &[Lanes]) -> [f32; ROWS] {
    let rows = cut(rows, query.len());
    let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
    for (position, query) in query.iter().enumerate() {
        let query = load(query);
        for (sums, row) in sums.iter_mut().zip(rows) {
            let row = load(&row[position]);
            sums[0] = _mm256_fmadd_ps(row[0], query[0], sums[0]);
            sums[1] = _mm256_fmadd_ps(row[1], query[1], sums[1]);
        }
    }
    let mut products = [0.0; ROWS];
    for (product, sums) in products.iter_mut().zip(sums) {
        *product = sum_of_lanes(_mm256_add_ps(sums[0], sums[1]));
    }
    products
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn scan_maximum(matrix: &Matrix, ordinals: &[u32], anchors: &Anchors, products: &mut [f32]) {
    scan_in_groups!(6, matrix, ordinals, anchors, products, maximum_of_rows);
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn maximum_of_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], anchors: &Anchors) -> [f32; ROWS] {
    let mut greatest = [_mm256_set1_ps(f32::NEG_INFINITY); ROWS];
    for block in anchors.blocks() {
        for (greatest, [low, high]) in greatest.iter_mut().zip(dot_block(rows, block)) {
            *greatest = _mm256_max_ps(*greatest, _mm256_max_ps(low, high));
        }
    }
    let mut products = [0.0; ROWS];
    for (product, greatest) in products.iter_mut().zip(greatest) {
        let mut lanes = [0.0_f32; 8];
        // SAFETY: there is room for eight f32, and the store needs no alignment.
        unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), greatest) };
        *product = lanes.into_iter().fold(f32::NEG_INFINITY, f32::max);
    }
    products
}

/// Sixteen anchors are two registers, which with six rows leaves four of sixteen registers for what is read.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn dot_block<const ROWS: usize>(rows: [&[Lanes]; ROWS], block: &[Lanes]) -> [[__m256; 2]; ROWS] {
    let (groups, _) = block.as_chunks::<LANES>();
    let rows = cut(rows, groups.len());
    let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
    for (position, group) in groups.iter().enumerate() {
        for (lane, anchors) in group.iter().enumerate() {
            let [low, high] = load(anchors);
            for (sums, row) in sums.iter_mut().zip(rows) {
                let number = _mm256_set1_ps(row[position].0[lane]);
                sums[0] = _mm256_fmadd_ps(number, low, sums[0]);
                sums[1] = _mm256_fmadd_ps(number, high, sums[1]);
            }
        }
    }
    sums
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(lanes: &Lanes) -> [__m256; 2] {
    let (low, high) = lanes.0.split_at(8);
    [
        // SAFETY: the first half of `Lanes` is 32 bytes on a 64-byte boundary.
        unsafe { _mm256_load_ps(low.as_ptr()) },
        // SAFETY: the second half of `Lanes` is 32 bytes, 32 bytes behind a 64-byte boundary.
        unsafe { _mm256_load_ps(high.as_ptr()) },
    ]
}

#[target_feature(enable = "avx2")]
#[inline]
fn sum_of_lanes(sums: __m256) -> f32 {
    let four = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps::<1>(sums));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
}
