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

#[cfg(target_arch = "x86_64")]
mod avx512;
mod plain;

use super::problem::{Alignment, Constraints, HyperedgeRequest, LARGEST_SET, SMALLEST_SUM, check_shape, length as check_length};
use crate::KernelError;
use crate::elementary::exp;
use crate::simd::{Simd, SimdLevel};

/// Numbers that are worked on together; the columns of the scratch are padded to whole lots of them.
const LANES: usize = 8;

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
            _ => rank::<plain::Plain>(&request, scratch, columns),
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
    rank::<avx512::Wide>(request, scratch, columns)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn rank_avx2(request: &HyperedgeRequest, scratch: &mut Scratch, columns: Columns) -> Result<usize, KernelError> {
    rank::<plain::Plain>(request, scratch, columns)
}

#[derive(Clone, Copy, Default)]
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
fn rank<P: Pass>(request: &HyperedgeRequest, scratch: &mut Scratch, columns: Columns) -> Result<usize, KernelError> {
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
    let mut sums = Sums::default();
    let mut before = request.empty_score.unwrap_or(0.0);
    for step in 0..k {
        if required_left == 0 && !tokens.is_empty() {
            block_unaffordable(tokens, room, &mut scratch.penalties);
        }
        let top = score_all::<P>(request, &ids[..step], sums, scratch)?;
        let found = if required_left > 0 {
            first_required(scratch)
        } else {
            P::first(top, &scratch.scores)
        };
        let Some(index) = found else {
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

/// Writes F of the members with each candidate, less its penalty, and returns the largest.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn score_all<P: Pass>(
    request: &HyperedgeRequest,
    members: &[u32],
    sums: Sums,
    scratch: &mut Scratch,
) -> Result<f64, KernelError> {
    let pool = request.logits.len();
    let size = (members.len() + 1).min(request.max_size);
    let offset = request.size_offsets.get(size - 1).copied().unwrap_or(0.0);
    let pairs = if size < 2 {
        &[]
    } else {
        &request.pair_scores[(size - 2) * pool * pool..][..pool * pool]
    };
    // Up to M every size has pair scores of its own; beyond, only the last member is new.
    let fresh = members.len() < request.max_size;
    let new = if size < 2 {
        &[]
    } else {
        &members[if fresh { 0 } else { members.len() - 1 }..]
    };
    let row_of = |member: u32| &pairs[member as usize * pool..][..pool];
    if fresh {
        scratch.pair_sum = (1..new.len()).fold(0.0, |sum, i| {
            sum + new[..i]
                .iter()
                .fold(0.0, |row, &earlier| row + row_of(earlier)[new[i] as usize])
        });
    } else if let Some(&member) = new.first() {
        scratch.pair_sum += scratch.row[member as usize];
    }
    let mut rows = [[].as_slice(); LARGEST_SET];
    for (row, &member) in rows.iter_mut().zip(new) {
        *row = row_of(member);
    }
    let Scratch {
        logits,
        weights,
        penalties,
        row,
        scores,
        pair_sum,
        ..
    } = scratch;
    let softmax = request.alignment == Alignment::Softmax && !members.is_empty();
    let terms = Terms {
        rows: &rows[..new.len()],
        fresh,
        base: offset + *pair_sum,
        sums,
        logits,
        weights,
        penalties,
    };
    let top = match (softmax, sums.s0 < SMALLEST_SUM) {
        (false, _) => P::sum(&terms, row, scores),
        (true, false) => P::softmax(&terms, row, scores),
        (true, true) => far_softmax(&terms, members, row, scores),
    };
    top.ok_or_else(|| KernelError::OutOfRange {
        what: "pairScores",
        expected: "finite pair scores and offsets",
        value: format!("a score that is NaN or infinite after {} members", members.len()),
    })
}

/// What F is made of at one step; all columns but the rows are padded to whole lots.
struct Terms<'a> {
    /// The pair scores of the members that are new to the row sums.
    rows: &'a [&'a [f64]],
    /// Whether the row sums start at zero.
    fresh: bool,
    /// Offset and pairs of the members.
    base: f64,
    sums: Sums,
    logits: &'a [f64],
    weights: &'a [f64],
    penalties: &'a [f64],
}

/// One pass over the candidates: brings the row sums up to date, writes F less the penalty, and returns the largest; nothing where F is NaN
/// or infinite.
trait Pass {
    fn sum(terms: &Terms, row: &mut [f64], scores: &mut [f64]) -> Option<f64>;
    fn softmax(terms: &Terms, row: &mut [f64], scores: &mut [f64]) -> Option<f64>;
    /// The first candidate of this score; nothing for minus infinity.
    fn first(top: f64, scores: &[f64]) -> Option<usize>;
}

/// As [`Pass::softmax`], where exponentials may have vanished.
fn far_softmax(terms: &Terms, members: &[u32], row: &mut [f64], scores: &mut [f64]) -> Option<f64> {
    let Terms {
        base,
        sums,
        logits,
        weights,
        ..
    } = *terms;
    plain::add_rows(terms, row);
    plain::score(row, terms.penalties, scores, |row, i| {
        let s0 = sums.s0 + weights[i];
        if s0 < SMALLEST_SUM {
            (base + row) + far_alignment(logits, members, i)
        } else {
            (base + row) + (sums.s1 + logits[i] * weights[i]) / s0
        }
    })
}

/// S1 / S0 of the members and one more, relative to their own largest logit.
fn far_alignment(logits: &[f64], members: &[u32], index: usize) -> f64 {
    let members = || {
        members
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

/// The best of the required candidates that are left, the first of equal ones.
fn first_required(scratch: &Scratch) -> Option<usize> {
    let left = || {
        scratch
            .scores
            .iter()
            .zip(&scratch.required)
            .enumerate()
            .filter(|&(_, (_, &required))| required)
    };
    let top = left().fold(f64::NEG_INFINITY, |top, (_, (&score, _))| top.max(score));
    left()
        .find(|&(_, (&score, _))| score >= top && top > f64::NEG_INFINITY)
        .map(|(index, _)| index)
}

/// Makes a candidate a member; it and those of its groups cannot be chosen again.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn take(request: &HyperedgeRequest, index: usize, sums: &mut Sums, scratch: &mut Scratch) {
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
