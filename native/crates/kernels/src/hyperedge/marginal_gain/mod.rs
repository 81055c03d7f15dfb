//! Greedy ranking by marginal gain: `A_k = A_{k−1} ∪ {argmax_t F(A_{k−1} ∪ {t})}` (HYSET, section 3.4), and beyond M members with
//! `G_M` and `c_M`, which is an extension of ours.
//!
//! The order of arithmetic, with the members a₁, a₂, … in the order in which they were chosen and m = min(k, M):
//! - `row[x] = ((0 + G_m[a₁, x]) + G_m[a₂, x]) + …`, and `P = ((0 + row(a₂)) + row(a₃)) + …`, where each row is over the members before;
//! - sum: `F = ((c_m + P) + row[x]) + ((((0 + l₁) + l₂) + …) + l_x)`;
//! - softmax: `F = ((c_m + P) + row[x]) + (S1 + l_x·w_x) / (S0 + w_x)` with `w = e^(l − L)`, L the largest logit that is not excluded,
//!   `S0 = ((0 + w₁) + w₂) + …` and `S1` alike of `l·w`; where the denominator is below 1e-290, L is the largest logit of the set;
//! - the first member: `F = c_1 + l_x`;
//! - a ranking ends before the first size whose c is minus infinity.
//!
//! Everything is elementwise in x, so that every instruction set gives the same bits.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_small;
mod plain;

use super::problem::{
    Alignment, Constraints, HyperedgeRequest, LARGEST_SET, SMALLEST_SUM, check_shape, finite as check_finite,
};
use crate::elementary::exp;
use crate::error::{KernelError, check_length};
use crate::simd::Simd;
#[cfg(target_arch = "x86_64")]
use crate::simd::SimdLevel;

/// Numbers that are worked on together; the columns of the scratch are padded to whole lots of them.
const LANES: usize = 8;

