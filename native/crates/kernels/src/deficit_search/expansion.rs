//! One candidate's look at the producers of what it misses.

use super::graph::{Graph, reserve};
use crate::KernelError;

/// In a slot: the tool is chosen, and the lower bits say at which step.
const CHOSEN: u32 = 1 << 31;
/// Missing inputs that one word of a cover tells apart.
const WORD: usize = u32::BITS as usize;

/// A tool that supports something missing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The sum of its weights so far, then Ω.
    pub(crate) omega: f64,
    pub(crate) tool: u32,
    /// Its place among the entries, where its cover stands.
    pub(crate) place: u32,
}

/// What a tool may be added under.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// Bits of tools that may not be added, or nothing where all may.
    pub(crate) barred: Option<&'a [u32]>,
    /// A factor for every tool's Ω.
    pub(crate) relevance: Option<&'a [f32]>,
}

#[derive(Debug, Default)]
pub(crate) struct Expansion {
    /// For each tool 0, its entry + 1, or [`CHOSEN`] and its step. All 0 between uses.
    slots: Vec<u32>,
    entries: Vec<Entry>,
    /// For each entry the bits of the missing inputs that it supports, `width` words.
    covers: Vec<u32>,
    width: usize,
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

    /// Marks the tools of a candidate as chosen, for [`Expansion::supporter`] and [`Expansion::gather`].
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

    /// Finds the best tools, `count` at most, for the inputs that a candidate misses whose tools are marked; says how many.
    pub(crate) fn gather(&mut self, graph: &Graph, missing: &[u32], rules: Rules<'_>, count: usize) -> usize {
        self.entries.clear();
        self.covers.clear();
        self.width = missing.len().div_ceil(WORD);
        for (position, &node) in missing.iter().enumerate() {
            self.gather_row(graph, node, position, rules.barred);
        }
        for entry in &self.entries {
            self.slots[entry.tool as usize] = 0;
        }
        if let Some(relevance) = rules.relevance {
            for entry in &mut self.entries {
                entry.omega *= f64::from(relevance[entry.tool as usize]);
            }
        }
        keep_best(&mut self.entries, count);
        self.entries.len()
    }

    /// One of the tools that were found, the best first.
    pub(crate) fn entry(&self, rank: usize) -> Entry {
        self.entries[rank]
    }

    fn gather_row(&mut self, graph: &Graph, node: u32, position: usize, barred: Option<&[u32]>) {
        let (word, bit) = (position / WORD, 1 << (position % WORD));
        for producer in graph.producers_of(node) {
            let weight = f64::from(producer.weight);
            let slot = &mut self.slots[producer.tool as usize];
            if *slot == 0 {
                if barred.is_some_and(|barred| has(barred, producer.tool)) {
                    continue;
                }
                let place = self.entries.len() as u32;
                self.entries.push(Entry {
                    omega: weight,
                    tool: producer.tool,
                    place,
                });
                self.covers.resize(self.covers.len() + self.width, 0);
                self.covers[place as usize * self.width + word] = bit;
                *slot = place + 1;
            } else if *slot < CHOSEN {
                let place = *slot as usize - 1;
                self.entries[place].omega += weight;
                self.covers[place * self.width + word] |= bit;
            }
        }
    }

    /// The bits of the missing inputs that an entry supports.
    pub(crate) fn cover(&self, entry: &Entry) -> &[u32] {
        &self.covers[entry.place as usize * self.width..][..self.width]
    }

    /// The step of the chosen tool that supports `node` most and has no bit in `dependents`; never the terminal's, which depends
    /// on all others.
    pub(crate) fn supporter(&self, graph: &Graph, node: u32, dependents: u32) -> Option<u32> {
        graph.producers_of(node).iter().find_map(|producer| {
            let slot = self.slots[producer.tool as usize];
            (slot > CHOSEN && dependents >> (slot - CHOSEN) & 1 == 0).then(|| slot - CHOSEN)
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.slots.capacity() + self.covers.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry>()
    }
}

/// Moves the best `count` entries with Ω > 0 to the front and drops the others.
fn keep_best(entries: &mut Vec<Entry>, count: usize) {
    let mut kept = 0;
    for position in 0..entries.len() {
        let entry = entries[position];
        if entry.omega <= 0.0 || (kept == count && !is_better(&entry, &entries[count - 1])) {
            continue;
        }
        // Sorted in place: what is moved was looked at before.
        let mut place = kept.min(count - 1);
        while place > 0 && is_better(&entry, &entries[place - 1]) {
            entries[place] = entries[place - 1];
            place -= 1;
        }
        entries[place] = entry;
        kept = (kept + 1).min(count);
    }
    entries.truncate(kept);
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

/// The positions of the bits that are set, ascending.
pub(crate) fn positions(cover: &[u32]) -> impl Iterator<Item = usize> {
    cover.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros() as usize;
            (bits != 0).then(|| {
                bits &= bits - 1;
                word * WORD + bit
            })
        })
    })
}
