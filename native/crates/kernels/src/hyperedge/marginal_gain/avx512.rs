use std::arch::x86_64::{
    __m512d, __mmask8, _CMP_GE_OQ, _mm512_add_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_fpclass_pd_mask,
    _mm512_loadu_pd, _mm512_maskz_loadu_pd, _mm512_max_pd, _mm512_mul_pd, _mm512_reduce_max_pd, _mm512_set1_pd,
    _mm512_setzero_pd, _mm512_storeu_pd,
};

use super::{LANES, Pass, Terms};

/// NaN of both kinds and both infinities, as the instruction counts them.
pub(super) const NOT_FINITE: i32 = 0x01 | 0x80 | 0x08 | 0x10;

/// Eight candidates at a time, the last lot of a row under a mask, all rows of a step in one pass.
pub(super) struct Wide;

#[allow(clippy::inline_always, reason = "see `rank`")]
impl Pass for Wide {
    #[inline(always)]
    fn sum(terms: &Terms, row: &mut [f64], scores: &mut [f64]) -> Option<f64> {
        // SAFETY: `rank` is instantiated with this type only in a function that has AVX-512 F, DQ and VL.
        unsafe { pass::<false>(terms, row, scores) }
    }

    #[inline(always)]
    fn softmax(terms: &Terms, row: &mut [f64], scores: &mut [f64]) -> Option<f64> {
        // SAFETY: as above.
        unsafe { pass::<true>(terms, row, scores) }
    }

    #[inline(always)]
    fn first(top: f64, scores: &[f64]) -> Option<usize> {
        // SAFETY: as above.
        unsafe { first(top, scores) }
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
#[inline]
fn pass<const SOFTMAX: bool>(terms: &Terms, row: &mut [f64], scores: &mut [f64]) -> Option<f64> {
    let base = _mm512_set1_pd(terms.base);
    let logit_sum = _mm512_set1_pd(terms.sums.logits);
    let (s0, s1) = (_mm512_set1_pd(terms.sums.s0), _mm512_set1_pd(terms.sums.s1));
    let mut top = _mm512_set1_pd(f64::NEG_INFINITY);
    let mut not_finite: __mmask8 = 0;
    let weights = if SOFTMAX { terms.weights } else { terms.logits };
    let columns = row
        .as_chunks_mut::<LANES>()
        .0
        .iter_mut()
        .zip(scores.as_chunks_mut::<LANES>().0);
    let columns = columns
        .zip(terms.logits.as_chunks::<LANES>().0)
        .zip(weights.as_chunks::<LANES>().0);
    let columns = columns.zip(terms.penalties.as_chunks::<LANES>().0);
    for (lot, ((((row, scores), logits), weights), penalties)) in columns.enumerate() {
        let mut sum = if terms.fresh { _mm512_setzero_pd() } else { load(row) };
        for pairs in terms.rows {
            sum = _mm512_add_pd(sum, load_part(&pairs[lot * LANES..]));
        }
        store(row, sum);
        let logits = load(logits);
        let alignment = if SOFTMAX {
            let weights = load(weights);
            _mm512_div_pd(
                _mm512_add_pd(s1, _mm512_mul_pd(logits, weights)),
                _mm512_add_pd(s0, weights),
            )
        } else {
            _mm512_add_pd(logit_sum, logits)
        };
        let score = _mm512_add_pd(_mm512_add_pd(base, sum), alignment);
        not_finite |= _mm512_fpclass_pd_mask::<NOT_FINITE>(score);
        let score = _mm512_add_pd(score, load(penalties));
        store(scores, score);
        top = _mm512_max_pd(top, score);
    }
    (not_finite == 0).then(|| _mm512_reduce_max_pd(top))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn first(top: f64, scores: &[f64]) -> Option<usize> {
    if top == f64::NEG_INFINITY {
        return None;
    }
    let wanted = _mm512_set1_pd(top);
    // A branch for 64 candidates, since which lot it is cannot be foreseen. Loops, since a closure of an iterator would not be inlined
    // into a function of this instruction set.
    for (i, scores) in scores.chunks(64).enumerate() {
        let mut found = 0_u64;
        for (lot, scores) in scores.as_chunks::<LANES>().0.iter().enumerate() {
            found |= u64::from(_mm512_cmp_pd_mask::<_CMP_GE_OQ>(load(scores), wanted)) << (lot * LANES);
        }
        if found != 0 {
            return Some(i * 64 + found.trailing_zeros() as usize);
        }
    }
    None
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load(numbers: &[f64; LANES]) -> __m512d {
    // SAFETY: eight numbers are what the load reads; it needs no alignment beyond theirs.
    unsafe { _mm512_loadu_pd(numbers.as_ptr()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn store(numbers: &mut [f64; LANES], values: __m512d) {
    // SAFETY: eight numbers are what the store writes; it needs no alignment beyond theirs.
    unsafe { _mm512_storeu_pd(numbers.as_mut_ptr(), values) }
}

/// The next eight numbers, zeros where there are fewer.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load_part(numbers: &[f64]) -> __m512d {
    let mask = if numbers.len() < LANES {
        (1 << numbers.len()) - 1
    } else {
        __mmask8::MAX
    };
    // SAFETY: the mask leaves out what is behind the slice, and a masked load does not touch what is left out.
    unsafe { _mm512_maskz_loadu_pd(mask, numbers.as_ptr()) }
}
