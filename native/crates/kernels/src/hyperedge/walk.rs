//! The walk over all sets of a pool: sizes ascending, and within a size the sets that begin with the same members together, in
//! lexicographic order of these beginnings.
//!
//! For a beginning a₁ < … < `a_j` the walk keeps `X[pair]`, of every pair behind `a_j`, and `B[a]`, of every candidate a behind `a_j`, as
//! [`Problem::score`] defines them: X is the x of a set that ends in the pair, and B the b of a beginning that goes on with a. So the sets that
//! go on with a and a pair behind it score `B[a] + (X[pair] + R[a][pair])`.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]
#![allow(clippy::float_cmp, reason = "counts in f64 are exact")]
#![allow(clippy::struct_field_names, reason = "the words of the definition")]

use super::eight::{Block, Eight, WIDTH, numbers};
use super::problem::{Alignment, LARGEST_SET, Problem};
use super::scan::{BASES_BEFORE, LONGEST_WRITTEN_OUT};
use super::tables::{Algebra, Tables, blocks_among, load};

/// What is known of the members that sets begin with.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Beginning {
    /// The first `length` are members.
    pub(super) members: [u16; LARGEST_SET],
    pub(super) length: usize,
    /// Softmax: the sums of w and l·w.
    pub(super) s0: f64,
    pub(super) s1: f64,
    /// How many required ones it holds, and what it costs; only kept where there are constraints.
    pub(super) required: f64,
    pub(super) tokens: f64,
}

impl Beginning {
    /// Adds a member to the sums.
    #[inline(always)]
    fn add<const CONSTRAINED: bool>(&mut self, problem: &Problem, member: usize) {
        if problem.alignment == Alignment::Softmax {
            let weight = problem.weights[member];
            self.s0 += weight;
            self.s1 += problem.logits[member] * weight;
        }
        if CONSTRAINED {
            self.required += f64::from(u8::from(problem.required[member]));
            self.tokens += problem.tokens[member] as f64;
        }
    }

    /// One more member.
    pub(super) fn with<const CONSTRAINED: bool>(&self, problem: &Problem, member: usize) -> Self {
        let mut longer = *self;
        longer.members[longer.length] = member as u16;
        longer.length += 1;
        longer.add::<CONSTRAINED>(problem, member);
        longer
    }

    /// The members followed by a pair, sixteen bits each.
    pub(super) fn packed_with(&self, d: usize, e: usize) -> u128 {
        let pair = d as u128 | (e as u128) << 16;
        self.members[..self.length]
            .iter()
            .rev()
            .fold(pair, |packed, &member| packed << 16 | u128::from(member))
    }
}

/// The sets of one size that have a beginning, then any one candidate from `from` to `to`, then any pair behind it; or, where `is_pairs`
/// says so, all pairs.
pub(super) struct Group<'a> {
    pub(super) problem: &'a Problem,
    pub(super) tables: &'a Tables,
    pub(super) beginning: &'a Beginning,
    pub(super) is_pairs: bool,
    pub(super) from: usize,
    pub(super) to: usize,
    xs: &'a [Block],
    bases: &'a [f64],
}

/// What the sets of a group that go on with one candidate are made of; the slices are equally long.
pub(super) struct Row<'a> {
    pub(super) xs: &'a [Block],
    pub(super) row: &'a [Block],
    /// Softmax: the sums of w and l·w of each pair.
    pub(super) pair_s0: &'a [Block],
    pub(super) pair_s1: &'a [Block],
    pub(super) base: f64,
    /// Softmax: the sums of w and l·w of the other members.
    pub(super) s0: f64,
    pub(super) s1: f64,
}

/// What the pairs of a row must keep to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    required: f64,
    tokens: f64,
}

impl Limits {
    /// Which pairs of a block do.
    #[inline(always)]
    pub(super) fn admit<V: Eight>(&self, tables: &Tables, block: usize) -> V::Mask {
        let required = V::load(&tables.pair_required[block]).is_equal(V::splat(self.required));
        let tokens = V::splat(self.tokens).is_at_least(V::load(&tables.pair_tokens[block]));
        V::both(required, tokens)
    }
}

