use super::scan_in_groups;
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
