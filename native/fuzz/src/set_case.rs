//! Requests for sets.

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use setwise_kernels::hyperedge::{Alignment, Constraints, HyperedgeRequest};

use crate::lists::{one_in, ordinals, spoil};
use crate::numbers::{DOUBLE, numbers};

/// A request that owns what it asks with.
#[derive(Debug, Clone)]
pub struct SetCase {
    /// K.
    pub pool: usize,
    /// l, of one query or of several.
    pub logits: Vec<f64>,
    /// `G_2` … `G_M`, of one query or of several.
    pub pair_scores: Vec<f64>,
    /// M.
    pub max_size: usize,
    /// How logits make up the alignment.
    pub alignment: Alignment,
    /// `c_1` … `c_M`, or nothing.
    pub size_offsets: Vec<f64>,
    /// `c_0`.
    pub empty_score: Option<f64>,
    /// Which sets may be answered.
    pub limits: Limits,
}

/// Constraints that own their lists.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Members of every set.
    pub require: Vec<u32>,
    /// Members of none.
    pub exclude: Vec<u32>,
    /// Ends of groups.
    pub group_ends: Vec<u32>,
    /// Members of groups.
    pub group_members: Vec<u32>,
    /// Costs, or nothing.
    pub tokens: Vec<u32>,
    /// What a set may cost.
    pub max_tokens: Option<u64>,
    /// How many members it may have.
    pub max_tools: Option<usize>,
}

/// M: 1 to 8, now and then what is refused.
pub fn max_size(input: &mut Unstructured) -> Result<usize> {
    if one_in(input, 100)? {
        input.choose(&[0, 9, usize::MAX]).copied()
    } else {
        input.int_in_range(1..=8)
    }
}

impl SetCase {
    /// A request over `pool` candidates with the logits of so many queries, and as many or one list of pair scores.
    pub fn read(
        input: &mut Unstructured,
        pool: usize,
        max_size: usize,
        [logit_lists, pair_lists]: [usize; 2],
    ) -> Result<Self> {
        let sizes = max_size.clamp(1, 9);
        let mut case = Self {
            pool,
            logits: numbers(input, logit_lists * pool, DOUBLE)?,
            pair_scores: numbers(input, pair_lists * (sizes - 1) * pool * pool, DOUBLE)?,
            max_size,
            alignment: *input.choose(&[Alignment::Sum, Alignment::Softmax])?,
            size_offsets: Vec::new(),
            empty_score: None,
            limits: Limits::read(input, pool)?,
        };
        if one_in(input, 3)? {
            case.size_offsets = numbers(input, sizes, DOUBLE)?;
            if one_in(input, 3)? {
                case.size_offsets[input.choose_index(sizes)?] = f64::NEG_INFINITY;
            }
        }
        if one_in(input, 3)? {
            case.empty_score = numbers(input, 1, DOUBLE)?.pop();
        }
        if pool > 0 && one_in(input, 4)? {
            case.make_twins(input)?;
        }
        spoil(input, &mut case.logits)?;
        spoil(input, &mut case.pair_scores)?;
        spoil(input, &mut case.size_offsets)?;
        Ok(case)
    }

    /// Makes candidates equal to others, so that sets tie.
    fn make_twins(&mut self, input: &mut Unstructured) -> Result<()> {
        let pool = self.pool;
        for _ in 0..input.int_in_range(1..=pool)? {
            let (from, to) = (input.choose_index(pool)?, input.choose_index(pool)?);
            for logits in self.logits.chunks_exact_mut(pool) {
                logits[to] = logits[from];
            }
            for pairs in self.pair_scores.chunks_exact_mut(pool * pool) {
                for other in 0..pool {
                    let above = |a: usize, b: usize| a.min(b) * pool + a.max(b);
                    pairs[above(to, other)] = pairs[above(from, other)];
                }
            }
        }
        Ok(())
    }

    /// Mirrors what stands above each diagonal.
    pub fn make_symmetric(&mut self) {
        let pool = self.pool;
        for pairs in self.pair_scores.chunks_exact_mut((pool * pool).max(1)) {
            for a in 0..pool {
                for b in a + 1..pool {
                    pairs[b * pool + a] = pairs[a * pool + b];
                }
            }
        }
    }

