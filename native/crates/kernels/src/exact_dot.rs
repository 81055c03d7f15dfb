//! The inner product that defines every score of the vector kernels.
//!
//! Four f64 sums: sum j takes the products at positions j, j + 4, j + 8, … in ascending order; the answer is
//! (sum 0 + sum 1) + (sum 2 + sum 3). A product of two f32 is exact in f64 (24 + 24 ≤ 53 bits), so a fused multiply-add
//! gives the same bits as a product followed by a sum, and the order above is all there is to agree on. Zeros behind the
//! end of a row change nothing: the sums start at +0, and +0 plus any zero is +0.

use crate::matrix::Lanes;

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

#[cfg(test)]
mod tests {
    use super::exact_dot;
    use crate::matrix::Lanes;

    #[test]
    fn sums_in_the_order_that_defines_it() {
        // Sum 0 takes 2^60 and then 1 (lost: f64 keeps 53 bits), sum 1 takes −2^60 and then 1 (lost): 0 + 0.
        // One sum from left to right would give 2^60 − 2^60 + 1 + 1 = 2.
        let mut left = Lanes::ZERO;
        let two_to_60 = 2.0_f32.powi(60);
        left.0[..6].copy_from_slice(&[two_to_60, -two_to_60, 0.0, 0.0, 1.0, 1.0]);
        assert_eq!(exact_dot(&[left], &[Lanes([1.0; 16])]).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn is_positive_zero_for_negative_zeros() {
        assert_eq!(
            exact_dot(&[Lanes([-0.0; 16])], &[Lanes([1.0; 16])]).to_bits(),
            0.0_f64.to_bits()
        );
    }
}
