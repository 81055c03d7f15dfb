//! Pools of up to 64 without constraints but exclusion: each query's numbers stay in registers or close to them, and four queries are
//! ranked side by side, because a step of one is a chain of operations that wait for one another.

use std::arch::x86_64::{
    __m512d, __mmask8, _CMP_GE_OQ, _CMP_LT_OQ, _mm512_add_epi64, _mm512_add_pd, _mm512_castpd_si512,
    _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_fpclass_pd_mask, _mm512_mask_mov_pd, _mm512_max_pd,
    _mm512_min_pd, _mm512_mul_pd, _mm512_reduce_max_pd, _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_pd,
    _mm512_slli_epi64, _mm512_sub_pd,
};

use super::avx512::{NOT_FINITE, load, load_part, store};
use super::{Batch, LANES, Rankings};
use crate::elementary::{EXP_POLYNOMIAL, LN_2_HIGH, LN_2_LOW, ROUNDER, SMALLEST_EXPONENT};
use crate::hyperedge::problem::{Alignment, HyperedgeRequest, SMALLEST_SUM};

const WAYS: usize = 4;
const MOST_LOTS: usize = 8;

/// Ranks all queries; says no, with the columns half filled, where the general way is needed: for large pools, for constraints, for
/// exponentials that vanish, and to say what is not finite.
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub(super) fn rank_small(batch: &Batch, rankings: &mut Rankings) -> bool {
    let constraints = &batch.request.constraints;
    let plain = [constraints.require, constraints.group_members, constraints.tokens]
        .iter()
        .all(|list| list.is_empty());
    if !plain || batch.pool > MOST_LOTS * LANES {
        return false;
    }
    match (batch.request.alignment, batch.pool.div_ceil(LANES)) {
        (Alignment::Sum, 0..=2) => rank::<2, false>(batch, rankings),
        (Alignment::Sum, 3) => rank::<3, false>(batch, rankings),
        (Alignment::Sum, 4) => rank::<4, false>(batch, rankings),
        (Alignment::Sum, 5..=6) => rank::<6, false>(batch, rankings),
        (Alignment::Sum, 7) => rank::<7, false>(batch, rankings),
        (Alignment::Sum, _) => rank::<8, false>(batch, rankings),
        (Alignment::Softmax, 0..=2) => rank::<2, true>(batch, rankings),
        (Alignment::Softmax, 3) => rank::<3, true>(batch, rankings),
        (Alignment::Softmax, 4) => rank::<4, true>(batch, rankings),
        (Alignment::Softmax, 5..=6) => rank::<6, true>(batch, rankings),
        (Alignment::Softmax, 7) => rank::<7, true>(batch, rankings),
        (Alignment::Softmax, _) => rank::<8, true>(batch, rankings),
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn rank<const LOTS: usize, const SOFTMAX: bool>(batch: &Batch, rankings: &mut Rankings) -> bool {
    let queries = rankings.offsets.len() - 1;
    let excluded = batch.request.constraints.exclude;
    let mut blocked = [__mmask8::MAX; LOTS];
    for index in (0..batch.pool).filter(|&index| !excluded.contains(&(index as u32))) {
        blocked[index / LANES] &= !(1 << (index % LANES));
    }
    let open: usize = blocked.iter().map(|blocked| blocked.count_zeros() as usize).sum();
    let most = batch
        .room
        .min(batch.request.constraints.max_tools.unwrap_or(usize::MAX))
        .min(batch.pool);
    let k = most.min(open);
    // Where nobody is left before the room is used up, the numbers of one more step are looked at, and nobody is taken.
    let steps = most.min(open + 1);
    for first in (0..queries).step_by(WAYS) {
        let ways = (queries - first).min(WAYS);
        let mut runs = [Run::<LOTS>::new(blocked); WAYS];
        // The last group may be short: its last query is taken again, and not ranked.
        let requests: [HyperedgeRequest; WAYS] =
            std::array::from_fn(|way| batch.request_of((first + way).min(queries - 1)));
        for (run, request) in runs[..ways].iter_mut().zip(&requests) {
            run.start::<SOFTMAX>(request);
        }
        for step in 0..steps {
            for (way, (run, request)) in runs[..ways].iter_mut().zip(&requests).enumerate() {
                let at = (first + way) * k;
                let Some((index, score)) = run.step::<SOFTMAX>(request, &rankings.ids[at..at + step]) else {
                    return false;
                };
                if step == k {
                    continue;
                }
                rankings.ids[at + step] = index;
                rankings.scores[at + step] = score;
                rankings.gains[at + step] = score - run.before;
                run.before = score;
            }
        }
    }
    for (query, offset) in rankings.offsets.iter_mut().enumerate() {
        *offset = (query * k) as u32;
    }
    true
}

/// The state of one query.
#[derive(Clone, Copy)]
struct Run<const LOTS: usize> {
    blocked: [__mmask8; LOTS],
    logits: [[f64; LANES]; LOTS],
    weights: [[f64; LANES]; LOTS],
    rows: [[f64; LANES]; LOTS],
    pair_sum: f64,
    logit_sum: f64,
    s0: f64,
    s1: f64,
    before: f64,
}

impl<const LOTS: usize> Run<LOTS> {
    fn new(blocked: [__mmask8; LOTS]) -> Self {
        let zeros = [[0.0; LANES]; LOTS];
        Self {
            blocked,
            logits: zeros,
            weights: zeros,
            rows: zeros,
            pair_sum: 0.0,
            logit_sum: 0.0,
            s0: 0.0,
            s1: 0.0,
            before: 0.0,
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    #[inline]
    fn start<const SOFTMAX: bool>(&mut self, request: &HyperedgeRequest) {
        self.before = request.empty_score.unwrap_or(0.0);
        let mut tops = _mm512_set1_pd(f64::NEG_INFINITY);
        for lot in 0..LOTS {
            let logits = load_part(request.logits.get(lot * LANES..).unwrap_or_default());
            store(&mut self.logits[lot], logits);
            tops = _mm512_max_pd(
                tops,
                _mm512_mask_mov_pd(logits, self.blocked[lot], _mm512_set1_pd(f64::NEG_INFINITY)),
            );
        }
        if SOFTMAX {
            let top = _mm512_set1_pd(_mm512_reduce_max_pd(tops));
            for lot in 0..LOTS {
                let below = _mm512_sub_pd(load(&self.logits[lot]), top);
                store(&mut self.weights[lot], exp(_mm512_min_pd(below, _mm512_setzero_pd())));
            }
        }
    }

    /// Adds a member and returns it and F with it; nothing where the general way is needed.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    #[inline]
    fn step<const SOFTMAX: bool>(&mut self, request: &HyperedgeRequest, members: &[u32]) -> Option<(u32, f64)> {
        let (pool, step) = (request.logits.len(), members.len());
        let size = (step + 1).min(request.max_size);
        if size > 1 {
            let pairs = &request.pair_scores[(size - 2) * pool * pool..][..pool * pool];
            if step < request.max_size {
                self.pair_sum = 0.0;
                for i in 1..members.len() {
                    let mut row = 0.0;
                    for &earlier in &members[..i] {
                        row += pairs[earlier as usize * pool + members[i] as usize];
                    }
                    self.pair_sum += row;
                }
                self.rows = [[0.0; LANES]; LOTS];
                for &member in members {
                    self.add_row(&pairs[member as usize * pool..][..pool]);
                }
            } else {
                let member = members[step - 1] as usize;
                self.pair_sum += self.rows[member / LANES][member % LANES];
                self.add_row(&pairs[member * pool..][..pool]);
            }
        }
        let base = _mm512_set1_pd(request.size_offsets.get(size - 1).copied().unwrap_or(0.0) + self.pair_sum);
        if SOFTMAX && step > 0 && self.s0 < SMALLEST_SUM {
            return None;
        }
        let minus_infinity = _mm512_set1_pd(f64::NEG_INFINITY);
        let (logit_sum, s0, s1) = (
            _mm512_set1_pd(self.logit_sum),
            _mm512_set1_pd(self.s0),
            _mm512_set1_pd(self.s1),
        );
        let mut scores = [minus_infinity; LOTS];
        let mut tops = minus_infinity;
        let mut not_finite = 0;
        for (lot, scores) in scores.iter_mut().enumerate() {
            let logits = load(&self.logits[lot]);
            let alignment = if SOFTMAX && step > 0 {
                let weights = load(&self.weights[lot]);
                _mm512_div_pd(
                    _mm512_add_pd(s1, _mm512_mul_pd(logits, weights)),
                    _mm512_add_pd(s0, weights),
                )
            } else {
                _mm512_add_pd(logit_sum, logits)
            };
            let score = _mm512_add_pd(_mm512_add_pd(base, load(&self.rows[lot])), alignment);
            not_finite |= _mm512_fpclass_pd_mask::<NOT_FINITE>(score);
            *scores = _mm512_mask_mov_pd(score, self.blocked[lot], minus_infinity);
            tops = _mm512_max_pd(tops, *scores);
        }
        if not_finite != 0 {
            return None;
        }
        let top = _mm512_reduce_max_pd(tops);
        let mut found = 0_u64;
        for (lot, &scores) in scores.iter().enumerate() {
            found |= u64::from(_mm512_cmp_pd_mask::<_CMP_GE_OQ>(scores, _mm512_set1_pd(top))) << (lot * LANES);
        }
        let index = found.trailing_zeros() as usize % (LOTS * LANES);
        self.blocked[index / LANES] |= 1 << (index % LANES);
        let (logit, weight) = (
            self.logits[index / LANES][index % LANES],
            self.weights[index / LANES][index % LANES],
        );
        self.logit_sum += logit;
        self.s0 += weight;
        self.s1 += logit * weight;
        Some((index as u32, top))
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    #[inline]
    fn add_row(&mut self, scores: &[f64]) {
        let (lots, rest) = scores.as_chunks::<LANES>();
        for (sums, scores) in self.rows.iter_mut().zip(lots) {
            let sum = _mm512_add_pd(load(sums), load(scores));
            store(sums, sum);
        }
        if !rest.is_empty() {
            let sums = &mut self.rows[lots.len() % LOTS];
            let sum = _mm512_add_pd(load(sums), load_part(rest));
            store(sums, sum);
        }
    }
}

/// [`crate::elementary::exp`] of eight numbers that are at most 0, operation by operation.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn exp(x: __m512d) -> __m512d {
    let rounder = _mm512_set1_pd(ROUNDER);
    let shifted = _mm512_add_pd(_mm512_mul_pd(x, _mm512_set1_pd(std::f64::consts::LOG2_E)), rounder);
    let k = _mm512_sub_pd(shifted, rounder);
    let r = _mm512_sub_pd(x, _mm512_mul_pd(k, _mm512_set1_pd(LN_2_HIGH)));
    let r = _mm512_sub_pd(r, _mm512_mul_pd(k, _mm512_set1_pd(LN_2_LOW)));
    let mut h = _mm512_set1_pd(EXP_POLYNOMIAL[0]);
    for &coefficient in &EXP_POLYNOMIAL[1..] {
        h = _mm512_add_pd(_mm512_mul_pd(h, r), _mm512_set1_pd(coefficient));
    }
    let exponent = _mm512_add_epi64(_mm512_castpd_si512(shifted), _mm512_set1_epi64(1023));
    let power = _mm512_castsi512_pd(_mm512_slli_epi64::<52>(exponent));
    let tail = _mm512_add_pd(r, _mm512_mul_pd(_mm512_mul_pd(r, r), h));
    let value = _mm512_mul_pd(_mm512_add_pd(_mm512_set1_pd(1.0), tail), power);
    let vanished = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(x, _mm512_set1_pd(SMALLEST_EXPONENT));
    _mm512_mask_mov_pd(value, vanished, _mm512_setzero_pd())
}
