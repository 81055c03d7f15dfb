//! The exact best sets by enumeration.
//!
//! A group is scanned for whether any of its sets surpasses what is needed to be among the best; nearly none does. Only such a group
//! is looked at set by set. Sets come in the order in which equal scores are ranked (sizes ascending, then lexicographic) from group to
//! group, so that once the best are as many as wanted a set must surpass the worst of them.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

use std::marker::PhantomData;

use super::best_sets::{BestSets, RankedSet};
use super::eight::{Block, Eight, WIDTH};
use super::problem::{Problem, SMALLEST_SUM};
use super::scan::{Scan, scan};
use super::tables::pair_at;
use super::walk::{Group, Row, Visitor};

/// Offers the sets of two members or more, of one alignment, to the best.
pub(super) struct Search<'a, S> {
    pub(super) problem: &'a Problem,
    pub(super) best: &'a mut BestSets,
    /// Sets that do not surpass this are not among the best.
    pub(super) limit: f64,
    /// Softmax: more than the roundings of a score and of its comparison with a limit of 0.
    pub(super) rounding: f64,
    scores: PhantomData<S>,
}

impl<'a, S> Search<'a, S> {
    /// Begins with the empty set and the sets of one member. At least as many sets as are wanted surpass `seed`.
    pub(super) fn begin(problem: &'a Problem, best: &'a mut BestSets, seed: f64) -> Self {
        if let Some(score) = problem.empty_score {
            best.offer(score, &[]);
        }
        let mut limit = best.threshold().max(seed);
        if problem.largest() > 0 {
            for (d, logit) in problem.logits.iter().enumerate() {
                let score = problem.offsets[0] + logit;
                if score > limit && problem.admits(&[d as u16]) {
                    best.offer_set(RankedSet::packed(score, d as u128, 1));
                    limit = best.threshold().max(limit);
                }
            }
        }
        Self {
            problem,
            best,
            limit,
            rounding: problem.rounding(),
            scores: PhantomData,
        }
    }
}

impl<V: Eight, S: Scores<V>> Visitor<V> for Search<'_, S> {
    #[inline(always)]
    fn visit<const CONSTRAINED: bool, const FIRST: bool>(&mut self, group: &Group) {
        let test = S::test(self, group);
        if CONSTRAINED
            || test
                .as_ref()
                .is_none_or(|test| S::passes(self, scan::<V, _, FIRST>(group, test)))
        {
            self.look_closely::<V, CONSTRAINED>(group, test.as_ref());
        }
    }
}

impl<S> Search<'_, S> {
    /// Offers every set of a group that surpasses the limit.
    #[inline(always)]
    fn look_closely<V: Eight, const CONSTRAINED: bool>(&mut self, group: &Group, test: Option<&S::Test>)
    where
        S: Scores<V>,
    {
        let limit = V::splat(self.limit);
        for a in group.from..group.to {
            let limits = if CONSTRAINED { group.limits(a) } else { None };
            if CONSTRAINED && limits.is_none() {
                continue;
            }
            let row = group.row(a);
            let state = test.map(|test| test.row(group, a, row.base));
            for place in 0..row.xs.len() {
                let x = V::load(&row.xs[place]).plus(V::load(&row.row[place]));
                if S::NEEDS_TEST
                    && let (Some(test), Some(state)) = (test, &state)
                    && !S::passes(self, test.block(state, x, place))
                {
                    continue;
                }
                let score = S::score(group, &row, a, V::splat(row.base).plus(x), place, self.limit);
                let mut better = score.is_above(limit);
                if let Some(limits) = limits {
                    better = V::both(better, limits.admit::<V>(group.tables, place));
                }
                let bits = V::bits(better);
                if bits != 0 {
                    let mut scores = Block::ZERO;
                    score.store(&mut scores);
                    self.offer(bits, &scores, group, a, place);
                }
            }
        }
        self.limit = self.best.threshold().max(self.limit);
    }

    /// Offers the sets of a block whose bits are set.
    #[inline(never)]
    fn offer(&mut self, mut bits: u32, scores: &Block, group: &Group, a: usize, place: usize) {
        let count = self.problem.candidates();
        let beginning = group.beginning_of::<false>(a);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let score = scores.0[lane];
            // Within a group sets are in no order: equal scores are compared set by set.
            if score >= self.best.threshold() {
                let (d, e) = pair_at(count, place * WIDTH + lane);
                self.best.offer_set(RankedSet::packed(
                    score,
                    beginning.packed_with(d, e),
                    beginning.length + 2,
                ));
            }
        }
    }
}

/// The two alignments.
pub(super) trait Scores<V: Eight>: Sized {
    /// A test that is quicker than scoring.
    type Test: Scan<V>;
    /// Whether it is so much quicker that blocks are tested one by one.
    const NEEDS_TEST: bool;

    /// The test, where it can tell anything.
    fn test(search: &Search<Self>, group: &Group) -> Option<Self::Test>;
    /// Whether a set may surpass the limit by what the test says; a few that do not pass.
    fn passes(search: &Search<Self>, most: V) -> bool;
    /// The scores of a block, from b + x. Those that do not surpass the limit may come as minus infinity.
    fn score(group: &Group, row: &Row, a: usize, sum: V, place: usize, limit: f64) -> V;
}

pub(super) struct SumScores;

