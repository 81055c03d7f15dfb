//! Greedy ranking by marginal gain: `A_k = A_{k−1} ∪ {argmax_t F(A_{k−1} ∪ {t})}` (HYSET, section 3.4), and beyond M members with
//! `G_M` and `c_M`, which is an extension of ours.
//!
//! The order of arithmetic, with the members a₁, a₂, … in the order in which they were chosen and m = min(k, M):
//! - `row[x] = ((0 + G_m[a₁, x]) + G_m[a₂, x]) + …`, and `P = ((0 + row(a₂)) + row(a₃)) + …`, where each row is over the members before;
//! - sum: `F = ((c_m + P) + row[x]) + ((((0 + l₁) + l₂) + …) + l_x)`;
//! - softmax: `F = ((c_m + P) + row[x]) + (S1 + l_x·w_x) / (S0 + w_x)` with `w = e^(l − L)`, L the largest logit that is not excluded,
//!   `S0 = ((0 + w₁) + w₂) + …` and `S1` alike of `l·w`; where the denominator is below 1e-290, L is the largest logit of the set;
//! - the first member: `F = c_1 + l_x`.
//!
//! Everything is elementwise in x, so that every instruction set gives the same bits.

use super::problem::{Alignment, Constraints, HyperedgeRequest, SMALLEST_SUM, check_shape, length as check_length};
use crate::KernelError;
use crate::elementary::exp;
use crate::simd::{Simd, SimdLevel};

/// Numbers that are worked on together; the columns of the scratch are padded to whole lots of them.
const LANES: usize = 16;

/// Where a ranking may keep its numbers from one call to the next.
#[derive(Debug, Default)]
pub struct MarginalGainScratch {
    logits: Vec<f64>,
    weights: Vec<f64>,
    /// 0 for candidates that may be chosen, minus infinity for others.
    penalties: Vec<f64>,
    row: Vec<f64>,
    scores: Vec<f64>,
    required: Vec<bool>,
    chosen: Vec<u32>,
    /// P.
    pair_sum: f64,
}

/// The columns of rankings, one query behind the other.
#[derive(Debug)]
pub struct Rankings<'a> {
    /// Positions of the pool, first chosen first.
    pub ids: &'a mut [u32],
    /// F after each step less F before it; before the first step F is c₀ or 0.
    pub gains: &'a mut [f64],
    /// F after each step.
    pub scores: &'a mut [f64],
    /// Query q has the entries from `offsets[q]` to `offsets[q + 1]`; one more than there are queries.
    pub offsets: &'a mut [u32],
}

/// Ranks the candidates of each query, `pool` of them, as many as the columns have room for. Logits and pair scores of the queries stand
/// one behind the other, each matrix symmetric; the rest of the request holds for every query. First come the required candidates; one
/// that does not fit the budget is passed over; nothing is ranked when the required ones cannot be had together.
pub fn rank_by_marginal_gain(
    simd: Simd,
    request: &HyperedgeRequest,
    pool: usize,
    scratch: &mut MarginalGainScratch,
    rankings: &mut Rankings,
) -> Result<(), KernelError> {
    let queries = rankings.offsets.len().max(1) - 1;
    let pairs = request.max_size.saturating_sub(1).saturating_mul(pool * pool);
    check_length("logits", queries * pool, request.logits.len())?;
    check_length("pairScores", queries.saturating_mul(pairs), request.pair_scores.len())?;
    check_length("gains", rankings.ids.len(), rankings.gains.len())?;
    check_length("scores", rankings.ids.len(), rankings.scores.len())?;
    let room = rankings.ids.len() / queries.max(1);
    if let Some(first) = rankings.offsets.first_mut() {
        *first = 0;
    }
    let mut at = 0;
    for query in 0..queries {
        let logits = &request.logits[query * pool..][..pool];
        let pair_scores = &request.pair_scores[query * pairs..][..pairs];
        let request = HyperedgeRequest {
            logits,
            pair_scores,
            ..*request
        };
        check_shape(&request)?;
        let columns = Columns {
            ids: &mut rankings.ids[at..at + room],
            gains: &mut rankings.gains[at..at + room],
            scores: &mut rankings.scores[at..at + room],
        };
        at += match simd.level() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a processor that has AVX-512 F, DQ and VL.
            SimdLevel::Avx512 => unsafe { rank_avx512(&request, scratch, columns) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a processor that has AVX2.
            SimdLevel::Avx2 => unsafe { rank_avx2(&request, scratch, columns) },
            _ => rank(&request, scratch, columns),
        }?;
        rankings.offsets[query + 1] = at as u32;
    }
    Ok(())
}

/// The columns of one query.
struct Columns<'a> {
    ids: &'a mut [u32],
    gains: &'a mut [f64],
    scores: &'a mut [f64],
}