impl<'a> Group<'a> {
    #[inline(always)]
    pub(super) fn row(&self, a: usize) -> Row<'a> {
        let tables = self.tables;
        let (row, rest) = if self.is_pairs {
            (&tables.neutral[..], tables.count)
        } else {
            (&tables.rows[tables.starts[a]..], tables.count - 1 - a)
        };
        let count = blocks_among(rest);
        let [s0, s1] = self.sums_with(a);
        Row {
            xs: &self.xs[..count],
            row: &row[..count],
            pair_s0: &tables.pair_s0[..count],
            pair_s1: &tables.pair_s1[..count],
            base: self.bases[BASES_BEFORE + a],
            s0,
            s1,
        }
    }

    /// Softmax: the sums of w and l·w of the members of a row but for the pair.
    #[inline(always)]
    pub(super) fn sums_with(&self, a: usize) -> [f64; 2] {
        let Beginning { s0, s1, .. } = *self.beginning;
        if self.is_pairs || self.problem.alignment == Alignment::Sum {
            return [s0, s1];
        }
        let weight = self.problem.weights[a];
        [s0 + weight, s1 + self.problem.logits[a] * weight]
    }

    /// What the sets of a row may still cost, and how many required ones their pair must hold; nothing when no pair will do.
    #[inline(always)]
    pub(super) fn limits(&self, a: usize) -> Option<Limits> {
        let mut required = self.problem.required_count as f64 - self.beginning.required;
        let mut tokens = self.problem.budget as f64 - self.beginning.tokens;
        let mut passed_over = false;
        if !self.is_pairs {
            passed_over = self.tables.required_from[a] as f64 != required;
            required -= f64::from(u8::from(self.problem.required[a]));
            tokens -= self.problem.tokens[a] as f64;
        }
        (!passed_over && required <= 2.0 && tokens >= 0.0).then_some(Limits { required, tokens })
    }

    /// The beginning of the sets of a row.
    pub(super) fn beginning_of<const CONSTRAINED: bool>(&self, a: usize) -> Beginning {
        if self.is_pairs {
            *self.beginning
        } else {
            self.beginning.with::<CONSTRAINED>(self.problem, a)
        }
    }

    #[inline(always)]
    pub(super) fn xs(&self) -> &'a [Block] {
        self.xs
    }

    #[inline(always)]
    pub(super) fn bases(&self) -> &'a [f64] {
        self.bases
    }
}

/// What looks at the groups.
pub(super) trait Visitor<V: Eight> {
    /// `FIRST` for the one group of sets without a beginning.
    fn visit<const CONSTRAINED: bool, const FIRST: bool>(&mut self, group: &Group);

    /// All groups with a beginning of this length, one or more, were visited; `last` is its last member.
    #[inline(always)]
    fn leave(&mut self, length: usize, last: usize) {
        let _ = (length, last);
    }

    /// All sets of a size were visited.
    #[inline(always)]
    fn finish(&mut self, size: usize) {
        let _ = size;
    }
}

/// X, B and the sums of rows that B is made of, for beginnings of 0, 1, … members.
#[derive(Debug, Default)]
pub(super) struct Levels {
    xs: Vec<Block>,
    bases: Vec<Block>,
    row_sums: Vec<Block>,
}

/// Beginnings of which X and B are kept.
const LEVELS: usize = LARGEST_SET - 2;

impl Levels {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        (self.xs.capacity() + self.bases.capacity() + self.row_sums.capacity()) * size_of::<Block>()
    }

    fn make_room(&mut self, count: usize) {
        let grow = |blocks: &mut Vec<Block>, length: usize| {
            if blocks.len() < length {
                blocks.resize(length, Block::ZERO);
            }
        };
        grow(
            &mut self.xs,
            LEVELS * blocks_among(count) + blocks_among(LONGEST_WRITTEN_OUT),
        );
        grow(&mut self.bases, LEVELS * bases_stride(count));
        grow(&mut self.row_sums, LEVELS * count.div_ceil(WIDTH));
    }
}

fn bases_stride(count: usize) -> usize {
    BASES_BEFORE / WIDTH + count.div_ceil(WIDTH)
}

/// The numbers of the sets of one size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size<'a> {
    pub(super) size: usize,
    /// c.
    pub(super) offset: f64,
    /// G, with eight numbers to spare behind it.
    pub(super) scores: &'a [f64],
    /// l, with eight numbers to spare behind them; none for softmax.
    pub(super) logits: Option<&'a [f64]>,
}