impl<V: Eight> Scores<V> for SumScores {
    type Test = SumScan;
    const NEEDS_TEST: bool = false;

    #[inline(always)]
    fn test(_: &Search<Self>, _: &Group) -> Option<SumScan> {
        Some(SumScan)
    }

    #[inline(always)]
    fn passes(search: &Search<Self>, most: V) -> bool {
        V::bits(most.is_above(V::splat(search.limit))) != 0
    }

    #[inline(always)]
    fn score(_: &Group, _: &Row, _: usize, sum: V, _: usize, _: f64) -> V {
        sum
    }
}

/// The most of `b + x` is b plus the most x: rounding keeps the order.
pub(super) struct SumScan;

impl<V: Eight> Scan<V> for SumScan {
    type Row<'a> = f64;

    #[inline(always)]
    fn row(&self, _: &Group, _: usize, base: f64) -> f64 {
        base
    }
    #[inline(always)]
    fn block(&self, _: &f64, x: V, _: usize) -> V {
        x
    }
    #[inline(always)]
    fn close(&self, base: &f64, most: V) -> V {
        V::splat(*base).plus(most)
    }
}

pub(super) struct SoftmaxScores;

impl<V: Eight> Scores<V> for SoftmaxScores {
    type Test = SoftmaxScan;
    const NEEDS_TEST: bool = true;

    #[inline(always)]
    fn test(search: &Search<Self>, group: &Group) -> Option<SoftmaxScan> {
        // Sums that are too small say nothing, and infinite numbers would become NaN.
        let tells = search.limit > f64::NEG_INFINITY
            && !(group.beginning.s0 < SMALLEST_SUM && search.problem.has_small_weights());
        tells.then(|| SoftmaxScan {
            limit: search.limit,
            rounding: search.rounding + 16.0 * f64::EPSILON * search.limit.abs(),
        })
    }

    #[inline(always)]
    fn passes(_: &Search<Self>, most: V) -> bool {
        V::bits(most.is_at_least(V::splat(0.0))) != 0
    }

    #[inline(always)]
    fn score(group: &Group, row: &Row, a: usize, sum: V, place: usize, limit: f64) -> V {
        let s0 = V::splat(row.s0).plus(V::load(&row.pair_s0[place]));
        let s1 = V::splat(row.s1).plus(V::load(&row.pair_s1[place]));
        let score = sum.plus(s1.over(s0));
        let enough = V::bits(s0.is_at_least(V::splat(SMALLEST_SUM)));
        if enough == 0xff {
            return score;
        }
        let (mut sums, mut scores) = (Block::ZERO, Block::ZERO);
        sum.store(&mut sums);
        score.store(&mut scores);
        score_small_sums(group, a, &sums, &mut scores, enough, place, limit);
        V::load(&scores)
    }
}

/// The scores of the lanes in which the sum of exponentials is too small; minus infinity where they do not surpass the limit.
#[cold]
#[inline(never)]
fn score_small_sums(group: &Group, a: usize, sums: &Block, scores: &mut Block, enough: u32, place: usize, limit: f64) {
    let problem = group.problem;
    let beginning = group.beginning_of::<false>(a);
    for lane in (0..WIDTH).filter(|lane| enough >> lane & 1 == 0) {
        let sum = sums.0[lane];
        // All members have small weights, and a mean is at most the largest.
        let bound = sum + problem.largest_small_logit() + problem.rounding();
        scores.0[lane] = f64::NEG_INFINITY;
        if bound > limit {
            let (d, e) = pair_at(problem.candidates(), place * WIDTH + lane);
            let set = RankedSet::packed(sum, beginning.packed_with(d, e), beginning.length + 2);
            scores.0[lane] = sum + problem.softmax_alignment(set.members());
        }
    }
}

/// `b + x + S1 / S0 > limit` is `S1 + (x + (b − limit)) · S0 > 0`, without a division. The difference is taken larger by more than all
/// roundings: with u = 2⁻⁵³ those of the score are at most 3u (|b| + |x| + |S1 / S0|), those of this form 6u times the same and |limit|.
pub(super) struct SoftmaxScan {
    limit: f64,
    rounding: f64,
}

#[derive(Clone, Copy)]
pub(super) struct SoftmaxRow<'a, V> {
    difference: V,
    s0: V,
    s1: V,
    pair_s0: &'a [Block],
    pair_s1: &'a [Block],
}

impl<V: Eight> Scan<V> for SoftmaxScan {
    type Row<'a> = SoftmaxRow<'a, V>;

    #[inline(always)]
    fn row<'a>(&self, group: &Group<'a>, a: usize, base: f64) -> SoftmaxRow<'a, V> {
        let [s0, s1] = group.sums_with(a);
        SoftmaxRow {
            difference: V::splat(base - self.limit + self.rounding),
            s0: V::splat(s0),
            s1: V::splat(s1),
            pair_s0: &group.tables.pair_s0,
            pair_s1: &group.tables.pair_s1,
        }
    }

    #[inline(always)]
    fn block(&self, row: &SoftmaxRow<V>, x: V, place: usize) -> V {
        let s0 = row.s0.plus(V::load(&row.pair_s0[place]));
        let s1 = row.s1.plus(V::load(&row.pair_s1[place]));
        x.plus(row.difference).times_plus(s0, s1)
    }

    #[inline(always)]
    fn close(&self, _: &SoftmaxRow<V>, most: V) -> V {
        most
    }
}