/// Where a ranking keeps its numbers, from one call to the next.
#[derive(Debug, Default)]
pub struct MarginalGainScratch {
    logits: Vec<f64>,
    weights: Vec<f64>,
    /// 0 for candidates that may be chosen, minus infinity for others.
    penalties: Vec<f64>,
    row: Vec<f64>,
    scores: Vec<f64>,
    required: Vec<bool>,
    required_left: usize,
    /// Tokens left.
    room: u64,
    /// P.
    pair_sum: f64,
    sums: Sums,
    /// F of the members so far.
    before: f64,
    /// Members so far.
    count: usize,
    done: bool,
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
/// one behind the other, or there are the pair scores of one pool for all queries; each matrix is symmetric; the rest of the request
/// holds for every query. First come the required candidates; one that does not fit the budget is passed over; nothing is ranked when
/// the required ones cannot be had together.
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
    // Pair scores may be one for all.
    let shared = request.pair_scores.len() == pairs;
    if !shared {
        check_length("pairScores", queries.saturating_mul(pairs), request.pair_scores.len())?;
    }
    check_length("gains", rankings.ids.len(), rankings.gains.len())?;
    check_length("scores", rankings.ids.len(), rankings.scores.len())?;
    let batch = Batch {
        request,
        pool,
        shared,
        room: (rankings.ids.len() / queries.max(1)).min(reachable(request.size_offsets)),
    };
    if queries > 0 {
        check_shape(&batch.request_of(0))?;
        check_finite("logits", request.logits, false)?;
    }
    if let Some(first) = rankings.offsets.first_mut() {
        *first = 0;
    }
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a `Simd` of this level exists only on a processor that has AVX-512 F, DQ and VL.
    if simd.level() == SimdLevel::Avx512 && queries > 0 && unsafe { avx512_small::rank_small(&batch, rankings) } {
        return Ok(());
    }
    for query in 0..queries {
        match simd.level() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            SimdLevel::Avx512 => unsafe { rank_avx512(&batch, query, scratch, rankings) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Simd` of this level exists only on a processor that has AVX2.
            SimdLevel::Avx2 => unsafe { rank_avx2(&batch, query, scratch, rankings) },
            _ => rank::<plain::Plain>(&batch, query, scratch, rankings),
        }?;
    }
    Ok(())
}

type Run = MarginalGainScratch;

/// How many sizes there are before the first that is forbidden.
fn reachable(size_offsets: &[f64]) -> usize {
    let forbidden = size_offsets.iter().position(|&offset| offset == f64::NEG_INFINITY);
    forbidden.unwrap_or(usize::MAX)
}

/// The queries and what holds for all of them.
struct Batch<'a> {
    request: &'a HyperedgeRequest<'a>,
    pool: usize,
    /// Whether the pair scores are one for all queries.
    shared: bool,
    /// Entries that each query has room for, as far as sizes are allowed.
    room: usize,
}

impl<'a> Batch<'a> {
    #[inline]
    fn request_of(&self, query: usize) -> HyperedgeRequest<'a> {
        let pairs = (self.request.max_size.max(1) - 1) * self.pool * self.pool;
        let logits = &self.request.logits[query * self.pool..][..self.pool];
        let pair_scores = &self.request.pair_scores[if self.shared { 0 } else { query * pairs }..][..pairs];
        HyperedgeRequest {
            logits,
            pair_scores,
            ..*self.request
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn rank_avx512(batch: &Batch, query: usize, run: &mut Run, rankings: &mut Rankings) -> Result<(), KernelError> {
    rank::<avx512::Wide>(batch, query, run, rankings)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn rank_avx2(batch: &Batch, query: usize, run: &mut Run, rankings: &mut Rankings) -> Result<(), KernelError> {
    rank::<plain::Plain>(batch, query, run, rankings)
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    logits: f64,
    s0: f64,
    s1: f64,
}

/// Ranks a query. Inlined into a function for each instruction set: its loops are plain, the compiler makes them wide.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "an instruction set reaches a function only when it is inlined"
)]
fn rank<P: Pass>(batch: &Batch, query: usize, run: &mut Run, rankings: &mut Rankings) -> Result<(), KernelError> {
    let request = batch.request_of(query);
    let k = batch
        .room
        .min(request.constraints.max_tools.unwrap_or(usize::MAX))
        .min(batch.pool);
    restart(&request, k, run);
    let at = rankings.offsets[query] as usize;
    let ids = &mut rankings.ids[at..at + k];
    while !run.done && run.count < k {
        step::<P>(&request, ids, run)?;
        if run.done {
            break;
        }
        let score = run.scores[ids[run.count - 1] as usize];
        rankings.scores[at + run.count - 1] = score;
        rankings.gains[at + run.count - 1] = score - run.before;
        run.before = score;
    }
    rankings.offsets[query + 1] = (at + run.count) as u32;
    Ok(())
}

/// Adds one member, or is done.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn step<P: Pass>(request: &HyperedgeRequest, ids: &mut [u32], run: &mut Run) -> Result<(), KernelError> {
    let tokens = request.constraints.tokens;
    if run.required_left == 0 && !tokens.is_empty() {
        run.block_unaffordable(tokens);
    }
    let top = score_all::<P>(request, &ids[..run.count], run)?;
    let found = if run.required_left > 0 {
        first_required(run)
    } else {
        P::first(top, &run.scores)
    };
    let cost_of = |index: usize| tokens.get(index).copied().map_or(0, u64::from);
    let Some(index) = found.filter(|&index| cost_of(index) <= run.room) else {
        run.done = true;
        if run.required_left > 0 {
            run.count = 0;
        }
        return Ok(());
    };
    run.room -= cost_of(index);
    run.required_left -= usize::from(run.required[index]);
    ids[run.count] = index as u32;
    run.count += 1;
    take(request, index, run);
    Ok(())
}

/// Sets a run up for a query.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn restart(request: &HyperedgeRequest, k: usize, run: &mut Run) {
    let pool = request.logits.len();
    let padded = pool.next_multiple_of(LANES);
    if run.required.len() != pool {
        for numbers in [&mut run.logits, &mut run.weights, &mut run.row, &mut run.scores] {
            numbers.clear();
            numbers.resize(padded, 0.0);
        }
        run.penalties.resize(padded, 0.0);
        run.required.resize(pool, false);
    }
    run.logits[..pool].copy_from_slice(request.logits);
    run.row.fill(0.0);
    run.penalties.fill(0.0);
    run.required.fill(false);
    for index in (pool..padded).chain(request.constraints.exclude.iter().map(|&position| position as usize)) {
        run.block(index);
    }
    for &position in request.constraints.require {
        run.required[position as usize] = true;
    }
    if request.alignment == Alignment::Softmax {
        let usable = request
            .logits
            .iter()
            .zip(&run.penalties)
            .filter(|&(_, &penalty)| penalty == 0.0);
        let top = usable.fold(
            f64::NEG_INFINITY,
            |top, (&logit, _)| if logit > top { logit } else { top },
        );
        for (weight, logit) in run.weights.iter_mut().zip(&run.logits) {
            let below = logit - top;
            *weight = exp(if below > 0.0 { 0.0 } else { below });
        }
        // The padding is not 0, so that no denominator is.
        run.weights[pool..].fill(1.0);
    }
    let required = run.required.iter().filter(|&&required| required);
    run.required_left = if request.constraints.require.is_empty() {
        0
    } else {
        required.count()
    };
    run.room = request.constraints.max_tokens.unwrap_or(u64::MAX);
    run.pair_sum = 0.0;
    run.sums = Sums::default();
    run.before = request.empty_score.unwrap_or(0.0);
    run.count = 0;
    run.done = run.required_left > k;
}

impl Run {
    #[inline]
    fn block(&mut self, index: usize) {
        self.penalties[index] = f64::NEG_INFINITY;
    }

    /// Blocks what is dearer than what is left.
    fn block_unaffordable(&mut self, tokens: &[u32]) {
        let room = self.room;
        for (index, _) in tokens
            .iter()
            .enumerate()
            .filter(|&(_, &tokens)| u64::from(tokens) > room)
        {
            self.block(index);
        }
    }
}

/// Writes F of the members with each candidate, less its penalty, and returns the largest.
#[inline(always)]
#[allow(clippy::inline_always, reason = "as above")]
fn score_all<P: Pass>(request: &HyperedgeRequest, members: &[u32], run: &mut Run) -> Result<f64, KernelError> {
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
        run.pair_sum = (1..new.len()).fold(0.0, |sum, i| {
            sum + new[..i]
                .iter()
                .fold(0.0, |row, &earlier| row + row_of(earlier)[new[i] as usize])
        });
    } else if let Some(&member) = new.first() {
        run.pair_sum += run.row[member as usize];
    }
    let mut rows = [[].as_slice(); LARGEST_SET];
    for (row, &member) in rows.iter_mut().zip(new) {
        *row = row_of(member);
    }
    let Run {
        logits,
        weights,
        penalties,
        row,
        scores,
        pair_sum,
        sums,
        ..
    } = run;
    let softmax = request.alignment == Alignment::Softmax && !members.is_empty();
    let terms = Terms {
        rows: &rows[..new.len()],
        fresh,
        base: offset + *pair_sum,
        sums: *sums,
        logits,
        weights,
        penalties,
    };
    let top = match (softmax, terms.sums.s0 < SMALLEST_SUM) {
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
fn first_required(run: &Run) -> Option<usize> {
    let left = || {
        run.scores
            .iter()
            .zip(&run.required)
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
fn take(request: &HyperedgeRequest, index: usize, run: &mut Run) {
    run.block(index);
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
                run.block(member as usize);
            }
        }
    }
    let logit = request.logits[index];
    match request.alignment {
        Alignment::Sum => run.sums.logits += logit,
        Alignment::Softmax => {
            run.sums.s0 += run.weights[index];
            run.sums.s1 += logit * run.weights[index];
        }
    }
}
