//! Requests for sets, over pools small enough to enumerate.

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use setwise_kernels::hyperedge::{Alignment, Constraints, HyperedgeRequest};

use crate::lists::{ordinals, spoil};
use crate::numbers::{DOUBLE, numbers};

/// A request that owns what it asks with.
#[derive(Debug, Clone)]
pub struct SetCase {
    /// K.
    pub pool: usize,
    /// l.
    pub logits: Vec<f64>,
    /// `G_2` … `G_M`.
    pub pair_scores: Vec<f64>,
    /// M.
    pub max_size: usize,
    /// How logits make up the alignment.
    pub alignment: Alignment,
    /// `c_1` … `c_M`, or nothing.
    pub size_offsets: Vec<f64>,
    /// `c_0`.
    pub empty_score: Option<f64>,
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
    /// Answers asked for.
    pub count: usize,
}

impl SetCase {
    /// The request.
    pub fn request(&self) -> HyperedgeRequest<'_> {
        HyperedgeRequest {
            logits: &self.logits,
            pair_scores: &self.pair_scores,
            max_size: self.max_size,
            alignment: self.alignment,
            size_offsets: &self.size_offsets,
            empty_score: self.empty_score,
            constraints: Constraints {
                require: &self.require,
                exclude: &self.exclude,
                group_ends: &self.group_ends,
                group_members: &self.group_members,
                tokens: &self.tokens,
                max_tokens: self.max_tokens,
                max_tools: self.max_tools,
            },
        }
    }
}

impl<'a> Arbitrary<'a> for SetCase {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let max_size = if input.ratio(1_u8, 60)? {
            *input.choose(&[0, 9, usize::MAX])?
        } else {
            input.int_in_range(1..=8)?
        };
        // Fewer than 1,600 sets.
        let pool = input.int_in_range(0..=if max_size > 5 { 10 } else { 12 })?;
        let alignment = *input.choose(&[Alignment::Sum, Alignment::Softmax])?;
        let sizes = max_size.clamp(1, 9);
        let mut case = Self {
            pool,
            logits: numbers(input, pool, DOUBLE)?,
            pair_scores: numbers(input, (sizes - 1) * pool * pool, DOUBLE)?,
            max_size,
            alignment,
            size_offsets: Vec::new(),
            empty_score: None,
            require: Vec::new(),
            exclude: Vec::new(),
            group_ends: Vec::new(),
            group_members: Vec::new(),
            tokens: Vec::new(),
            max_tokens: None,
            max_tools: None,
            count: input.int_in_range(0..=15)?,
        };
        if input.ratio(1_u8, 3)? {
            case.size_offsets = numbers(input, sizes, DOUBLE)?;
            if input.ratio(1_u8, 3)? {
                case.size_offsets[input.choose_index(sizes)?] = f64::NEG_INFINITY;
            }
        }
        if input.ratio(1_u8, 3)? {
            case.empty_score = numbers(input, 1, DOUBLE)?.pop();
        }
        if pool > 0 && input.ratio(1_u8, 4)? {
            case.make_twins(input)?;
        }
        case.constrain(input)?;
        spoil(input, &mut case.logits)?;
        spoil(input, &mut case.pair_scores)?;
        spoil(input, &mut case.size_offsets)?;
        spoil(input, &mut case.tokens)?;
        spoil(input, &mut case.group_members)?;
        Ok(case)
    }
}

impl SetCase {
    /// Makes candidates equal to others, so that sets tie.
    fn make_twins(&mut self, input: &mut Unstructured) -> Result<()> {
        let pool = self.pool;
        for _ in 0..input.int_in_range(1..=pool)? {
            let (from, to) = (input.choose_index(pool)?, input.choose_index(pool)?);
            self.logits[to] = self.logits[from];
            for pairs in self.pair_scores.chunks_exact_mut(pool * pool) {
                for other in 0..pool {
                    let (low, high) = (from.min(other), from.max(other));
                    let (to_low, to_high) = (to.min(other), to.max(other));
                    pairs[to_low * pool + to_high] = pairs[low * pool + high];
                }
            }
        }
        Ok(())
    }

    fn constrain(&mut self, input: &mut Unstructured) -> Result<()> {
        let pool = self.pool;
        if input.ratio(1_u8, 4)? {
            self.require = ordinals(input, pool, 3)?;
        }
        if input.ratio(1_u8, 4)? {
            self.exclude = ordinals(input, pool, 4)?;
        }
        if input.ratio(1_u8, 3)? {
            for _ in 0..input.int_in_range(0..=3)? {
                self.group_members.extend(ordinals(input, pool, 5)?);
                self.group_ends.push(self.group_members.len() as u32);
            }
            if input.ratio(1_u8, 60)? {
                self.group_ends.reverse();
            }
        }
        if input.ratio(1_u8, 3)? {
            for _ in 0..pool {
                let tokens = if input.ratio(1_u8, 60)? {
                    u32::MAX
                } else {
                    input.int_in_range(0..=20)?
                };
                self.tokens.push(tokens);
            }
        }
        if input.ratio(1_u8, 3)? {
            self.max_tokens = Some(if input.ratio(1_u8, 20)? {
                u64::MAX
            } else {
                input.int_in_range(0..=60)?
            });
        }
        if input.ratio(1_u8, 4)? {
            self.max_tools = Some(input.int_in_range(0..=9)?);
        }
        Ok(())
    }
}
