//! Eight f64 in registers of this level.
//!
//! SAFETY, for every `unsafe` of this file that has no reason of its own: values of its type are made and used only inside functions that were
//! entered with a `Simd` of this level, so that the processor has AVX-512 F, BW, DQ and VL; loads and stores go through references to eight
//! f64, and those that need an alignment through a `Block`, which has it.
#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "there is one reason for nearly all, above"
)]

use std::arch::x86_64::{
    __m512d, __mmask8, _CMP_EQ_OQ, _CMP_GE_OQ, _CMP_GT_OQ, _mm512_add_epi64, _mm512_add_pd, _mm512_castpd_si512,
    _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_fmadd_pd, _mm512_load_pd, _mm512_loadu_pd,
    _mm512_loadu_si512, _mm512_mask_blend_pd, _mm512_maskz_mov_pd, _mm512_max_pd, _mm512_min_pd, _mm512_mul_pd,
    _mm512_permutex2var_epi64, _mm512_set1_pd, _mm512_slli_epi64, _mm512_storeu_pd, _mm512_sub_pd,
};

use super::{Block, Eight, SIXTEENTHS, WIDTH};

#[derive(Clone, Copy)]
pub(in super::super) struct Avx512(__m512d);

impl Eight for Avx512 {
    type Mask = __mmask8;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(unsafe { _mm512_set1_pd(value) })
    }
    #[inline(always)]
    fn load(block: &Block) -> Self {
        Self(unsafe { _mm512_load_pd(block.0.as_ptr()) })
    }
    #[inline(always)]
    fn load_array(numbers: &[f64; WIDTH]) -> Self {
        Self(unsafe { _mm512_loadu_pd(numbers.as_ptr()) })
    }
    #[inline(always)]
    fn store_array(self, numbers: &mut [f64; WIDTH]) {
        unsafe { _mm512_storeu_pd(numbers.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(unsafe { _mm512_sub_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(unsafe { _mm512_mul_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn over(self, other: Self) -> Self {
        Self(unsafe { _mm512_div_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn times_plus(self, factor: Self, term: Self) -> Self {
        Self(unsafe { _mm512_fmadd_pd(self.0, factor.0, term.0) })
    }
    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn is_at_least(self, other: Self) -> Self::Mask {
        unsafe { _mm512_cmp_pd_mask::<_CMP_GE_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn is_equal(self, other: Self) -> Self::Mask {
        unsafe { _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn only(self, mask: Self::Mask) -> Self {
        Self(unsafe { _mm512_maskz_mov_pd(mask, self.0) })
    }
    #[inline(always)]
    fn or(self, mask: Self::Mask, other: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_pd(mask, other.0, self.0) })
    }
    #[inline(always)]
    fn both(left: Self::Mask, right: Self::Mask) -> Self::Mask {
        left & right
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn power(self) -> Self {
        // SAFETY: the processor as above; `SIXTEENTHS` is sixteen numbers of 64 bits, of which the first eight and the last eight are read, which
        // need no alignment.
        unsafe {
            let bits = _mm512_castpd_si512(self.0);
            let low = _mm512_loadu_si512(SIXTEENTHS.as_ptr().cast());
            let high = _mm512_loadu_si512(SIXTEENTHS.as_ptr().add(8).cast());
            let sixteenths = _mm512_permutex2var_epi64(low, bits, high);
            Self(_mm512_castsi512_pd(_mm512_add_epi64(
                sixteenths,
                _mm512_slli_epi64::<48>(bits),
            )))
        }
    }
}
