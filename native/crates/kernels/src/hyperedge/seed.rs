//! A score that many sets surpass, found quickly: with it the search passes over nearly all sets from the start.
//!
//! Greedy steps choose a set of each size. The best of them, less the last two members, makes a set with every pair of others; these
//! are all different, so the n-th best of them is at most the n-th best of all.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

use super::eight::{Block, Eight, WIDTH, numbers, numbers_mut};
use super::problem::{Alignment, Problem, SLACK, SMALLEST_SUM};
use super::tables::load;

/// Kept for each lane: what is lost when a lane has more of the best makes the seed lower, never wrong.
const DEPTH: usize = 4;

#[derive(Debug, Default)]
pub(super) struct SeedScratch {
    weights: Vec<f64>,
    weighted: Vec<f64>,
    /// What each candidate adds to the members chosen, minus infinity for these and behind the last.
    gains: Vec<Block>,
    start: Start,
    best: Start,
}

/// Members to which a pair can be added.
#[derive(Debug, Default)]
struct Start {
    size: usize,
    base: f64,
    s0: f64,
    s1: f64,
    tokens: u64,
    gains: Vec<Block>,
}

/// A number that `count` sets surpass; minus infinity where none was found.
#[inline(always)]
pub(super) fn seed<V: Eight>(problem: &Problem, count: usize, scratch: &mut SeedScratch) -> f64 {
    let none = f64::NEG_INFINITY;
    if count == 0 || count > DEPTH * WIDTH || problem.candidates() < 2 {
        return none;
    }
    if problem.alignment == Alignment::Softmax {
        scratch.fill_weights(problem);
    }
    let mut top = none;
    for size in 2..=problem.largest() {
        if problem.offsets[size - 1] > none && problem.required_count + 2 <= size {
            let score = scratch.choose::<V>(problem, size);
            if score > top {
                top = score;
                std::mem::swap(&mut scratch.start, &mut scratch.best);
            }
        }
    }
    if top <= none || scratch.best.tokens > problem.budget {
        return none;
    }
    let nth = scratch.nth_best::<V>(problem, count);
    (nth - 16.0 * problem.rounding()).next_down()
}

impl SeedScratch {
    fn fill_weights(&mut self, problem: &Problem) {
        self.weights.clear();
        self.weights.extend_from_slice(&problem.weights);
        self.weighted.clear();
        self.weighted.extend(
            problem
                .weights
                .iter()
                .zip(&problem.logits)
                .map(|(weight, logit)| weight * logit),
        );
        for list in [&mut self.weights, &mut self.weighted] {
            list.resize(problem.candidates().next_multiple_of(WIDTH) + SLACK, 1.0);
        }
    }

    /// Chooses a set of a size, and keeps what was known before its last two members; returns about its score.
    #[inline(always)]
    fn choose<V: Eight>(&mut self, problem: &Problem, size: usize) -> f64 {
        let count = problem.candidates();
        let softmax = problem.alignment == Alignment::Softmax;
        self.gains.clear();
        self.gains
            .resize(count.div_ceil(WIDTH), Block([f64::NEG_INFINITY; WIDTH]));
        let gains = &mut numbers_mut(&mut self.gains)[..count];
        if softmax {
            gains.fill(0.0);
        } else {
            gains.copy_from_slice(&problem.logits);
        }
        let (mut base, mut tokens) = (problem.offsets[size - 1], 0);
        let (mut s0, mut s1) = (0.0, 0.0);
        let mut required = 0;
        let scores = problem.scores_of(size);
        for chosen in 0..size {
            if chosen + 2 == size {
                let start = &mut self.start;
                (start.size, start.base, start.s0, start.s1, start.tokens) = (size, base, s0, s1, tokens);
                start.gains.clear();
                start.gains.extend_from_slice(&self.gains);
            }
            let next = if chosen < problem.required_count {
                while !problem.required[required] {
                    required += 1;
                }
                required += 1;
                required - 1
            } else {
                self.best_next::<V>(s0, s1, softmax).min(count - 1)
            };
            let gains = &mut numbers_mut(&mut self.gains)[..count];
            base += gains[next];
            if softmax {
                s0 += self.weights[next];
                s1 += self.weighted[next];
            }
            tokens += problem.tokens[next];
            for (t, gain) in gains[..next].iter_mut().enumerate() {
                *gain += scores[t * count + next];
            }
            for (gain, score) in gains[next..].iter_mut().zip(&scores[next * count + next..]) {
                *gain += score;
            }
            gains[next] = f64::NEG_INFINITY;
        }
        if softmax { base + s1 / s0 } else { base }
    }

