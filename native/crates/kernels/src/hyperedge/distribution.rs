//! The distribution P(E) ∝ e^F(E) over the sets that may be answered: log Z, how probable each size is, and each candidate.
//!
//! Weights are e^(F − F*), F* the best score ([`weight`]); or where logits, pair scores and offsets are so small that no product can
//! overflow, for sums, products of the exponentials of the numbers that F adds up, in the same order.
//!
//! The order of addition, whatever the instruction set: weights of the sets that end in the same pair are added as they are
//! visited. Of the sets of a row, those in lane i of its blocks are added up; such sums of eight lanes are added up over the rows that
//! continue a beginning, and so on to the sum of a size, whose lanes are added in a tree ([`Eight::total`]). A candidate's sum is that of the
//! set of it alone, then of the lanes of all beginnings that end in it, then of the pairs that hold it, in the order of their list.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

use super::eight::{Block, Eight, WIDTH, numbers};
use super::problem::{LARGEST_SET, Problem, SLACK};
use super::search::Scores;
use super::tables::{blocks_among, load};
use super::walk::{Group, Row, Visitor};
use super::weight::{SMALLEST, weight};
use crate::elementary::{exp, ln};

/// With logits, pair scores and offsets that add up to no more than this no product of exponentials, and no sum of them, overflows
/// or underflows.
const MOST_MILD: f64 = 600.0;

#[derive(Debug)]
pub(super) struct Totals {
    /// For each pair.
    pairs: Vec<Block>,
    /// For each candidate: eight lanes of the sets with a beginning that ends in it.
    beginnings: Vec<Block>,
    /// For beginnings of 0, 1, … members: eight lanes of the sets visited behind the current one.
    levels: [Block; LARGEST_SET],
    /// For each size.
    sizes: [f64; LARGEST_SET + 1],
    /// For each candidate: the set of it alone.
    singles: Vec<f64>,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            pairs: Vec::new(),
            beginnings: Vec::new(),
            levels: [Block::ZERO; LARGEST_SET],
            sizes: [0.0; LARGEST_SET + 1],
            singles: Vec::new(),
        }
    }
}

impl Totals {
    /// Bytes held, but for a few numbers a candidate.
    pub(super) fn bytes(&self) -> usize {
        (self.pairs.capacity() + self.beginnings.capacity()) * size_of::<Block>()
    }

    /// Begins with the sets of no and one member.
    #[inline(always)]
    pub(super) fn begin<V: Eight>(&mut self, problem: &Problem, weigh: &impl Weigh<V>) {
        let count = problem.candidates();
        self.pairs.clear();
        self.pairs.resize(blocks_among(count), Block::ZERO);
        self.beginnings.clear();
        self.beginnings.resize(count, Block::ZERO);
        self.sizes = [0.0; LARGEST_SET + 1];
        self.singles.clear();
        self.singles.resize(count, 0.0);
        let mut made = Block::ZERO;
        if let Some(score) = problem.empty_score {
            weigh.single(V::splat(score), V::splat(-0.0)).store(&mut made);
            self.sizes[0] = made.0[0];
        }
        if problem.largest() == 0 {
            return;
        }
        let offset = V::splat(problem.offsets[0]);
        for (block, singles) in self.singles.chunks_mut(WIDTH).enumerate() {
            let mut logits = Block::ZERO;
            let from = block * WIDTH;
            logits.0[..singles.len()].copy_from_slice(&problem.logits[from..from + singles.len()]);
            weigh.single(offset, V::load(&logits)).store(&mut made);
            for (i, single) in singles.iter_mut().enumerate() {
                if problem.admits(&[(from + i) as u16]) {
                    *single = made.0[i];
                    self.sizes[1] += made.0[i];
                }
            }
        }
    }

    /// Writes `log Z` less `scale`, the probability of each candidate of the pool, and of each size from 0 on.
    pub(super) fn write(&mut self, problem: &Problem, scale: f64, pool: usize, out: &mut [f64]) {
        let count = problem.candidates();
        for (single, lanes) in self.singles.iter_mut().zip(&self.beginnings) {
            *single += lanes.total();
        }
        let totals = numbers(&self.pairs);
        let mut place = 0;
        for d in (0..count.saturating_sub(1)).rev() {
            for e in d + 1..count {
                self.singles[d] += totals[place];
                self.singles[e] += totals[place];
                place += 1;
            }
        }
        let (log, rest) = out.split_at_mut(1);
        let (candidates, sizes) = rest.split_at_mut(pool);
        candidates.fill(0.0);
        sizes.fill(0.0);
        let z: f64 = self.sizes.iter().fold(0.0, |z, size| z + size);
        log[0] = scale + ln(z);
        if z == 0.0 {
            return;
        }
        for (index, single) in self.singles.iter().enumerate() {
            candidates[problem.position(index as u16) as usize] = single / z;
        }
        for (probability, size) in sizes.iter_mut().zip(self.sizes) {
            *probability = size / z;
        }
    }
}

/// Makes weights from what a set is made of.
pub(super) trait Weigh<V: Eight> {
    /// From offset and logit.
    fn single(&self, offset: V, logit: V) -> V;
    fn weigh(&self, group: &Group, row: &Row, a: usize, base: V, place: usize) -> V;
}

/// e^(F − F*).
pub(super) struct ByScore<S> {
    top: f64,
    scores: std::marker::PhantomData<S>,
}

impl<S> ByScore<S> {
    pub(super) fn new(top: f64) -> Self {
        Self {
            top,
            scores: std::marker::PhantomData,
        }
    }
}

