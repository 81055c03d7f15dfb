//! The numbers of one set size, laid out for the walk over its sets.
//!
//! The last two members d < e of a set are a pair. Pairs are listed by descending d and ascending e, so that those behind a
//! candidate a, d > a, are the first C(n − 1 − a, 2) of the list, from the start of a block. A row R[a] holds `G[a, d] + G[a, e]` for the
//! pairs behind a; lanes that are left over in its last block hold minus infinity, and no set that they stand for is ever seen.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]
#![allow(
    clippy::multiple_unsafe_ops_per_block,
    reason = "the places that one line reads and writes are checked together, before the loops"
)]

use super::eight::{Block, Eight, WIDTH, numbers_mut};
use super::problem::{Alignment, Problem};
use super::scan::{BLOCKS_WRITTEN_OUT, LONGEST_WRITTEN_OUT};

/// How numbers of members and pairs become the number of a set.
pub(super) trait Algebra<V: Eight> {
    /// What a sum starts from.
    const ZERO: f64;
    /// What changes nothing, not even the sign of zero.
    const NEUTRAL: f64;
    /// What makes a set impossible.
    const NOTHING: f64;
    fn join(left: V, right: V) -> V;
}

/// Scores are sums.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums;

impl<V: Eight> Algebra<V> for Sums {
    const ZERO: f64 = 0.0;
    const NEUTRAL: f64 = -0.0;
    const NOTHING: f64 = f64::NEG_INFINITY;

    #[inline(always)]
    fn join(left: V, right: V) -> V {
        left.plus(right)
    }
}

/// Exponentials of scores are products.
#[derive(Debug, Clone, Copy)]
pub(super) struct Products;

impl<V: Eight> Algebra<V> for Products {
    const ZERO: f64 = 1.0;
    const NEUTRAL: f64 = 1.0;
    const NOTHING: f64 = 0.0;

    #[inline(always)]
    fn join(left: V, right: V) -> V {
        left.times(right)
    }
}

/// Pairs among `rest` candidates.
pub(super) const fn pairs_among(rest: usize) -> usize {
    rest * rest.saturating_sub(1) / 2
}

/// Blocks that hold the pairs among `rest` candidates.
pub(super) const fn blocks_among(rest: usize) -> usize {
    pairs_among(rest).div_ceil(WIDTH)
}

/// The pair at a place of the list of pairs among `count` candidates.
pub(super) fn pair_at(count: usize, place: usize) -> (usize, usize) {
    // How many candidates are behind d: place is at least C(behind, 2).
    #[allow(clippy::cast_sign_loss, reason = "the root of a positive number")]
    let behind = ((1.0 + (1.0 + 8.0 * place as f64).sqrt()) * 0.5) as usize;
    let d = count - 1 - behind;
    (d, d + 1 + (place - pairs_among(behind)))
}

#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Candidates.
    pub(super) count: usize,
    /// For each pair: `(l_d + l_e) + G[d, e]`, for softmax `G[d, e]`.
    pub(super) first: Vec<Block>,
    /// The rows, one behind the other; row a starts at `starts[a]`.
    pub(super) rows: Vec<Block>,
    pub(super) starts: Vec<usize>,
    rows_end: usize,
    /// A row that changes nothing, for sets that are a pair alone.
    pub(super) neutral: Vec<Block>,
    /// For each pair, softmax: `w_d + w_e` and `l_d·w_d + l_e·w_e`.
    pub(super) pair_s0: Vec<Block>,
    pub(super) pair_s1: Vec<Block>,
    /// For each pair: how many required ones it holds, and what it costs.
    pub(super) pair_required: Vec<Block>,
    pub(super) pair_tokens: Vec<Block>,
    /// For each candidate: how many required ones there are from it on.
    pub(super) required_from: Vec<usize>,
    /// The shape that `starts` and `neutral` are for.
    shaped: (usize, u64),
}

impl Tables {
    /// What depends on the candidates but not on the size.
    #[inline(always)]
    pub(super) fn fill<V: Eight, A: Algebra<V>>(&mut self, problem: &Problem, constrained: bool) {
        let count = problem.candidates();
        self.count = count;
        if self.shaped != (count, A::NEUTRAL.to_bits()) {
            self.shape(count, A::NEUTRAL, A::NOTHING);
        }
        if problem.alignment == Alignment::Softmax {
            let (weights, logits) = (&problem.weights, &problem.logits);
            self.each_pair(|tables, place, d, e| {
                numbers_mut(&mut tables.pair_s0)[place] = weights[d] + weights[e];
                numbers_mut(&mut tables.pair_s1)[place] = logits[d] * weights[d] + logits[e] * weights[e];
            });
        }
        if constrained {
            self.required_from.clear();
            self.required_from.resize(count + 1, 0);
            for a in (0..count).rev() {
                self.required_from[a] = self.required_from[a + 1] + usize::from(problem.required[a]);
            }
            let is_required = |index: usize| f64::from(u8::from(problem.required[index]));
            self.each_pair(|tables, place, d, e| {
                numbers_mut(&mut tables.pair_required)[place] = is_required(d) + is_required(e);
                numbers_mut(&mut tables.pair_tokens)[place] = (problem.tokens[d] + problem.tokens[e]) as f64;
            });
        }
    }

