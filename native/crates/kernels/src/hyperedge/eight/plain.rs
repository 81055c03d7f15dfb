#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

use super::{Block, Eight, SIXTEENTHS, WIDTH};

/// What the compiler makes of plain loops: SSE2 or NEON where these are part of the base.
#[derive(Clone, Copy)]
pub(in super::super) struct Plain([f64; WIDTH]);

impl Plain {
    #[inline(always)]
    fn with(mut self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        for (left, right) in self.0.iter_mut().zip(other.0) {
            *left = operation(*left, right);
        }
        self
    }

    #[inline(always)]
    fn compare(self, other: Self, how: impl Fn(f64, f64) -> bool) -> [u64; WIDTH] {
        let mut mask = [0; WIDTH];
        for ((mask, left), right) in mask.iter_mut().zip(self.0).zip(other.0) {
            *mask = if how(left, right) { u64::MAX } else { 0 };
        }
        mask
    }
}

impl Eight for Plain {
    type Mask = [u64; WIDTH];

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; WIDTH])
    }
    #[inline(always)]
    fn load(block: &Block) -> Self {
        Self(block.0)
    }
    #[inline(always)]
    fn load_array(numbers: &[f64; WIDTH]) -> Self {
        Self(*numbers)
    }
    #[inline(always)]
    fn store_array(self, numbers: &mut [f64; WIDTH]) {
        *numbers = self.0;
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.with(other, |left, right| left + right)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.with(other, |left, right| left - right)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.with(other, |left, right| left * right)
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        self.with(other, |left, right| left / right)
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.with(other, |left, right| if left > right { left } else { right })
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.with(other, |left, right| if left < right { left } else { right })
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        self.times(factor).plus(term)
    }
    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        self.compare(other, |left, right| left > right)
    }
    #[inline(always)]
    fn is_at_least(self, other: Self) -> Self::Mask {
        self.compare(other, |left, right| left >= right)
    }
    #[inline(always)]
    #[allow(clippy::float_cmp, reason = "this is what it is for")]
    fn is_equal(self, other: Self) -> Self::Mask {
        self.compare(other, |left, right| left == right)
    }
    #[inline(always)]
    fn only(mut self, mask: Self::Mask) -> Self {
        for (number, mask) in self.0.iter_mut().zip(mask) {
            *number = f64::from_bits(number.to_bits() & mask);
        }
        self
    }
    #[inline(always)]
    fn or(mut self, mask: Self::Mask, other: Self) -> Self {
        for ((number, mask), other) in self.0.iter_mut().zip(mask).zip(other.0) {
            *number = f64::from_bits(number.to_bits() & mask | other.to_bits() & !mask);
        }
        self
    }
    #[inline(always)]
    fn both(mut left: Self::Mask, right: Self::Mask) -> Self::Mask {
        for (left, right) in left.iter_mut().zip(right) {
            *left &= right;
        }
        left
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        let mut bits = 0;
        for (i, mask) in mask.into_iter().enumerate() {
            bits |= (mask as u32 & 1) << i;
        }
        bits
    }
    #[inline(always)]
    fn power(mut self) -> Self {
        for number in &mut self.0 {
            let bits = number.to_bits();
            *number = f64::from_bits(SIXTEENTHS[(bits & 15) as usize].wrapping_add(bits << 48));
        }
        self
    }
}
