//! Eight f64 in registers of this level.
//!
//! SAFETY, for every `unsafe` of this file that has no reason of its own: values of its type are made and used only inside functions that were
//! entered with a `Simd` of this level, so that the processor has AVX2 and FMA; loads and stores go through references to eight f64, and
//! those that need an alignment through a `Block`, which has it.
#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "there is one reason for all, above"
)]

use std::arch::x86_64::{
    __m256d, _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_GT_OQ, _mm256_add_epi64, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256,
    _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_div_pd, _mm256_fmadd_pd,
    _mm256_i64gather_epi64, _mm256_load_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_min_pd, _mm256_movemask_pd,
    _mm256_mul_pd, _mm256_set1_epi64x, _mm256_set1_pd, _mm256_slli_epi64, _mm256_storeu_pd, _mm256_sub_pd,
};

use super::{Block, Eight, SIXTEENTHS, WIDTH};

#[derive(Clone, Copy)]
pub(in super::super) struct Avx2(__m256d, __m256d);

macro_rules! each {
    ($operation:ident($left:expr $(, $others:expr)*)) => {
        unsafe { Self($operation($left.0 $(, $others.0)*), $operation($left.1 $(, $others.1)*)) }
    };
}

impl Avx2 {
    #[inline(always)]
    fn compare<const HOW: i32>(self, other: Self) -> Self {
        unsafe {
            Self(
                _mm256_cmp_pd::<HOW>(self.0, other.0),
                _mm256_cmp_pd::<HOW>(self.1, other.1),
            )
        }
    }
}

impl Eight for Avx2 {
    type Mask = Self;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        let half = unsafe { _mm256_set1_pd(value) };
        Self(half, half)
    }
    #[inline(always)]
    fn load(block: &Block) -> Self {
        let pointer = block.0.as_ptr();
        unsafe { Self(_mm256_load_pd(pointer), _mm256_load_pd(pointer.add(4))) }
    }
    #[inline(always)]
    fn load_array(numbers: &[f64; WIDTH]) -> Self {
        let pointer = numbers.as_ptr();
        unsafe { Self(_mm256_loadu_pd(pointer), _mm256_loadu_pd(pointer.add(4))) }
    }
    #[inline(always)]
    fn store_array(self, numbers: &mut [f64; WIDTH]) {
        let pointer = numbers.as_mut_ptr();
        unsafe {
            _mm256_storeu_pd(pointer, self.0);
            _mm256_storeu_pd(pointer.add(4), self.1);
        }
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        each!(_mm256_add_pd(self, other))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        each!(_mm256_sub_pd(self, other))
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        each!(_mm256_mul_pd(self, other))
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        each!(_mm256_div_pd(self, other))
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        each!(_mm256_max_pd(self, other))
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        each!(_mm256_min_pd(self, other))
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        each!(_mm256_fmadd_pd(self, factor, term))
    }
    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        self.compare::<_CMP_GT_OQ>(other)
    }
    #[inline(always)]
    fn is_at_least(self, other: Self) -> Self::Mask {
        self.compare::<_CMP_GE_OQ>(other)
    }
    #[inline(always)]
    fn is_equal(self, other: Self) -> Self::Mask {
        self.compare::<_CMP_EQ_OQ>(other)
    }
    #[inline(always)]
    fn only(self, mask: Self::Mask) -> Self {
        each!(_mm256_and_pd(self, mask))
    }
    #[inline(always)]
    fn or(self, mask: Self::Mask, other: Self) -> Self {
        each!(_mm256_blendv_pd(other, self, mask))
    }
    #[inline(always)]
    fn both(left: Self::Mask, right: Self::Mask) -> Self::Mask {
        each!(_mm256_and_pd(left, right))
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        unsafe { (_mm256_movemask_pd(mask.0) | _mm256_movemask_pd(mask.1) << 4).cast_unsigned() }
    }
    #[inline(always)]
    fn power(self) -> Self {
        // SAFETY: the processor as above; `j` is 0 to 15, and `SIXTEENTHS` is sixteen numbers of 64 bits.
        let half = |numbers: __m256d| unsafe {
            let bits = _mm256_castpd_si256(numbers);
            let j = _mm256_and_si256(bits, _mm256_set1_epi64x(15));
            let sixteenths = _mm256_i64gather_epi64::<8>(SIXTEENTHS.as_ptr().cast(), j);
            _mm256_castsi256_pd(_mm256_add_epi64(sixteenths, _mm256_slli_epi64::<48>(bits)))
        };
        Self(half(self.0), half(self.1))
    }
}