impl<V: Eight, S: Scores<V>> Weigh<V> for ByScore<S> {
    #[inline(always)]
    fn single(&self, offset: V, logit: V) -> V {
        weight(offset.plus(logit).minus(V::splat(self.top)))
    }

    #[inline(always)]
    fn weigh(&self, group: &Group, row: &Row, a: usize, base: V, place: usize) -> V {
        // One less, so that no rounding makes a weight of what is left out.
        let limit = self.top + SMALLEST - 1.0;
        let x = V::load(&row.xs[place]).plus(V::load(&row.row[place]));
        let score = S::score(group, row, a, base.plus(x), place, limit);
        weight(score.minus(V::splat(self.top)))
    }
}

/// Products of exponentials.
pub(super) struct ByProduct;

impl<V: Eight> Weigh<V> for ByProduct {
    #[inline(always)]
    fn single(&self, offset: V, logit: V) -> V {
        exp_each(offset).times(exp_each(logit))
    }

    #[inline(always)]
    fn weigh(&self, _: &Group, row: &Row, _: usize, base: V, place: usize) -> V {
        base.times(V::load(&row.xs[place]).times(V::load(&row.row[place])))
    }
}

#[inline(always)]
fn exp_each<V: Eight>(values: V) -> V {
    let mut block = Block::ZERO;
    values.store(&mut block);
    for value in &mut block.0 {
        *value = exp(*value);
    }
    V::load(&block)
}

/// Adds up the weights of the sets that are visited.
pub(super) struct Weighing<'a, W> {
    pub(super) totals: &'a mut Totals,
    pub(super) weigh: W,
}

impl<V: Eight, W: Weigh<V>> Visitor<V> for Weighing<'_, W> {
    #[inline(always)]
    fn visit<const CONSTRAINED: bool, const FIRST: bool>(&mut self, group: &Group) {
        let level = &mut self.totals.levels[group.beginning.length];
        let mut group_total = V::load(level);
        for a in group.from..group.to {
            let limits = if CONSTRAINED { group.limits(a) } else { None };
            if CONSTRAINED && limits.is_none() {
                continue;
            }
            let row = group.row(a);
            let base = V::splat(row.base);
            let mut row_total = V::splat(0.0);
            let totals = &mut self.totals.pairs[..row.xs.len()];
            for (place, total) in totals.iter_mut().enumerate() {
                let mut weight = self.weigh.weigh(group, &row, a, base, place);
                if let Some(limits) = limits {
                    weight = weight.only(limits.admit::<V>(group.tables, place));
                }
                row_total = row_total.plus(weight);
                V::load(total).plus(weight).store(total);
            }
            if !group.is_pairs {
                let total = &mut self.totals.beginnings[a];
                V::load(total).plus(row_total).store(total);
            }
            group_total = group_total.plus(row_total);
        }
        group_total.store(level);
    }

    #[inline(always)]
    fn leave(&mut self, length: usize, last: usize) {
        let behind = V::load(&self.totals.levels[length]);
        self.totals.levels[length] = Block::ZERO;
        for total in [&mut self.totals.beginnings[last], &mut self.totals.levels[length - 1]] {
            V::load(total).plus(behind).store(total);
        }
    }

    #[inline(always)]
    fn finish(&mut self, size: usize) {
        self.totals.sizes[size] = self.totals.levels[0].total();
        self.totals.levels[0] = Block::ZERO;
    }
}

/// Exponentials of what scores are made of.
#[derive(Debug, Default)]
pub(super) struct Factors {
    pub(super) scores: Vec<f64>,
    pub(super) logits: Vec<f64>,
}

impl Factors {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        (self.scores.capacity() + self.logits.capacity()) * size_of::<f64>()
    }

    #[inline(always)]
    pub(super) fn fill_logits(&mut self, problem: &Problem) {
        self.logits.clear();
        self.logits.extend(problem.logits.iter().map(|&logit| exp(logit)));
        self.logits.resize(problem.candidates() + WIDTH, 1.0);
    }

    /// Those of a size, above the diagonal.
    #[inline(always)]
    pub(super) fn fill_scores(&mut self, problem: &Problem, size: usize) {
        let count = problem.candidates();
        let scores = problem.scores_of(size);
        self.scores.resize(count * count + SLACK, 1.0);
        for a in 0..count {
            for b in (a + 1..count).step_by(WIDTH) {
                let from: [f64; WIDTH] = *scores[a * count + b..].first_chunk().unwrap();
                let to: &mut [f64; WIDTH] = self.scores[a * count + b..].first_chunk_mut().unwrap();
                for (to, from) in to.iter_mut().zip(from) {
                    *to = exp(from);
                }
            }
        }
    }
}

/// Whether no product of exponentials can overflow or underflow.
#[inline(always)]
pub(super) fn is_mild<V: Eight>(problem: &Problem) -> bool {
    let count = problem.candidates();
    let largest = problem.largest() as f64;
    let zero = V::splat(0.0);
    let mut most = zero;
    for size in 2..=problem.largest() {
        let scores = problem.scores_of(size);
        for a in 0..count {
            for b in (a + 1..count).step_by(WIDTH) {
                let score: V = load(scores, a * count + b);
                let magnitude = score.larger(zero.minus(score));
                // Minus infinity makes a factor of 0, which is mild.
                let finite = V::splat(f64::MAX).is_at_least(magnitude);
                most = most.larger(magnitude.only(V::both(finite, V::first(count - b))));
            }
        }
    }
    let mut lanes = Block::ZERO;
    most.store(&mut lanes);
    let pair = lanes.0.into_iter().fold(0.0, f64::max);
    let magnitudes = problem.magnitudes;
    largest * magnitudes.logit + largest * (largest - 1.0) / 2.0 * pair + magnitudes.offset <= MOST_MILD
}
