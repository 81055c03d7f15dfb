//! Graphs of tools with many cycles, and questions about them, as callers hand them over.

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use setwise_kernels::deficit_search::{DeficitLimits, DeficitQuery, LARGEST_BEAM, MOST_TOOLS, Producers};

use crate::lists::{count, one_in, ordinals, spoil};

/// A graph in the form in which it is handed over.
#[derive(Debug)]
pub struct GraphCase {
    /// Where the inputs of each tool begin, and the end.
    pub inputs: Vec<u32>,
    /// Where the producers of each input begin, and the end.
    pub offsets: Vec<u32>,
    /// Producers.
    pub tools: Vec<u32>,
    /// How strongly they support.
    pub weights: Vec<f32>,
}

/// A question that owns its lists.
#[derive(Debug)]
pub struct QuestionCase {
    /// What is wanted.
    pub terminals: Vec<u32>,
    /// What is given.
    pub grounded: Vec<u32>,
    /// What may be added, if not all.
    pub allow: Option<Vec<u32>>,
    /// What may not.
    pub exclude: Vec<u32>,
    /// Factors.
    pub relevance: Option<Vec<f32>>,
    /// How far to look.
    pub limits: DeficitLimits,
}

impl GraphCase {
    /// A graph of a few tools with a few inputs each.
    pub fn read(input: &mut Unstructured) -> Result<Self> {
        let tools = count(input, 8, 40)?;
        let (mut inputs, mut offsets) = (vec![0], vec![0]);
        let (mut producers, mut weights) = (Vec::new(), Vec::new());
        for _ in 0..tools {
            // Sets of missing inputs are kept as words of 32 bits.
            let own = if one_in(input, 8)? {
                count(input, 5, 70)?
            } else {
                input.int_in_range(0..=3)?
            };
            inputs.push(inputs[inputs.len() - 1] + own as u32);
            for _ in 0..own {
                producers.extend(ordinals(input, tools, 4)?);
                offsets.push(producers.len() as u32);
            }
        }
        for _ in 0..producers.len() {
            weights.push(weight(input)?);
        }
        let mut graph = Self {
            inputs,
            offsets,
            tools: producers,
            weights,
        };
        spoil(input, &mut graph.inputs)?;
        spoil(input, &mut graph.offsets)?;
        spoil(input, &mut graph.tools)?;
        spoil(input, &mut graph.weights)?;
        if one_in(input, 100)? {
            graph.offsets.reverse();
        }
        Ok(graph)
    }

    /// The producers.
    pub fn producers(&self) -> Producers<'_> {
        Producers {
            offsets: &self.offsets,
            tools: &self.tools,
            weights: &self.weights,
        }
    }

    /// How many tools there are.
    pub fn tool_count(&self) -> usize {
        self.inputs.len().saturating_sub(1)
    }

    /// How many inputs there are.
    pub fn input_count(&self) -> usize {
        self.inputs.last().map_or(0, |&end| end as usize)
    }

    /// Whether it is a graph.
    pub fn is_valid(&self) -> bool {
        let are_offsets = |offsets: &[u32]| offsets.first() == Some(&0) && offsets.is_sorted();
        are_offsets(&self.inputs)
            && are_offsets(&self.offsets)
            && self.offsets.len() == self.input_count() + 1
            && self.offsets.last().is_some_and(|&end| end as usize == self.tools.len())
            && self.weights.len() == self.tools.len()
            && self.tools.iter().all(|&tool| (tool as usize) < self.tool_count())
            && self.weights.iter().copied().all(is_weight)
    }
}

impl QuestionCase {
    /// A question about a graph.
    pub fn read(input: &mut Unstructured, graph: &GraphCase) -> Result<Self> {
        let (tools, inputs) = (graph.tool_count(), graph.input_count().min(3_000));
        let mut question = Self {
            terminals: ordinals(input, tools, 3)?,
            grounded: if one_in(input, 2)? {
                ordinals(input, inputs, inputs.min(12))?
            } else {
                vec![]
            },
            allow: if one_in(input, 4)? {
                Some(ordinals(input, tools, tools)?)
            } else {
                None
            },
            exclude: if one_in(input, 4)? {
                ordinals(input, tools, 3)?
            } else {
                vec![]
            },
            relevance: None,
            limits: DeficitLimits {
                beam: input.int_in_range(1..=5)?,
                producers: input.int_in_range(1..=4)?,
                depth: input.int_in_range(0..=6)?,
                max_tools: input.int_in_range(1..=8)?,
                count: input.int_in_range(0..=7)?,
            },
        };
        if one_in(input, 3)? {
            let mut relevance = (0..tools).map(|_| weight(input)).collect::<Result<Vec<_>>>()?;
            spoil(input, &mut relevance)?;
            question.relevance = Some(relevance);
        }
        if one_in(input, 20)? {
            question.limits.depth = u32::MAX;
            question.limits.max_tools = *input.choose(&[0, MOST_TOOLS, MOST_TOOLS + 1])?;
        }
        if one_in(input, 20)? {
            // Few tools have few sets.
            let most = if tools <= 5 { LARGEST_BEAM } else { 8 };
            question.limits.beam = *input.choose(&[0, most, LARGEST_BEAM + 1])?;
            question.limits.producers = *input.choose(&[most, most, 0, u32::MAX])?;
            question.limits.count = *input.choose(&[LARGEST_BEAM, LARGEST_BEAM, u32::MAX])?;
        }
        Ok(question)
    }

    /// The question.
    pub fn query(&self) -> DeficitQuery<'_> {
        DeficitQuery {
            terminals: &self.terminals,
            grounded: &self.grounded,
            allow: self.allow.as_deref(),
            exclude: &self.exclude,
            relevance: self.relevance.as_deref(),
            limits: self.limits,
        }
    }

    /// Whether it can be asked about a graph.
    pub fn is_valid(&self, graph: &GraphCase) -> bool {
        let below = |list: &[u32], bound: usize| list.iter().all(|&ordinal| (ordinal as usize) < bound);
        let tools = graph.tool_count();
        let limits = self.limits;
        below(&self.terminals, tools)
            && below(&self.grounded, graph.input_count())
            && below(self.allow.as_deref().unwrap_or_default(), tools)
            && below(&self.exclude, tools)
            && self
                .relevance
                .as_ref()
                .is_none_or(|list| list.len() == tools && list.iter().copied().all(is_weight))
            && (1..=LARGEST_BEAM).contains(&limits.beam)
            && (1..=LARGEST_BEAM).contains(&limits.producers)
            && (1..=MOST_TOOLS).contains(&limits.max_tools)
            && limits.count <= LARGEST_BEAM
    }
}

fn is_weight(weight: f32) -> bool {
    weight.is_finite() && weight >= 0.0
}

/// Weights that tie, that vanish beside others, and now and then none.
fn weight(input: &mut Unstructured) -> Result<f32> {
    if one_in(input, 300)? {
        return input.choose(&[f32::NAN, f32::INFINITY, -1.0, -1e-45]).copied();
    }
    let number: u8 = input.arbitrary()?;
    Ok(match number {
        0..=99 => 1.0 / f32::from(1 + number % 4),
        100..=219 => f32::from(number) / 256.0,
        220..=235 => 0.0,
        236..=238 => -0.0,
        239..=244 => f32::MAX,
        245..=250 => 1e-45,
        _ => 1e-30,
    })
}
