//! One candidate's look at the producers of what it misses.

use super::graph::{Graph, reserve};
use crate::KernelError;

/// Missing inputs that one word of a cover tells apart.
const WORD: usize = u32::BITS as usize;
/// In a slot: the tool is chosen, and the lower bits say at which step.
const CHOSEN: u32 = 1 << 31;

/// A tool that supports something missing.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// The sum of its weights so far, then Ω.
    omega: f64,
    tool: u32,
    /// The bits of the first missing inputs that it supports.
    cover: u32,
}

/// What a tool may be added under.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// Bits of tools that may not be added, or nothing where all may.
    pub(crate) barred: Option<&'a [u32]>,
    /// A factor for every tool's Ω.
    pub(crate) relevance: Option<&'a [f32]>,
    /// K.
    pub(crate) producers: usize,
}

impl Rules<'_> {
    fn bar(&self, tool: u32) -> bool {
        self.barred.is_some_and(|barred| has(barred, tool))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Expansion {
    /// For each tool 0, its entry + 1, or [`CHOSEN`] and its step. All 0 between uses.
    slots: Vec<u32>,
    /// As many as were ever used, of which `count` are in use.
    entries: Vec<Entry>,
    count: usize,
    /// For each entry the bits of the other missing inputs, `more` words.
    covers: Vec<u32>,
    more: usize,
    /// The best entries, best first.
    picked: Vec<u32>,
}

impl Expansion {
    pub(crate) fn fit(&mut self, graph: &Graph) -> Result<(), KernelError> {
        let more = graph.tools().saturating_sub(self.slots.len());
        reserve(&mut self.slots, more)?;
        self.slots.resize(graph.tools(), 0);
        Ok(())
    }

    /// After a refusal in the middle of a search.
    pub(crate) fn forget(&mut self) {
        self.slots.fill(0);
    }

    /// Marks the tools of a candidate as chosen, for all that follows until they are unmarked.
    pub(crate) fn choose(&mut self, tools: &[u32]) {
        for (step, &tool) in tools.iter().enumerate() {
            self.slots[tool as usize] = CHOSEN | step as u32;
        }
    }

    pub(crate) fn unchoose(&mut self, tools: &[u32]) {
        for &tool in tools {
            self.slots[tool as usize] = 0;
        }
    }

    /// The step at which a chosen tool was added.
    #[inline]
    pub(crate) fn step(&self, tool: u32) -> u32 {
        self.slots[tool as usize] & !CHOSEN
    }

    /// Finds the best tools, K at most, for the missing inputs of the candidate whose tools are marked; says how many.
    pub(crate) fn gather(&mut self, graph: &Graph, missing: &[u32], rules: Rules<'_>) -> usize {
        self.count = 0;
        self.covers.clear();
        self.more = missing.len().div_ceil(WORD).saturating_sub(1);
        if let Some((&last, before)) = missing.split_last() {
            for (position, &node) in before.iter().enumerate() {
                self.gather_row(graph, node, position);
            }
            self.gather_last_row(graph, last, before.len(), rules);
        }
        if let Some(relevance) = rules.relevance {
            for entry in &mut self.entries[..self.count] {
                entry.omega *= f64::from(relevance[entry.tool as usize]);
            }
        }
        self.pick(rules);
        self.picked.len()
    }

    /// Adds the producers of one missing input.
    fn gather_row(&mut self, graph: &Graph, node: u32, position: usize) {
        let (tools, weights) = graph.producers_of(node);
        self.make_room(tools.len());
        let cover = if position < WORD { 1 << position } else { 0 };
        let Self {
            slots, entries, count, ..
        } = self;
        for (&tool, &weight) in tools.iter().zip(weights) {
            // SAFETY: `fit` made as many slots as the graph has tools, and the graph names no others.
            let slot = unsafe { slots.get_unchecked_mut(tool as usize) };
            if *slot == 0 {
                entries[*count] = Entry {
                    omega: f64::from(weight),
                    tool,
                    cover,
                };
                *count += 1;
                *slot = *count as u32;
            } else if *slot < CHOSEN {
                let entry = &mut entries[*slot as usize - 1];
                entry.omega += f64::from(weight);
                entry.cover |= cover;
            }
        }
        if self.more > 0 {
            self.cover_more(tools, position);
        }
    }

    /// As [`Expansion::gather_row`]; no row comes behind, so that a new tool's weight is its sum, and the weights fall.
    fn gather_last_row(&mut self, graph: &Graph, node: u32, position: usize, rules: Rules<'_>) {
        if rules.relevance.is_some() || self.more > 0 {
            // With factors any may be among the best.
            self.gather_row(graph, node, position);
            return;
        }
        let (tools, weights) = graph.producers_of(node);
        self.make_room(tools.len());
        let (before, cover) = (self.count, 1 << position);
        let mut open = rules.producers;
        for (&tool, &weight) in tools.iter().zip(weights) {
            // SAFETY: `fit` made as many slots as the graph has tools, and the graph names no others.
            let slot = unsafe { *self.slots.get_unchecked(tool as usize) };
            if slot == 0 {
                if open > 0 && !rules.bar(tool) {
                    open -= 1;
                    self.entries[self.count] = Entry {
                        omega: f64::from(weight),
                        tool,
                        cover,
                    };
                    self.count += 1;
                } else if open == 0 && before == 0 {
                    break;
                }
            } else if slot < CHOSEN {
                let entry = &mut self.entries[slot as usize - 1];
                entry.omega += f64::from(weight);
                entry.cover |= cover;
            }
        }
    }

    fn make_room(&mut self, more: usize) {
        if self.entries.len() < self.count + more {
            self.entries.resize(self.count + more, Entry::default());
        }
    }

    /// Notes which entries a row supports beyond the first word.
    #[cold]
    fn cover_more(&mut self, tools: &[u32], position: usize) {
        self.covers.resize(self.count * self.more, 0);
        if position < WORD {
            return;
        }
        let bit = 1 << (position % WORD);
        for &tool in tools {
            let slot = self.slots[tool as usize];
            if slot < CHOSEN {
                self.covers[(slot as usize - 1) * self.more + position / WORD - 1] |= bit;
            }
        }
    }

    /// Frees the slots of the entries and finds the best that may be added and have Ω > 0.
    fn pick(&mut self, rules: Rules<'_>) {
        let Self {
            slots,
            entries,
            count,
            picked,
            ..
        } = self;
        picked.clear();
        // What an entry has to reach: anything above 0 while there are fewer than K.
        let mut least = f64::from_bits(1);
        for (position, entry) in entries[..*count].iter().enumerate() {
            slots[entry.tool as usize] = 0;
            if entry.omega < least || rules.bar(entry.tool) {
                continue;
            }
            let mut place = picked.len();
            if place < rules.producers {
                picked.push(position as u32);
            } else if is_better(entry, &entries[picked[place - 1] as usize]) {
                place -= 1;
            } else {
                continue;
            }
            while place > 0 && is_better(entry, &entries[picked[place - 1] as usize]) {
                picked[place] = picked[place - 1];
                place -= 1;
            }
            picked[place] = position as u32;
            if picked.len() == rules.producers {
                least = entries[picked[rules.producers - 1] as usize].omega;
            }
        }
    }

    /// The tool of this rank among those that were found, and its Ω; writes the bits of what it supports into `cover`.
    pub(crate) fn found(&self, rank: usize, cover: &mut Vec<u32>) -> (u32, f64) {
        let position = self.picked[rank] as usize;
        let entry = &self.entries[position];
        cover.clear();
        cover.push(entry.cover);
        if self.more > 0 {
            cover.extend_from_slice(&self.covers[position * self.more..][..self.more]);
        }
        (entry.tool, entry.omega)
    }

    /// The step of the chosen tool that supports `node` most and has no bit in `dependents`; never the terminal's,
    /// which depends on all others.
    pub(crate) fn supporter(&self, graph: &Graph, node: u32, dependents: u32) -> Option<u32> {
        graph.producers_of(node).0.iter().find_map(|&tool| {
            // SAFETY: `fit` made as many slots as the graph has tools, and the graph names no others.
            let slot = unsafe { *self.slots.get_unchecked(tool as usize) };
            (slot > CHOSEN && dependents >> (slot - CHOSEN) & 1 == 0).then(|| slot - CHOSEN)
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.slots.capacity() + self.covers.capacity() + self.picked.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry>()
    }
}

#[allow(clippy::float_cmp, reason = "equal is equal only when the numbers are the same")]
fn is_better(left: &Entry, right: &Entry) -> bool {
    left.omega > right.omega || (left.omega == right.omega && left.tool < right.tool)
}

/// Whether the bit of `ordinal` is set.
#[inline]
pub(crate) fn has(bits: &[u32], ordinal: u32) -> bool {
    bits[ordinal as usize / WORD] >> (ordinal as usize % WORD) & 1 == 1
}

/// Calls `visit` with the positions of the bits that are set, ascending.
#[inline]
pub(crate) fn for_each_position(cover: &[u32], mut visit: impl FnMut(usize)) {
    for (word, &bits) in cover.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            visit(word * WORD + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
