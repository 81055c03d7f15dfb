use std::ops::Range;

use crate::error::{KernelError, check_length};

/// Ordinals stay below this, so that a slot has room for a flag (and TypeScript has small integers).
const MOST_ORDINALS: usize = 1 << 31;

/// The sparse matrix of support, `A_prod(r, e) = ρ(e, r)` in the paper, row by row.
#[derive(Debug, Clone, Copy)]
pub struct Producers<'a> {
    /// Where the producers of each input begin, and the end: inputs + 1 numbers.
    pub offsets: &'a [u32],
    /// The tools that support it, in any order; of a tool that is named twice the larger weight counts.
    pub tools: &'a [u32],
    /// How strongly: finite and at least 0, where 0 is no support.
    pub weights: &'a [f32],
}

/// One producer of an input.
#[derive(Debug, Clone, Copy)]
struct Producer {
    tool: u32,
    weight: f32,
}

impl Producer {
    /// Ascending keys are descending weights, equal weights by lower tool: the bits of positive numbers rise with them.
    fn key(self) -> u64 {
        u64::from(!self.weight.to_bits()) << 32 | u64::from(self.tool)
    }
}

/// Which inputs each tool requires, and which tools make each input, the strongest first.
#[derive(Debug)]
pub(crate) struct Graph {
    inputs: Vec<u32>,
    rows: Vec<Row>,
    /// The producers of all inputs, row by row, …
    tools: Vec<u32>,
    /// … and their weights.
    weights: Vec<f32>,
}

/// What is known of one input.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// The [`mark`]s of its producers.
    marks: u128,
    /// Where these stand.
    start: u32,
    end: u32,
    /// The tool that requires it.
    owner: u32,
}

/// One bit of 128 for a tool: of an input without the bit it is no producer.
#[inline]
pub(crate) fn mark(tool: u32) -> u128 {
    1 << (tool.wrapping_mul(0x9e37_79b1) >> 25)
}

impl Graph {
    pub(crate) fn new(inputs: &[u32], producers: Producers<'_>) -> Result<Self, KernelError> {
        let nodes = check_offsets("inputs", inputs)?;
        let tools = inputs.len() - 1;
        check_count("fewer than 2^31 tools", tools)?;
        check_count("fewer than 2^31 inputs", nodes)?;
        check_length("producers.offsets", nodes + 1, producers.offsets.len())?;
        let entries = check_offsets("producers.offsets", producers.offsets)?;
        check_length("producers.tools", entries, producers.tools.len())?;
        check_length("producers.weights", entries, producers.weights.len())?;
        check_ordinals("producers.tools", producers.tools, tools, "tools")?;
        check_weights("producers.weights", producers.weights)?;
        let mut graph = Self {
            inputs: copy(inputs)?,
            rows: with_room(nodes)?,
            tools: with_room(entries)?,
            weights: with_room(entries)?,
        };
        graph.fill(producers)?;
        Ok(graph)
    }

    fn fill(&mut self, producers: Producers<'_>) -> Result<(), KernelError> {
        // The last row that named a tool, to know whether one is named twice.
        let mut named_by = with_room(self.tools())?;
        named_by.resize(self.tools(), u32::MAX);
        let mut row: Vec<Producer> = Vec::new();
        for tool in 0..self.tools() as u32 {
            for node in self.inputs_of(tool) {
                let mut doubled = false;
                row.clear();
                for entry in range(producers.offsets, node) {
                    let producer = Producer {
                        tool: producers.tools[entry],
                        weight: producers.weights[entry],
                    };
                    // No tool makes what it needs itself.
                    if producer.weight > 0.0 && producer.tool != tool {
                        doubled |= std::mem::replace(&mut named_by[producer.tool as usize], node) == node;
                        row.push(producer);
                    }
                }
                if doubled {
                    // The strongest of each tool stays.
                    row.sort_unstable_by_key(|producer| (producer.tool, producer.key()));
                    row.dedup_by_key(|producer| producer.tool);
                }
                if !row.is_sorted_by_key(|producer| producer.key()) {
                    row.sort_unstable_by_key(|producer| producer.key());
                }
                let start = self.tools.len() as u32;
                self.tools.extend(row.iter().map(|producer| producer.tool));
                self.weights.extend(row.iter().map(|producer| producer.weight));
                self.rows.push(Row {
                    marks: row.iter().fold(0, |marks, producer| marks | mark(producer.tool)),
                    start,
                    end: self.tools.len() as u32,
                    owner: tool,
                });
            }
        }
        Ok(())
    }