    /// The candidate that adds most.
    #[inline(always)]
    fn best_next<V: Eight>(&self, s0: f64, s1: f64, softmax: bool) -> usize {
        let mut most = V::splat(f64::NEG_INFINITY);
        for i in 0..self.gains.len() {
            most = most.larger(self.promise(i, s0, s1, softmax));
        }
        let most = V::splat(most.largest());
        for i in 0..self.gains.len() {
            let bits = V::bits(most.is_equal(self.promise(i, s0, s1, softmax)));
            if bits != 0 {
                return i * WIDTH + bits.trailing_zeros() as usize;
            }
        }
        0
    }

    #[inline(always)]
    fn promise<V: Eight>(&self, block: usize, s0: f64, s1: f64, softmax: bool) -> V {
        let gain = V::load(&self.gains[block]);
        if !softmax {
            return gain;
        }
        let s0 = V::splat(s0).plus(load(&self.weights, block * WIDTH));
        let s1 = V::splat(s1).plus(load(&self.weighted, block * WIDTH));
        gain.plus(s1.over(s0))
            .or(s0.is_at_least(V::splat(SMALLEST_SUM)), V::splat(f64::NEG_INFINITY))
    }

    /// The n-th best set, nearly, that the best start makes with a pair.
    #[inline(always)]
    fn nth_best<V: Eight>(&self, problem: &Problem, n: usize) -> f64 {
        let count = problem.candidates();
        let start = &self.best;
        let softmax = problem.alignment == Alignment::Softmax;
        let none = V::splat(f64::NEG_INFINITY);
        let mut tops = [none; DEPTH];
        let scores = problem.scores_of(start.size);
        let gains = numbers(&start.gains);
        for (d, gain) in gains.iter().enumerate().take(count - 1) {
            let base = start.base + gain;
            let room = (problem.budget - start.tokens).checked_sub(problem.tokens[d]);
            let Some(room) = room.filter(|_| base > f64::NEG_INFINITY) else {
                continue;
            };
            let base = V::splat(base);
            // From the block of the next candidate on: those of it up to d are left out.
            for block in (d + 1) / WIDTH..start.gains.len() {
                let from = block * WIDTH;
                let pair = load::<V>(scores, d * count + from);
                let mut value = base.plus(V::load(&start.gains[block]).plus(pair));
                let mut fits = V::not_first(d + 1 - (d + 1).min(from));
                if softmax {
                    let s0 = V::splat(start.s0 + self.weights[d]).plus(load(&self.weights, from));
                    let s1 = V::splat(start.s1 + self.weighted[d]).plus(load(&self.weighted, from));
                    fits = V::both(fits, s0.is_at_least(V::splat(2.0 * SMALLEST_SUM)));
                    value = value.plus(s1.over(s0));
                }
                value = value.or(fits, none);
                if problem.budget != u64::MAX {
                    value = affordable(problem, room, from, value);
                }
                for top in &mut tops {
                    let larger = top.larger(value);
                    value = top.smaller(value);
                    *top = larger;
                }
            }
        }
        nth_largest(tops, n)
    }
}

#[cold]
fn affordable<V: Eight>(problem: &Problem, room: u64, from: usize, value: V) -> V {
    let mut block = Block::ZERO;
    value.store(&mut block);
    for (value, tokens) in block.0.iter_mut().zip(&problem.tokens[from..]) {
        if *tokens > room {
            *value = f64::NEG_INFINITY;
        }
    }
    V::load(&block)
}

/// The n-th largest number, or a smaller one.
#[inline(always)]
fn nth_largest<V: Eight>(tops: [V; DEPTH], n: usize) -> f64 {
    let mut numbers = [Block::ZERO; DEPTH];
    for (block, top) in numbers.iter_mut().zip(tops) {
        top.store(block);
    }
    let mut nth = f64::INFINITY;
    for block in &numbers {
        for &number in &block.0 {
            let mut larger = 0;
            for top in tops {
                larger += V::bits(top.is_above(V::splat(number))).count_ones() as usize;
            }
            nth = if larger < n && number < nth { number } else { nth };
        }
    }
    nth
}
