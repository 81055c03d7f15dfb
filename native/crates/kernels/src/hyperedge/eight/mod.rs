//! Eight f64 side by side: the enumeration is written once, in terms of these operations, and compiled for each instruction set.
//!
//! Every operation but [`Eight::times_plus`] rounds as the same operation on each of the eight numbers, so that what is computed with
//! them does not depend on the instruction set.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
pub(super) mod plain;

/// Eight numbers on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [f64; 8]);

/// Numbers in a [`Block`].
pub(super) const WIDTH: usize = 8;

impl Block {
    pub(super) const ZERO: Self = Self([0.0; WIDTH]);

    /// The sum in a fixed tree: halves, quarters, the last two.
    pub(super) fn total(&self) -> f64 {
        let sum = |i: usize| self.0[i] + self.0[i + 4];
        (sum(0) + sum(2)) + (sum(1) + sum(3))
    }
}

/// The numbers of some blocks.
pub(super) fn numbers(blocks: &[Block]) -> &[f64] {
    // SAFETY: a block is eight f64 and nothing else.
    unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len() * WIDTH) }
}

/// The numbers of some blocks, to be written.
pub(super) fn numbers_mut(blocks: &mut [Block]) -> &mut [f64] {
    // SAFETY: a block is eight f64 and nothing else, and the blocks are borrowed for as long as the numbers.
    unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len() * WIDTH) }
}

/// Eight numbers in registers. Values exist only inside functions that were entered with a `Simd` of their level.
pub(super) trait Eight: Copy {
    /// Eight truths.
    type Mask: Copy;

    fn splat(value: f64) -> Self;
    fn load(block: &Block) -> Self;
    fn load_array(numbers: &[f64; WIDTH]) -> Self;
    fn store_array(self, numbers: &mut [f64; WIDTH]);
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    /// The larger of two numbers; neither is NaN.
    fn larger(self, other: Self) -> Self;
    /// The smaller of two numbers; neither is NaN.
    fn smaller(self, other: Self) -> Self;
    /// self · factor + term, rounded once or twice: not for numbers that are answered.
    fn times_plus(self, factor: Self, term: Self) -> Self;
    /// False for NaN.
    fn is_above(self, other: Self) -> Self::Mask;
    /// False for NaN.
    fn is_at_least(self, other: Self) -> Self::Mask;
    /// False for NaN.
    fn is_equal(self, other: Self) -> Self::Mask;
    /// The numbers where the mask is true, 0 elsewhere.
    fn only(self, mask: Self::Mask) -> Self;
    /// The numbers where the mask is true, those of `other` elsewhere.
    fn or(self, mask: Self::Mask, other: Self) -> Self;
    fn both(left: Self::Mask, right: Self::Mask) -> Self::Mask;
    /// Bit i is the truth of number i.
    fn bits(mask: Self::Mask) -> u32;
    /// 2^(k / 16) for numbers 1.5 · 2^52 + k with k an integer from −16,160 to 16.
    fn power(self) -> Self;

    /// True for the first `count` numbers, at most all eight.
    #[inline(always)]
    fn first(count: usize) -> Self::Mask {
        const LANES: Block = Block([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        Self::splat(count as f64).is_above(Self::load(&LANES))
    }

    /// False for the first `count` numbers, at most all eight.
    #[inline(always)]
    fn not_first(count: usize) -> Self::Mask {
        const LANES: Block = Block([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        Self::load(&LANES).is_at_least(Self::splat(count as f64))
    }

    /// The largest of the eight.
    #[inline(always)]
    fn largest(self) -> f64 {
        let mut block = Block::ZERO;
        self.store(&mut block);
        let [low, high] = [0, 4].map(|i| block.0[i].max(block.0[i + 1]).max(block.0[i + 2].max(block.0[i + 3])));
        low.max(high)
    }

    #[inline(always)]
    fn store(self, block: &mut Block) {
        self.store_array(&mut block.0);
    }
}

/// 2^(j / 16), less j in the bits from 48 on: to be added to k in those bits, j = k mod 16.
#[rustfmt::skip]
pub(super) const SIXTEENTHS: [u64; 16] = {
    let powers: [u64; 16] = POWERS;
    let mut table = [0; 16];
    let mut j = 0;
    while j < 16 {
        table[j] = powers[j].wrapping_sub((j as u64) << 48);
        j += 1;
    }
    table
};

/// 2^(j / 16), rounded to the nearest.
pub(super) const POWERS: [u64; 16] = [
    0x3ff0_0000_0000_0000,
    0x3ff0_b558_6cf9_890f,
    0x3ff1_72b8_3c7d_517b,
    0x3ff2_387a_6e75_6238,
    0x3ff3_06fe_0a31_b715,
    0x3ff3_dea6_4c12_3422,
    0x3ff4_bfda_d536_2a27,
    0x3ff5_ab07_dd48_5429,
    0x3ff6_a09e_667f_3bcd,
    0x3ff7_a114_73eb_0187,
    0x3ff8_ace5_422a_a0db,
    0x3ff9_c491_82a3_f090,
    0x3ffa_e89f_995a_d3ad,
    0x3ffc_199b_dd85_529c,
    0x3ffd_5818_dcfb_a487,
    0x3ffe_a4af_a2a4_90da,
];
