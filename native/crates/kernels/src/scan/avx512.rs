use std::arch::x86_64::{
    __m512, _MM_HINT_T1, _mm_prefetch, _mm512_fmadd_ps, _mm512_load_ps, _mm512_max_ps, _mm512_reduce_add_ps,
    _mm512_reduce_max_ps, _mm512_set1_ps, _mm512_setzero_ps,
};

use super::{Anchors, cut, scan_in_groups};
use crate::matrix::{LANES, Lanes, Matrix};

#[target_feature(enable = "avx512f")]
pub(super) fn scan(matrix: &Matrix, ordinals: &[u32], query: &[Lanes], products: &mut [f32]) {
    scan_in_groups!(4, matrix, ordinals, query, products, dot_rows);
}

/// One sum a row. Four streams keep the memory busy; with pages of 2 MB eight were 5 % slower from memory and no faster from the
/// cache, and asking for rows early gained as much from memory as it lost from the cache.
#[target_feature(enable = "avx512f")]
#[inline]
fn dot_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], query: &[Lanes]) -> [f32; ROWS] {
    let rows = cut(rows, query.len());
    let mut sums = [_mm512_setzero_ps(); ROWS];
    for (position, query) in query.iter().enumerate() {
        let query = load(query);
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum = _mm512_fmadd_ps(load(&row[position]), query, *sum);
        }
    }
    let mut products = [0.0; ROWS];
    for (product, sum) in products.iter_mut().zip(sums) {
        *product = _mm512_reduce_add_ps(sum);
    }
    products
}

#[target_feature(enable = "avx512f")]
pub(super) fn scan_maximum(matrix: &Matrix, ordinals: &[u32], anchors: &Anchors, products: &mut [f32]) {
    scan_in_groups!(12, matrix, ordinals, anchors, products, maximum_of_rows);
}

#[target_feature(enable = "avx512f")]
#[inline]
fn maximum_of_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], anchors: &Anchors) -> [f32; ROWS] {
    let mut greatest = [_mm512_set1_ps(f32::NEG_INFINITY); ROWS];
    for block in anchors.blocks() {
        for (greatest, sums) in greatest.iter_mut().zip(dot_block(rows, block)) {
            *greatest = _mm512_max_ps(*greatest, sums);
        }
    }
    let mut products = [0.0; ROWS];
    for (product, greatest) in products.iter_mut().zip(greatest) {
        *product = _mm512_reduce_max_ps(greatest);
    }
    products
}

/// Twelve rows hide the latency of the fused multiply-add, and each of them is read from the first-level cache once a block.
#[target_feature(enable = "avx512f")]
#[inline]
fn dot_block<const ROWS: usize>(rows: [&[Lanes]; ROWS], block: &[Lanes]) -> [__m512; ROWS] {
    let (groups, _) = block.as_chunks::<LANES>();
    let rows = cut(rows, groups.len());
    let mut sums = [_mm512_setzero_ps(); ROWS];
    for (position, group) in groups.iter().enumerate() {
        for row in rows {
            prefetch(row.as_ptr().wrapping_add(position + ROWS * row.len()));
        }
        for (lane, anchors) in group.iter().enumerate() {
            let anchors = load(anchors);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = _mm512_fmadd_ps(_mm512_set1_ps(row[position].0[lane]), anchors, *sum);
            }
        }
    }
    sums
}

/// Asks for a line of the rows that come next when all are read in order, into the second-level cache: the first has no room beside
/// the rows of now. Rows of a list find a line they do not need.
#[target_feature(enable = "avx512f")]
#[inline]
#[allow(
    unused_unsafe,
    reason = "not every compiler that this builds with knows that it is safe"
)]
fn prefetch(line: *const Lanes) {
    // SAFETY: nothing is read; an address that is not mapped is ignored.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(line.cast()) };
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load(lanes: &Lanes) -> __m512 {
    // SAFETY: `Lanes` is 64 bytes on a 64-byte boundary, which is what an aligned load reads.
    unsafe { _mm512_load_ps(lanes.0.as_ptr()) }
}
