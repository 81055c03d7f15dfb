//! Loops over rows, each in one order: sums go to sixteen places in turn, which are then added in pairs.

use super::real::{Real, Wide, at_level};
use crate::simd::Simd;

const PLACES: usize = 16;

/// The inner product of two rows, each step fused.
#[inline(always)]
pub(super) fn dot<R: Real>(left: &[R], right: &[R]) -> R {
    let mut sums = [R::ZERO; PLACES];
    let (left, left_rest) = left.as_chunks::<PLACES>();
    let (right, right_rest) = right.as_chunks::<PLACES>();
    for (left, right) in left.iter().zip(right) {
        for ((sum, &a), &b) in sums.iter_mut().zip(left).zip(right) {
            *sum = a.fused(b, *sum);
        }
    }
    for ((sum, &a), &b) in sums.iter_mut().zip(left_rest).zip(right_rest) {
        *sum = a.fused(b, *sum);
    }
    in_pairs(&sums)
}

/// Not inlined: the compiler would make the loops before it as narrow as its last step.
#[inline(never)]
fn in_pairs<R: Real>(sums: &[R; PLACES]) -> R {
    let mut sums = *sums;
    let mut half = PLACES / 2;
    while half > 0 {
        for place in 0..half {
            let other = sums[place + half];
            sums[place] += other;
        }
        half /= 2;
    }
    sums[0]
}

/// Adds `factor · row` to `target`, fused.
#[inline(always)]
pub(super) fn add_scaled<R: Real>(factor: R, row: &[R], target: &mut [R]) {
    for (target, &value) in target.iter_mut().zip(row) {
        *target = factor.fused(value, *target);
    }
}

/// |row|², in f64.
#[inline(always)]
fn square_length<R: Real>(row: &[R]) -> f64 {
    let mut sums = [0.0; PLACES];
    for part in row.chunks(PLACES) {
        for (sum, &value) in sums.iter_mut().zip(part) {
            *sum += value.wide() * value.wide();
        }
    }
    in_pairs(&sums)
}

/// Makes every row of length 1; a row of zeros stays.
pub(super) fn normalise_rows<R: Real>(simd: Simd, rows: &mut [R], dimensions: usize) {
    struct Normalise<'a, R>(&'a mut [R], usize);
    impl<R: Real> Wide for Normalise<'_, R> {
        #[inline(always)]
        fn run(self) {
            for row in self.0.chunks_exact_mut(self.1) {
                let length = square_length(row).sqrt();
                if length > 0.0 {
                    for value in row {
                        *value = R::of(value.wide() / length);
                    }
                }
            }
        }
    }
    at_level(simd, Normalise(rows, dimensions));
}

/// Makes a square matrix the mean of itself and its transpose.
pub(super) fn symmetrise<R: Real>(matrix: &mut [R], dimensions: usize) {
    let half = R::of(0.5);
    for row in 0..dimensions {
        for column in 0..row {
            let (one, other) = (row * dimensions + column, column * dimensions + row);
            let mean = (matrix[one] + matrix[other]) * half;
            matrix[one] = mean;
            matrix[other] = mean;
        }
    }
}

/// The sum of the squares of all numbers, in f64.
pub(super) fn square_sum<R: Real>(simd: Simd, values: &[R]) -> f64 {
    struct Sum<'a, R>(&'a [R], &'a mut f64);
    impl<R: Real> Wide for Sum<'_, R> {
        #[inline(always)]
        fn run(self) {
            *self.1 = square_length(self.0);
        }
    }
    let mut sum = 0.0;
    at_level(simd, Sum(values, &mut sum));
    sum
}

/// The sum of the squares of the differences, in f64.
pub(super) fn square_distance<R: Real>(simd: Simd, values: &[R], others: &[R]) -> f64 {
    struct Sum<'a, R>(&'a [R], &'a [R], &'a mut f64);
    impl<R: Real> Wide for Sum<'_, R> {
        #[inline(always)]
        fn run(self) {
            let mut sums = [0.0; PLACES];
            for (values, others) in self.0.chunks(PLACES).zip(self.1.chunks(PLACES)) {
                for ((sum, &value), &other) in sums.iter_mut().zip(values).zip(others) {
                    let difference = value.wide() - other.wide();
                    *sum += difference * difference;
                }
            }
            *self.2 = in_pairs(&sums);
        }
    }
    let mut sum = 0.0;
    at_level(simd, Sum(values, others, &mut sum));
    sum
}