    pub(crate) fn tools(&self) -> usize {
        self.inputs.len() - 1
    }

    pub(crate) fn nodes(&self) -> usize {
        self.rows.len()
    }

    /// The inputs that `tool` requires.
    #[inline]
    pub(crate) fn inputs_of(&self, tool: u32) -> Range<u32> {
        self.inputs[tool as usize]..self.inputs[tool as usize + 1]
    }

    /// The tools that support `node`, the strongest first, of equals the lower; and how strongly they do.
    #[inline]
    pub(crate) fn producers_of(&self, node: u32) -> (&[u32], &[f32]) {
        let Row { start, end, .. } = self.rows[node as usize];
        let row = start as usize..end as usize;
        (&self.tools[row.clone()], &self.weights[row])
    }

    /// The [`mark`]s of the producers of `node`.
    #[inline]
    pub(crate) fn marks_of(&self, node: u32) -> u128 {
        self.rows[node as usize].marks
    }

    /// The tool that requires `node`.
    #[inline]
    pub(crate) fn owner_of(&self, node: u32) -> u32 {
        self.rows[node as usize].owner
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.inputs.capacity() + self.tools.capacity()) * size_of::<u32>()
            + self.weights.capacity() * size_of::<f32>()
            + self.rows.capacity() * size_of::<Row>()
    }
}

#[inline]
fn range(offsets: &[u32], node: u32) -> Range<usize> {
    offsets[node as usize] as usize..offsets[node as usize + 1] as usize
}

/// An empty list with room for `count`, or the refusal.
pub(crate) fn with_room<Value>(count: usize) -> Result<Vec<Value>, KernelError> {
    let mut values = Vec::new();
    reserve(&mut values, count)?;
    Ok(values)
}

/// Makes room for `count` more, or refuses.
pub(crate) fn reserve<Value>(values: &mut Vec<Value>, count: usize) -> Result<(), KernelError> {
    values.try_reserve(count).map_err(|_| KernelError::OutOfMemory {
        bytes: count.saturating_mul(size_of::<Value>()),
    })
}

fn copy(values: &[u32]) -> Result<Vec<u32>, KernelError> {
    let mut copied = with_room(values.len())?;
    copied.extend_from_slice(values);
    Ok(copied)
}

/// What the last offset says.
fn check_offsets(what: &'static str, offsets: &[u32]) -> Result<usize, KernelError> {
    let refuse = |value: String| KernelError::OutOfRange {
        what,
        expected: "offsets that start at 0 and never fall",
        value,
    };
    match offsets.first() {
        None => return Err(refuse("none".to_owned())),
        Some(0) => {}
        Some(first) => return Err(refuse(format!("{first} at position 0"))),
    }
    for (position, pair) in offsets.windows(2).enumerate() {
        if pair[1] < pair[0] {
            return Err(refuse(format!("{} at position {}", pair[1], position + 1)));
        }
    }
    Ok(offsets[offsets.len() - 1] as usize)
}

fn check_count(expected: &'static str, count: usize) -> Result<(), KernelError> {
    if count < MOST_ORDINALS {
        return Ok(());
    }
    Err(KernelError::OutOfRange {
        what: "inputs",
        expected,
        value: count.to_string(),
    })
}

/// `kind` says in the plural what there are `count` of.
pub(crate) fn check_ordinals(
    what: &'static str,
    ordinals: &[u32],
    count: usize,
    kind: &str,
) -> Result<(), KernelError> {
    match ordinals.iter().find(|&&ordinal| ordinal as usize >= count) {
        None => Ok(()),
        Some(ordinal) => Err(KernelError::OutOfRange {
            what,
            expected: "ordinals",
            value: format!("{ordinal}; there are {count} {kind}"),
        }),
    }
}

/// Checks that numbers are finite and not negative.
pub(crate) fn check_weights(what: &'static str, weights: &[f32]) -> Result<(), KernelError> {
    // A pass without a way out, so that it can be wide; only a refusal is looked for again.
    if weights
        .iter()
        .filter(|weight| !(0.0..=f32::MAX).contains(*weight))
        .count()
        == 0
    {
        return Ok(());
    }
    for (position, weight) in weights.iter().enumerate() {
        if !weight.is_finite() {
            return Err(KernelError::NotFinite { what, position });
        }
        if *weight < 0.0 {
            return Err(KernelError::OutOfRange {
                what,
                expected: "numbers of 0 or more",
                value: format!("a negative one at position {position}"),
            });
        }
    }
    Ok(())
}
