use std::arch::aarch64::{
    float32x4_t, vaddq_f32, vaddvq_f32, vdupq_n_f32, vfmaq_f32, vfmaq_n_f32, vld1q_f32, vmaxq_f32, vmaxvq_f32,
};

use super::{Anchors, cut, scan_in_groups};
use crate::matrix::{LANES, Lanes, Matrix};

#[target_feature(enable = "neon")]
pub(super) fn scan(matrix: &Matrix, ordinals: &[u32], query: &[Lanes], products: &mut [f32]) {
    scan_in_groups!(4, matrix, ordinals, query, products, dot_rows);
}

/// Four sums a row: with four rows sixteen of the 32 registers hold sums.
#[target_feature(enable = "neon")]
#[inline]
fn dot_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], query: &[Lanes]) -> [f32; ROWS] {
    let rows = cut(rows, query.len());
    let mut sums = [[vdupq_n_f32(0.0); 4]; ROWS];
    for (position, query) in query.iter().enumerate() {
        let query = load(query);
        for (sums, row) in sums.iter_mut().zip(rows) {
            let row = load(&row[position]);
            for quarter in 0..4 {
                sums[quarter] = vfmaq_f32(sums[quarter], row[quarter], query[quarter]);
            }
        }
    }
    let mut products = [0.0; ROWS];
    for (product, sums) in products.iter_mut().zip(sums) {
        *product = vaddvq_f32(vaddq_f32(vaddq_f32(sums[0], sums[1]), vaddq_f32(sums[2], sums[3])));
    }
    products
}

#[target_feature(enable = "neon")]
pub(super) fn scan_maximum(matrix: &Matrix, ordinals: &[u32], anchors: &Anchors, products: &mut [f32]) {
    scan_in_groups!(5, matrix, ordinals, anchors, products, maximum_of_rows);
}

#[target_feature(enable = "neon")]
#[inline]
fn maximum_of_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], anchors: &Anchors) -> [f32; ROWS] {
    let mut products = [f32::NEG_INFINITY; ROWS];
    for block in anchors.blocks() {
        for (product, sums) in products.iter_mut().zip(dot_block(rows, block)) {
            let greatest = vmaxq_f32(vmaxq_f32(sums[0], sums[1]), vmaxq_f32(sums[2], sums[3]));
            *product = product.max(vmaxvq_f32(greatest));
        }
    }
    products
}

/// Sixteen anchors are four registers, of which five rows have twenty of 32.
#[target_feature(enable = "neon")]
#[inline]
fn dot_block<const ROWS: usize>(rows: [&[Lanes]; ROWS], block: &[Lanes]) -> [[float32x4_t; 4]; ROWS] {
    let (groups, _) = block.as_chunks::<LANES>();
    let rows = cut(rows, groups.len());
    let mut sums = [[vdupq_n_f32(0.0); 4]; ROWS];
    for (position, group) in groups.iter().enumerate() {
        for (lane, anchors) in group.iter().enumerate() {
            let anchors = load(anchors);
            for (sums, row) in sums.iter_mut().zip(rows) {
                let number = row[position].0[lane];
                for quarter in 0..4 {
                    sums[quarter] = vfmaq_n_f32(sums[quarter], anchors[quarter], number);
                }
            }
        }
    }
    sums
}

#[target_feature(enable = "neon")]
#[inline]
fn load(lanes: &Lanes) -> [float32x4_t; 4] {
    let mut quarters = [vdupq_n_f32(0.0); 4];
    for (quarter, numbers) in quarters.iter_mut().zip(lanes.0.chunks_exact(4)) {
        // SAFETY: every chunk holds four numbers, which is what the load reads; it needs no alignment beyond theirs.
        *quarter = unsafe { vld1q_f32(numbers.as_ptr()) };
    }
    quarters
}
