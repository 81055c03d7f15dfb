use super::{Anchors, scan_in_groups};
use crate::matrix::{LANES, Lanes, Matrix};

pub(super) fn scan(matrix: &Matrix, ordinals: &[u32], query: &[Lanes], products: &mut [f32]) {
    scan_in_groups!(1, matrix, ordinals, query, products, dot_rows);
}

fn dot_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], query: &[Lanes]) -> [f32; ROWS] {
    rows.map(|row| {
        let mut sums = [0.0; LANES];
        for (row, query) in row.iter().zip(query) {
            for ((sum, row), query) in sums.iter_mut().zip(&row.0).zip(&query.0) {
                *sum += row * query;
            }
        }
        sum_of_lanes(sums)
    })
}

pub(super) fn scan_maximum(matrix: &Matrix, ordinals: &[u32], anchors: &Anchors, products: &mut [f32]) {
    scan_in_groups!(2, matrix, ordinals, anchors, products, maximum_of_rows);
}

fn maximum_of_rows<const ROWS: usize>(rows: [&[Lanes]; ROWS], anchors: &Anchors) -> [f32; ROWS] {
    let mut greatest = [f32::NEG_INFINITY; ROWS];
    for block in anchors.blocks() {
        let mut sums = [[0.0_f32; LANES]; ROWS];
        for (position, group) in block.as_chunks::<LANES>().0.iter().enumerate() {
            for (lane, anchors) in group.iter().enumerate() {
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let number = row[position].0[lane];
                    for (sum, anchor) in sums.iter_mut().zip(&anchors.0) {
                        *sum += number * anchor;
                    }
                }
            }
        }
        for (greatest, sums) in greatest.iter_mut().zip(sums) {
            *greatest = sums.into_iter().fold(*greatest, f32::max);
        }
    }
    greatest
}

/// Adds sixteen numbers in a tree of four levels.
fn sum_of_lanes(mut sums: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}
