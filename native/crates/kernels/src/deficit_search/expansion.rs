//! One candidate's look at the producers of what it misses.

use super::MOST_TOOLS;
use super::graph::{Graph, reserve};
use crate::KernelError;

/// Missing inputs that one word of a cover tells apart.
const WORD: usize = u32::BITS as usize;
/// Where the entries begin of tools that were found; before them stands one for each chosen tool, at its step.
const FOUND: usize = MOST_TOOLS as usize;

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
    /// For each tool 0, or its entry + 1. All 0 between uses.
    slots: Vec<u32>,
    /// As many as were ever used, of which those before `end` are in use; from [`FOUND`] on without a sum or a cover between uses.
    entries: Vec<Entry>,
    end: usize,
    /// For each tool that was found the bits of the other missing inputs, `more` words.
    covers: Vec<u32>,
    more: usize,
    /// The best and their entries, best first.
    picked: Vec<(Entry, u32)>,
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
        self.entries.clear();
    }

    /// Marks the tools of a candidate as chosen, for all that follows until they are unmarked.
    pub(crate) fn choose(&mut self, tools: &[u32]) {
        for (step, &tool) in tools.iter().enumerate() {
            self.slots[tool as usize] = step as u32 + 1;
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
        self.slots[tool as usize] - 1
    }

    /// Finds the best tools, K at most, for the missing inputs of the candidate whose tools are marked; says how many.
    pub(crate) fn gather(&mut self, graph: &Graph, missing: &[u32], rules: Rules<'_>) -> usize {
        self.end = FOUND;
        self.covers.clear();
        self.picked.clear();
        self.more = missing.len().div_ceil(WORD).saturating_sub(1);
        if let (&[node], None) = (missing, rules.relevance) {
            self.pick_first(graph, node, rules);
            return self.picked.len();
        }
        if let Some((&last, before)) = missing.split_last() {
            for (position, &node) in before.iter().enumerate() {
                self.gather_row(graph, node, position);
            }
            if rules.relevance.is_some() || self.more > 0 {
                self.gather_row(graph, last, before.len());
            } else {
                self.gather_last_row(graph, last, before.len(), rules);
            }
        }
        self.pick(rules);
        self.picked.len()
    }

    /// The best producers of a single input are the first that may be added.
    fn pick_first(&mut self, graph: &Graph, node: u32, rules: Rules<'_>) {
        let (tools, weights) = graph.producers_of(node);
        let open = (tools.iter().zip(weights)).filter(|&(&tool, _)| self.slots[tool as usize] == 0 && !rules.bar(tool));
        self.picked.extend(open.take(rules.producers).map(|(&tool, &weight)| {
            let omega = f64::from(weight);
            (Entry { omega, tool, cover: 1 }, 0)
        }));
    }

    /// Adds the producers of one missing input, without a branch on what is known of each.
    fn gather_row(&mut self, graph: &Graph, node: u32, position: usize) {
        let (tools, weights) = graph.producers_of(node);
        self.make_room(tools.len());
        let cover = if position < WORD { 1 << position } else { 0 };
        let Self {
            slots, entries, end, ..
        } = self;
        let mut next = *end as u32;
        for (&tool, &weight) in tools.iter().zip(weights) {
            // SAFETY: `fit` made as many slots as the graph has tools, and the graph names no others.
            let slot = unsafe { slots.get_unchecked_mut(tool as usize) };
            let place = if *slot == 0 { next } else { *slot - 1 };
            next += u32::from(place == next);
            *slot = place + 1;
            // SAFETY: slots name entries in use, and there is room for every tool of the row behind those.
            let entry = unsafe { entries.get_unchecked_mut(place as usize) };
            entry.omega += f64::from(weight);
            entry.tool = tool;
            entry.cover |= cover;
        }
        *end = next as usize;
        if self.more > 0 {
            self.cover_more(tools, position);
        }
    }

    /// As [`Expansion::gather_row`]; no row comes behind, so that a new tool's weight is its sum, and the weights fall: the
    /// first that may be added are enough.
    fn gather_last_row(&mut self, graph: &Graph, node: u32, position: usize, rules: Rules<'_>) {
        let (tools, weights) = graph.producers_of(node);
        self.make_room(tools.len());
        let cover = 1 << position;
        let mut open = rules.producers;
        for (&tool, &weight) in tools.iter().zip(weights) {
            // SAFETY: `fit` made as many slots as the graph has tools, and the graph names no others.
            let slot = unsafe { *self.slots.get_unchecked(tool as usize) };
            let mut place = slot as usize;
            if slot == 0 {
                if open == 0 || rules.bar(tool) {
                    continue;
                }
                open -= 1;
                self.end += 1;
                place = self.end;
            }
            let entry = &mut self.entries[place - 1];
            entry.omega += f64::from(weight);
            entry.tool = tool;
            entry.cover |= cover;
        }
    }

    fn make_room(&mut self, more: usize) {
        if self.entries.len() < self.end + more {
            self.entries.resize(self.end + more, Entry::default());
        }
    }

    /// Notes which tools a row supports beyond the first word.
    #[cold]
    fn cover_more(&mut self, tools: &[u32], position: usize) {
        self.covers.resize((self.end - FOUND) * self.more, 0);
        if position < WORD {
            return;
        }
        let bit = 1 << (position % WORD);
        for &tool in tools {
            let slot = self.slots[tool as usize] as usize;
            if slot > FOUND {
                self.covers[(slot - 1 - FOUND) * self.more + position / WORD - 1] |= bit;
            }
        }
    }

    /// Frees the entries and finds the best that may be added and have Ω > 0.
    fn pick(&mut self, rules: Rules<'_>) {
        let Self {
            slots,
            entries,
            end,
            picked,
            ..
        } = self;
        // What a tool has to reach: anything above 0 while there are fewer than K.
        let mut least = f64::from_bits(1);
        for (position, kept) in entries[FOUND..*end].iter_mut().enumerate() {
            let mut entry = std::mem::take(kept);
            // SAFETY: entries in use hold tools of the graph, for all of which `fit` made slots.
            unsafe { *slots.get_unchecked_mut(entry.tool as usize) = 0 };
            if let Some(relevance) = rules.relevance {
                entry.omega *= f64::from(relevance[entry.tool as usize]);
            }
            if entry.omega < least || rules.bar(entry.tool) {
                continue;
            }
            let mut place = picked.len();
            if place < rules.producers {
                picked.push((entry, 0));
            } else if is_better(&entry, &picked[place - 1].0) {
                place -= 1;
            } else {
                continue;
            }
            while place > 0 && is_better(&entry, &picked[place - 1].0) {
                picked[place] = picked[place - 1];
                place -= 1;
            }
            picked[place] = (entry, position as u32);
            if picked.len() == rules.producers {
                least = picked[rules.producers - 1].0.omega;
            }
        }
    }

    /// The tool of this rank among those that were found, and its Ω; writes the bits of what it supports into `cover`.
    pub(crate) fn found(&self, rank: usize, cover: &mut Vec<u32>) -> (u32, f64) {
        let (entry, position) = self.picked[rank];
        cover.clear();
        cover.push(entry.cover);
        if self.more > 0 {
            cover.extend_from_slice(&self.covers[position as usize * self.more..][..self.more]);
        }
        (entry.tool, entry.omega)
    }

    /// The step of the chosen tool that supports `node` most and has no bit in `dependents`; never the terminal's,
    /// which depends on all others.
    pub(crate) fn supporter(&self, graph: &Graph, node: u32, dependents: u32, marks: u128) -> Option<u32> {
        if graph.marks_of(node) & marks == 0 {
            return None;
        }
        graph.producers_of(node).0.iter().find_map(|&tool| {
            // SAFETY: `fit` made as many slots as the graph has tools, and the graph names no others.
            let slot = unsafe { *self.slots.get_unchecked(tool as usize) };
            (slot > 1 && dependents >> (slot - 1) & 1 == 0).then(|| slot - 1)
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.slots.capacity() + self.covers.capacity()) * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.picked.capacity() * size_of::<(Entry, u32)>()
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