type Scratch = MarginalGainScratch;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn rank_avx512(request: &HyperedgeRequest, scratch: &mut Scratch, columns: Columns) -> Result<usize, KernelError> {
    rank(request, scratch, columns)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn rank_avx2(request: &HyperedgeRequest, scratch: &mut Scratch, columns: Columns) -> Result<usize, KernelError> {
    rank(request, scratch, columns)
}

#[derive(Clone, Copy)]
struct Sums {
    logits: f64,
    s0: f64,
    s1: f64,
}

/// Inlined into a function for each instruction set: its loops are plain, the compiler makes them wide.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "an instruction set reaches a function only when it is inlined"
)]
fn rank(request: &HyperedgeRequest, scratch: &mut Scratch, columns: Columns) -> Result<usize, KernelError> {
    let Constraints {
        tokens,
        max_tokens,
        max_tools,
        ..
    } = request.constraints;
    let Columns { ids, gains, scores } = columns;
    let mut required_left = restart(request, scratch);
    let k = ids.len().min(max_tools.unwrap_or(usize::MAX)).min(request.logits.len());
    if required_left > k {
        return Ok(0);
    }
    let mut room = max_tokens.unwrap_or(u64::MAX);
    let mut sums = Sums {
        logits: 0.0,
        s0: 0.0,
        s1: 0.0,
    };
    let mut before = request.empty_score.unwrap_or(0.0);
    for step in 0..k {
        let size = (step + 1).min(request.max_size);
        if required_left == 0 && !tokens.is_empty() {
            block_unaffordable(tokens, room, &mut scratch.penalties);
        }
        if step > 0 && request.max_size > 1 {
            add_rows(request, size, step, scratch);
        }
        let base = request.size_offsets.get(size - 1).copied().unwrap_or(0.0) + scratch.pair_sum;
        let top = score_all(request.alignment, step, base, sums, scratch)?;
        let Some(index) = first_of(top, scratch, required_left > 0) else {
            return Ok(if required_left > 0 { 0 } else { step });
        };
        let cost = tokens.get(index).copied().map_or(0, u64::from);
        if cost > room {
            return Ok(0);
        }
        room -= cost;
        required_left -= usize::from(scratch.required[index]);
        ids[step] = index as u32;
        scores[step] = scratch.scores[index];
        gains[step] = scratch.scores[index] - before;
        before = scratch.scores[index];
        take(request, index, &mut sums, scratch);
    }
    Ok(k)
}

/// Sets the scratch up for a query and returns how many candidates are required.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn restart(request: &HyperedgeRequest, scratch: &mut Scratch) -> usize {
    let pool = request.logits.len();
    let padded = pool.next_multiple_of(LANES);
    scratch.chosen.clear();
    scratch.pair_sum = 0.0;
    for numbers in [&mut scratch.row, &mut scratch.scores, &mut scratch.penalties] {
        numbers.clear();
        numbers.resize(padded, 0.0);
    }
    scratch.logits.clear();
    scratch.logits.extend_from_slice(request.logits);
    scratch.logits.resize(padded, 0.0);
    scratch.penalties[pool..].fill(f64::NEG_INFINITY);
    for &position in request.constraints.exclude {
        scratch.penalties[position as usize] = f64::NEG_INFINITY;
    }
    scratch.required.clear();
    scratch.required.resize(pool, false);
    for &position in request.constraints.require {
        scratch.required[position as usize] = true;
    }
    if request.alignment == Alignment::Softmax {
        let usable = request
            .logits
            .iter()
            .zip(&scratch.penalties)
            .filter(|&(_, &penalty)| penalty == 0.0);
        let top = usable.fold(f64::NEG_INFINITY, |top, (&logit, _)| top.max(logit));
        scratch.weights.clear();
        scratch
            .weights
            .extend(request.logits.iter().map(|&logit| exp((logit - top).min(0.0))));
        scratch.weights.resize(padded, 1.0);
    }
    scratch.required.iter().filter(|&&required| required).count()
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn block_unaffordable(tokens: &[u32], room: u64, penalties: &mut [f64]) {
    for (penalty, &tokens) in penalties.iter_mut().zip(tokens) {
        *penalty = if u64::from(tokens) > room {
            f64::NEG_INFINITY
        } else {
            *penalty
        };
    }
}

/// Brings the row sums and P up to date for a set of `size` after `step` members.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn add_rows(request: &HyperedgeRequest, size: usize, step: usize, scratch: &mut Scratch) {
    let pool = request.logits.len();
    let pairs = &request.pair_scores[(size - 2) * pool * pool..][..pool * pool];
    let Scratch {
        row, chosen, pair_sum, ..
    } = scratch;
    // Up to M every size has pair scores of its own; beyond, only the last member is new.
    let new = if step < request.max_size { 0 } else { step - 1 };
    if new == 0 {
        row.fill(0.0);
        *pair_sum = 0.0;
    }
    for &member in &chosen[new..] {
        *pair_sum += row[member as usize];
        let scores = &pairs[member as usize * pool..][..pool];
        for (sum, score) in row.iter_mut().zip(scores) {
            *sum += score;
        }
    }
}