/// Visits the sets of one size, 2 or more.
#[inline(always)]
pub(super) fn walk<V: Eight, A: Algebra<V>, const CONSTRAINED: bool>(
    problem: &Problem,
    size: Size,
    tables: &mut Tables,
    levels: &mut Levels,
    visitor: &mut impl Visitor<V>,
) {
    tables.fill_size::<V, A>(size.scores, size.logits, size.size > 2);
    levels.make_room(tables.count);
    let tables = &*tables;
    let walk = Walk { problem, tables, size };
    if size.size > 2 {
        walk.start::<V, A>(levels);
    }
    if size.size > 3 {
        walk.descend::<V, A, CONSTRAINED>(levels, visitor);
    } else {
        let mut bases = [0.0; BASES_BEFORE + 1];
        bases[BASES_BEFORE] = size.offset;
        let is_pairs = size.size == 2;
        visitor.visit::<CONSTRAINED, true>(&Group {
            is_pairs,
            to: if is_pairs { 1 } else { tables.count - 2 },
            bases: if is_pairs { &bases } else { numbers(&levels.bases) },
            ..walk.group(&levels.bases, &tables.first, &Beginning::default(), 0)
        });
    }
    visitor.finish(size.size);
}

struct Walk<'a> {
    problem: &'a Problem,
    tables: &'a Tables,
    size: Size<'a>,
}

impl Walk<'_> {
    /// B of the empty beginning.
    #[inline(always)]
    fn start<V: Eight, A: Algebra<V>>(&self, levels: &mut Levels) {
        let stride = self.tables.count.div_ceil(WIDTH);
        let offset = V::splat(self.size.offset);
        let zero = V::splat(A::ZERO);
        for (i, (sum, base)) in levels.row_sums[..stride]
            .iter_mut()
            .zip(&mut levels.bases[BASES_BEFORE / WIDTH..])
            .enumerate()
        {
            zero.store(sum);
            let with_logits = match self.size.logits {
                None => zero,
                Some(logits) => A::join(load(logits, i * WIDTH), zero),
            };
            A::join(offset, with_logits).store(base);
        }
    }

    #[inline(always)]
    fn descend<V: Eight, A: Algebra<V>, const CONSTRAINED: bool>(
        &self,
        levels: &mut Levels,
        visitor: &mut impl Visitor<V>,
    ) {
        let lead = self.size.size - 2;
        let mut beginnings = [Beginning::default(); LARGEST_SET];
        let mut next = [0; LARGEST_SET];
        let mut depth = 0;
        loop {
            if depth + 2 == lead {
                self.visit_last::<V, A, CONSTRAINED>(levels, depth, next[depth], &beginnings[depth], visitor);
            } else {
                let a = next[depth];
                if a < self.end(depth) && self.may_start_at::<CONSTRAINED>(&beginnings[depth], a) {
                    next[depth] += 1;
                    let beginning = beginnings[depth].with::<CONSTRAINED>(self.problem, a);
                    if self.may_begin::<CONSTRAINED>(&beginning) {
                        self.at(levels, depth).enter::<V, A, true>(a);
                        depth += 1;
                        beginnings[depth] = beginning;
                        next[depth] = a + 1;
                    }
                    continue;
                }
            }
            if depth == 0 {
                return;
            }
            visitor.leave(depth, next[depth - 1] - 1);
            depth -= 1;
        }
    }

    /// Visits the groups with one member more than this beginning.
    #[inline(always)]
    fn visit_last<V: Eight, A: Algebra<V>, const CONSTRAINED: bool>(
        &self,
        levels: &mut Levels,
        depth: usize,
        from: usize,
        beginning: &Beginning,
        visitor: &mut impl Visitor<V>,
    ) {
        let mut level = self.at(levels, depth);
        let mut longer = *beginning;
        longer.length += 1;
        for a in from..self.end(depth) {
            if !self.may_start_at::<CONSTRAINED>(beginning, a) {
                return;
            }
            longer.members[depth] = a as u16;
            [longer.s0, longer.s1] = [beginning.s0, beginning.s1];
            [longer.required, longer.tokens] = [beginning.required, beginning.tokens];
            longer.add::<CONSTRAINED>(self.problem, a);
            if self.may_begin::<CONSTRAINED>(&longer) {
                level.enter::<V, A, false>(a);
                visitor.visit::<CONSTRAINED, false>(&self.group(level.bases_after, level.xs_after, &longer, a + 1));
                visitor.leave(depth + 1, a);
            }
        }
    }

    /// Candidates from here on leave too few behind them to be the next member at this depth.
    #[inline(always)]
    fn end(&self, depth: usize) -> usize {
        (self.tables.count + depth + 1).saturating_sub(self.size.size)
    }

    /// Whether sets with this beginning may go on with candidates from a on: those that were passed over are not required.
    #[inline(always)]
    fn may_start_at<const CONSTRAINED: bool>(&self, beginning: &Beginning, a: usize) -> bool {
        !CONSTRAINED || self.tables.required_from[a] as f64 == self.problem.required_count as f64 - beginning.required
    }

    #[inline(always)]
    fn may_begin<const CONSTRAINED: bool>(&self, beginning: &Beginning) -> bool {
        !CONSTRAINED || beginning.tokens <= self.problem.budget as f64
    }

    #[inline(always)]
    fn group<'a>(&'a self, bases: &'a [Block], xs: &'a [Block], beginning: &'a Beginning, from: usize) -> Group<'a> {
        Group {
            problem: self.problem,
            tables: self.tables,
            beginning,
            is_pairs: false,
            from,
            to: self.tables.count - 2,
            xs,
            bases: numbers(bases),
        }
    }

    #[inline(always)]
    fn at<'a>(&'a self, levels: &'a mut Levels, depth: usize) -> Level<'a> {
        let count = self.tables.count;
        let (blocks, stride) = (blocks_among(count), count.div_ceil(WIDTH));
        let (xs, xs_after) = levels.xs.split_at_mut((depth + 1) * blocks);
        let (bases, bases_after) = levels.bases.split_at_mut((depth + 1) * bases_stride(count));
        let (sums, sums_after) = levels.row_sums.split_at_mut((depth + 1) * stride);
        Level {
            tables: self.tables,
            size: self.size,
            xs: if depth == 0 {
                &self.tables.first
            } else {
                &xs[depth * blocks..]
            },
            xs_after,
            bases: &numbers(&bases[depth * bases_stride(count)..])[BASES_BEFORE..],
            bases_after,
            sums: &sums[depth * stride..][..stride],
            sums_after: &mut sums_after[..if depth + 1 == LEVELS { 0 } else { stride }],
        }
    }
}