    /// The request.
    pub fn request(&self) -> HyperedgeRequest<'_> {
        HyperedgeRequest {
            logits: &self.logits,
            pair_scores: &self.pair_scores,
            max_size: self.max_size,
            alignment: self.alignment,
            size_offsets: &self.size_offsets,
            empty_score: self.empty_score,
            constraints: self.limits.constraints(),
        }
    }

    /// Whether the request is to be answered with sets.
    pub fn is_valid(&self) -> bool {
        self.is_well_formed(&self.logits, &self.pair_scores) && self.pair_scores_looked_at().copied().all(is_in_range)
    }

    /// Those above the diagonals, between candidates that may be used, of sizes that there can be.
    pub fn pair_scores_looked_at(&self) -> impl Iterator<Item = &f64> {
        let (pool, limits) = (self.logits.len(), &self.limits);
        let usable: Vec<usize> = (0..pool).filter(|&x| !limits.exclude.contains(&(x as u32))).collect();
        let largest = self
            .max_size
            .min(limits.max_tools.unwrap_or(usize::MAX))
            .min(usable.len());
        let above: Vec<usize> = usable
            .iter()
            .flat_map(|&a| usable.iter().filter(move |&&b| a < b).map(move |&b| a * pool + b))
            .collect();
        let matrices = self.pair_scores.chunks_exact((pool * pool).max(1));
        let matrices = matrices.take(largest.saturating_sub(1));
        matrices.flat_map(move |pairs| above.clone().into_iter().map(move |place| &pairs[place]))
    }

    /// Whether a request with these logits and pair scores is to be answered, except for what its pair scores are.
    pub fn is_well_formed(&self, logits: &[f64], pair_scores: &[f64]) -> bool {
        let pool = logits.len();
        let limits = &self.limits;
        let offset = |value: &f64| is_in_range(*value) || *value == f64::NEG_INFINITY;
        (1..=8).contains(&self.max_size)
            && pair_scores.len() == (self.max_size - 1) * pool * pool
            && logits.iter().chain(&self.empty_score).copied().all(is_in_range)
            && (self.size_offsets.is_empty() || self.size_offsets.len() == self.max_size)
            && self.size_offsets.iter().all(offset)
            && [&limits.require, &limits.exclude, &limits.group_members]
                .iter()
                .all(|list| list.iter().all(|&position| (position as usize) < pool))
            && limits.has_groups()
            && (limits.tokens.is_empty() || limits.tokens.len() == pool)
    }
}

fn is_in_range(value: f64) -> bool {
    value.abs() <= 1e100
}

impl Limits {
    /// Constraints on sets of a pool.
    pub fn read(input: &mut Unstructured, pool: usize) -> Result<Self> {
        let mut limits = Self::default();
        if one_in(input, 2)? {
            return Ok(limits);
        }
        if one_in(input, 3)? {
            limits.require = ordinals(input, pool, 3)?;
        }
        if one_in(input, 3)? {
            limits.exclude = ordinals(input, pool, 4)?;
        }
        if one_in(input, 2)? {
            for _ in 0..input.int_in_range(0..=3)? {
                limits.group_members.extend(ordinals(input, pool, 5)?);
                limits.group_ends.push(limits.group_members.len() as u32);
            }
            if one_in(input, 50)? {
                limits.group_ends.reverse();
            }
            spoil(input, &mut limits.group_members)?;
        }
        if one_in(input, 2)? {
            for _ in 0..pool {
                limits.tokens.push(if one_in(input, 100)? {
                    u32::MAX
                } else {
                    input.int_in_range(0..=20)?
                });
            }
            spoil(input, &mut limits.tokens)?;
        }
        if one_in(input, 2)? {
            limits.max_tokens = Some(if one_in(input, 20)? {
                u64::MAX
            } else {
                input.int_in_range(0..=60)?
            });
        }
        if one_in(input, 3)? {
            limits.max_tools = Some(input.int_in_range(0..=9)?);
        }
        Ok(limits)
    }

    /// Borrowed as a request has them.
    pub fn constraints(&self) -> Constraints<'_> {
        Constraints {
            require: &self.require,
            exclude: &self.exclude,
            group_ends: &self.group_ends,
            group_members: &self.group_members,
            tokens: &self.tokens,
            max_tokens: self.max_tokens,
            max_tools: self.max_tools,
        }
    }

    /// Whether the ends of the groups are such.
    pub fn has_groups(&self) -> bool {
        self.group_ends.is_sorted() && self.group_ends.last().map_or(0, |&end| end as usize) == self.group_members.len()
    }

    /// The groups one by one.
    pub fn groups(&self) -> impl Iterator<Item = &[u32]> {
        self.group_ends.iter().scan(0, |start, &end| {
            let group = &self.group_members[*start..end as usize];
            *start = end as usize;
            Some(group)
        })
    }
}