    fn shape(&mut self, count: usize, neutral: f64, nothing: f64) {
        self.shaped = (count, neutral.to_bits());
        self.starts.clear();
        // Room before the first row, so that the last ones are always as many blocks as are written out.
        let mut start = BLOCKS_WRITTEN_OUT;
        for a in 0..count {
            self.starts.push(start);
            start += blocks_among(count - 1 - a);
        }
        // A segment is written in whole blocks, beyond its own end.
        let spare = count.div_ceil(WIDTH) + 1;
        let blocks = (blocks_among(count) + spare).max(blocks_among(LONGEST_WRITTEN_OUT));
        self.rows_end = start;
        self.rows.resize(start + spare, Block::ZERO);
        for list in [
            &mut self.first,
            &mut self.pair_required,
            &mut self.pair_tokens,
            &mut self.pair_s0,
            &mut self.pair_s1,
        ] {
            list.clear();
            list.resize(blocks, Block([1.0; WIDTH]));
        }
        self.neutral.clear();
        self.neutral.resize(blocks, Block([nothing; WIDTH]));
        numbers_mut(&mut self.neutral)[..pairs_among(count)].fill(neutral);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let lists = [&self.first, &self.rows, &self.neutral, &self.pair_s0, &self.pair_s1];
        let lists = lists.into_iter().chain([&self.pair_required, &self.pair_tokens]);
        lists.map(|list| list.capacity() * size_of::<Block>()).sum()
    }

    /// Where the last row ends.
    #[inline(always)]
    pub(super) fn rows_end(&self) -> usize {
        self.rows_end
    }

    #[inline(always)]
    fn each_pair(&mut self, mut put: impl FnMut(&mut Self, usize, usize, usize)) {
        let mut place = 0;
        for d in (0..self.count - 1).rev() {
            for e in d + 1..self.count {
                put(self, place, d, e);
                place += 1;
            }
        }
    }

    /// What depends on the size: `scores` is its matrix, with eight numbers to spare behind it.
    #[inline(always)]
    pub(super) fn fill_size<V: Eight, A: Algebra<V>>(
        &mut self,
        scores: &[f64],
        logits: Option<&[f64]>,
        with_rows: bool,
    ) {
        let count = self.count;
        assert!(scores.len() >= count * count + WIDTH && self.first.len() * WIDTH >= pairs_among(count) + WIDTH);
        let to = numbers_mut(&mut self.first);
        let mut place = 0;
        for d in (0..count - 1).rev() {
            let behind = count - 1 - d;
            let mut at = 0;
            while at < behind {
                // SAFETY: eight numbers behind the end of the matrix are there.
                let pair = unsafe { load_at::<V>(scores, d * count + d + 1 + at) };
                let x = match logits {
                    None => pair,
                    Some(logits) => A::join(A::join(V::splat(logits[d]), load(logits, d + 1 + at)), pair),
                };
                // SAFETY: eight numbers behind the last place are there.
                unsafe { store_at(to, place + at, x) };
                at += WIDTH;
            }
            place += behind;
        }
        to[place..].fill(A::NOTHING);
        if with_rows {
            self.fill_rows::<V, A>(scores);
        }
    }

    #[inline(always)]
    fn fill_rows<V: Eight, A: Algebra<V>>(&mut self, scores: &[f64]) {
        let count = self.count;
        assert!(self.rows.len() * WIDTH >= self.rows_end * WIDTH + count + WIDTH);
        let to = numbers_mut(&mut self.rows);
        for a in 0..count - 2 {
            let mut place = self.starts[a] * WIDTH;
            let row = &scores[a * count..];
            assert!(row.len() >= count + WIDTH);
            let end = place + blocks_among(count - 1 - a) * WIDTH;
            // Of at most one block, the most frequent.
            let short = count.saturating_sub(WIDTH + 1).max(a + 1);
            for d in (short..count - 1).rev() {
                // SAFETY: rows have at least eight numbers behind them, and so have the places of all rows.
                unsafe {
                    let pair = V::splat(*row.get_unchecked(d));
                    store_at(to, place, A::join(pair, load_at(row, d + 1)));
                }
                place += count - 1 - d;
            }
            for d in (a + 1..short).rev() {
                let behind = count - 1 - d;
                let mut at = 0;
                while at < behind {
                    // SAFETY: as above.
                    unsafe {
                        let pair = V::splat(*row.get_unchecked(d));
                        store_at(to, place + at, A::join(pair, load_at(row, d + 1 + at)));
                    }
                    at += WIDTH;
                }
                place += behind;
            }
            to[place..end].fill(A::NOTHING);
        }
    }
}

/// Eight numbers from a place on.
///
/// # Safety
/// There are eight.
#[inline(always)]
unsafe fn load_at<V: Eight>(numbers: &[f64], at: usize) -> V {
    debug_assert!(at + WIDTH <= numbers.len());
    // SAFETY: the caller promises that eight numbers stand there.
    V::load_array(unsafe { &*numbers.as_ptr().add(at).cast() })
}

/// Writes eight numbers from a place on.
///
/// # Safety
/// There are eight.
#[inline(always)]
unsafe fn store_at<V: Eight>(numbers: &mut [f64], at: usize, value: V) {
    debug_assert!(at + WIDTH <= numbers.len());
    // SAFETY: the caller promises that eight numbers stand there.
    value.store_array(unsafe { &mut *numbers.as_mut_ptr().add(at).cast() });
}

#[inline(always)]
pub(super) fn load<V: Eight>(numbers: &[f64], at: usize) -> V {
    V::load_array(numbers[at..].first_chunk().unwrap())
}