/// Writes F of the members with each candidate, less its penalty, and returns the largest.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn score_all(
    alignment: Alignment,
    step: usize,
    base: f64,
    sums: Sums,
    scratch: &mut Scratch,
) -> Result<f64, KernelError> {
    let Scratch {
        logits,
        weights,
        row,
        penalties,
        scores,
        chosen,
        ..
    } = scratch;
    let all_logits = &**logits;
    let (logits, row) = (logits.as_chunks::<LANES>().0, row.as_chunks::<LANES>().0);
    let scored = if alignment == Alignment::Sum || step == 0 {
        let score = |lot: usize, i: usize| (base + row[lot][i]) + (sums.logits + logits[lot][i]);
        score_lots(score, penalties, scores)
    } else if sums.s0 < SMALLEST_SUM {
        let score = |lot: usize, i: usize| {
            let s0 = sums.s0 + weights[lot * LANES + i];
            let alignment = if s0 < SMALLEST_SUM {
                far_alignment(all_logits, chosen, lot * LANES + i)
            } else {
                (sums.s1 + logits[lot][i] * weights[lot * LANES + i]) / s0
            };
            (base + row[lot][i]) + alignment
        };
        score_lots(score, penalties, scores)
    } else {
        let weights = weights.as_chunks::<LANES>().0;
        let score = |lot: usize, i: usize| {
            (base + row[lot][i]) + (sums.s1 + logits[lot][i] * weights[lot][i]) / (sums.s0 + weights[lot][i])
        };
        score_lots(score, penalties, scores)
    };
    scored.ok_or_else(|| KernelError::OutOfRange {
        what: "pairScores",
        expected: "finite pair scores and offsets",
        value: format!("a score that is NaN or infinite after {step} members"),
    })
}

/// The largest score, or nothing where one is NaN or infinite.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn score_lots(score: impl Fn(usize, usize) -> f64, penalties: &[f64], scores: &mut [f64]) -> Option<f64> {
    let mut tops = [f64::NEG_INFINITY; LANES];
    // A number times 0 is 0 unless it is NaN or infinite, and what is NaN stays so.
    let mut check = [0.0; LANES];
    let lots = scores
        .as_chunks_mut::<LANES>()
        .0
        .iter_mut()
        .zip(penalties.as_chunks::<LANES>().0);
    for (lot, (scores, penalties)) in lots.enumerate() {
        for i in 0..LANES {
            let score = score(lot, i);
            check[i] += score * 0.0;
            scores[i] = score + penalties[i];
            tops[i] = if scores[i] > tops[i] { scores[i] } else { tops[i] };
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            tops[i] = if tops[i + width] > tops[i] {
                tops[i + width]
            } else {
                tops[i]
            };
            check[i] += check[i + width];
        }
        width /= 2;
    }
    (check[0] == 0.0).then_some(tops[0])
}

/// S1 / S0 of the members and one more, relative to their own largest logit.
fn far_alignment(logits: &[f64], chosen: &[u32], index: usize) -> f64 {
    let members = || {
        chosen
            .iter()
            .map(|&member| logits[member as usize])
            .chain([logits[index]])
    };
    let top = members().fold(f64::NEG_INFINITY, f64::max);
    let (s0, s1) = members().fold((0.0, 0.0), |(s0, s1), logit| {
        let weight = exp(logit - top);
        (s0 + weight, s1 + logit * weight)
    });
    s1 / s0
}

/// The first candidate of the largest score; among the required only while some are left.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn first_of(top: f64, scratch: &Scratch, required_only: bool) -> Option<usize> {
    let Scratch { scores, required, .. } = scratch;
    if required_only {
        let left = || {
            scores
                .iter()
                .zip(required)
                .enumerate()
                .filter(|&(_, (_, &required))| required)
        };
        let top = left().fold(f64::NEG_INFINITY, |top, (_, (&score, _))| top.max(score));
        return left()
            .find(|&(_, (&score, _))| score >= top && top > f64::NEG_INFINITY)
            .map(|(index, _)| index);
    }
    if top == f64::NEG_INFINITY {
        return None;
    }
    let (lots, _) = scores.as_chunks::<LANES>();
    let lot = lots
        .iter()
        .position(|lot| lot.iter().fold(false, |found, &score| found | (score >= top)))?;
    lots[lot]
        .iter()
        .position(|&score| score >= top)
        .map(|i| lot * LANES + i)
}

/// Makes a candidate a member; it and those of its groups cannot be chosen again.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn take(request: &HyperedgeRequest, index: usize, sums: &mut Sums, scratch: &mut Scratch) {
    scratch.chosen.push(index as u32);
    scratch.penalties[index] = f64::NEG_INFINITY;
    let Constraints {
        group_ends,
        group_members,
        ..
    } = request.constraints;
    let mut start = 0;
    for &end in group_ends {
        let group = &group_members[start..end as usize];
        start = end as usize;
        if group.contains(&(index as u32)) {
            for &member in group {
                scratch.penalties[member as usize] = f64::NEG_INFINITY;
            }
        }
    }
    let logit = request.logits[index];
    match request.alignment {
        Alignment::Sum => sums.logits += logit,
        Alignment::Softmax => {
            sums.s0 += scratch.weights[index];
            sums.s1 += logit * scratch.weights[index];
        }
    }
}