/// X, B and sums of rows of a beginning, and room for those of the beginnings with one member more.
struct Level<'a> {
    tables: &'a Tables,
    size: Size<'a>,
    xs: &'a [Block],
    xs_after: &'a mut [Block],
    bases: &'a [f64],
    bases_after: &'a mut [Block],
    sums: &'a [Block],
    sums_after: &'a mut [Block],
}

impl Level<'_> {
    /// Makes those of the beginning that goes on with a.
    #[inline(always)]
    fn enter<V: Eight, A: Algebra<V>, const WITH_SUMS: bool>(&mut self, a: usize) {
        let count = self.tables.count;
        // Pairs behind the next member are all that is looked at.
        let needed = blocks_among(count - 2 - a);
        let row = &self.tables.rows[self.tables.starts[a]..][..needed];
        for ((to, x), row) in self.xs_after[..needed].iter_mut().zip(&self.xs[..needed]).zip(row) {
            A::join(V::load(x), V::load(row)).store(to);
        }
        let base = V::splat(self.bases[a]);
        let scores = &self.size.scores[a * count..];
        let bases = &mut self.bases_after[BASES_BEFORE / WIDTH..][..self.sums.len()];
        for (i, (sum, base_after)) in self.sums.iter().zip(bases).enumerate() {
            let sum = A::join(V::load(sum), load(scores, i * WIDTH));
            if WITH_SUMS {
                sum.store(&mut self.sums_after[i]);
            }
            let with_logits = match self.size.logits {
                None => sum,
                Some(logits) => A::join(load(logits, i * WIDTH), sum),
            };
            A::join(base, with_logits).store(base_after);
        }
    }
}
