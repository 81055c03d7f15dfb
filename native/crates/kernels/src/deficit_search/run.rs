//! The steps of one query.

use std::ops::Range;

use super::MOST_TOOLS;
use super::beam::Beam;
use super::candidates::{Arena, Child, Counts, are_same_sets, signature};
use super::expansion::{Expansion, Rules, for_each_position, has};
use super::graph::{Graph, mark};
use super::search::DeficitLimits;
use crate::KernelError;

/// Memory that queries reuse.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub(crate) expansion: Expansion,
    pub(crate) arena: Arena,
    beam: Beam,
    /// The candidates that are expanded, best first.
    parents: Vec<u32>,
    /// The results so far, best first.
    pub(crate) best: Vec<u32>,
    /// Terminals that were searched.
    pub(crate) asked: Vec<u32>,
    draft: Draft,
}

/// A tool that is weighed.
#[derive(Debug, Default)]
struct Draft {
    /// The bits of the missing inputs that it supports.
    cover: Vec<u32>,
    /// Its inputs that stay missing, and those that are linked, with the steps of the tools they are linked to.
    missing: Vec<u32>,
    link_inputs: Vec<u32>,
    link_steps: Vec<u32>,
    /// What comes of adding it.
    outcome: Vec<u32>,
}

impl Work {
    pub(crate) fn bytes(&self) -> usize {
        let Draft {
            cover,
            missing,
            link_inputs,
            link_steps,
            outcome,
        } = &self.draft;
        let lists = [cover, missing, link_inputs, link_steps, outcome];
        let words: usize = lists
            .into_iter()
            .chain([&self.parents, &self.best, &self.asked])
            .map(Vec::capacity)
            .sum();
        words * size_of::<u32>() + self.expansion.bytes() + self.arena.bytes() + self.beam.bytes()
    }
}

pub(crate) struct Run<'a> {
    pub(crate) graph: &'a Graph,
    /// The bits of the inputs that are available.
    pub(crate) given: &'a [u32],
    pub(crate) rules: Rules<'a>,
    pub(crate) limits: DeficitLimits,
    pub(crate) work: &'a mut Work,
}

/// What a step may leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// What still misses something can neither be completed nor be an answer.
    Complete,
}

impl Run<'_> {
    pub(crate) fn search_all(&mut self, terminals: &[u32]) -> Result<(), KernelError> {
        let most_tools = self.limits.max_tools.min(self.limits.depth.saturating_add(1));
        self.work.arena.restart(most_tools.min(MOST_TOOLS));
        self.work.best.clear();
        if self.limits.count == 0 {
            return Ok(());
        }
        for &terminal in terminals {
            if !has(&self.work.asked, terminal) {
                self.work.asked[terminal as usize / 32] |= 1 << (terminal % 32);
                self.search_from(terminal)?;
            }
        }
        Ok(())
    }

    fn search_from(&mut self, terminal: u32) -> Result<(), KernelError> {
        let first = self.work.arena.len();
        let given = self.given;
        let Work { arena, draft, .. } = &mut *self.work;
        draft.missing.clear();
        draft
            .missing
            .extend(self.graph.inputs_of(terminal).filter(|&node| !has(given, node)));
        let start = arena.start(terminal, &draft.missing)?;
        if draft.missing.is_empty() {
            self.offer_result(start);
        } else if !self.expand(start)? {
            for partial in first..self.work.arena.len() {
                self.offer_result(partial);
            }
        }
        if self.work.best.iter().all(|&result| result < first) {
            self.work.arena.truncate(first);
        }
        Ok(())
    }

    /// Expands step by step, and says whether anything became complete.
    fn expand(&mut self, start: u32) -> Result<bool, KernelError> {
        let steps = self.limits.depth.min(self.limits.max_tools - 1);
        let mut found = false;
        self.work.parents.clear();
        self.work.parents.push(start);
        for step in 1..=steps {
            // Results with more tools rank behind, so that none can come in any more.
            if self.work.parents.is_empty() || self.is_full_with(step) {
                break;
            }
            let last = (step == steps && found) || self.is_full_with(step + 1);
            found |= self.advance(if last { Wanted::Complete } else { Wanted::All })?;
        }
        Ok(found)
    }

    /// Whether there are as many complete results as wanted, of at most so many tools.
    fn is_full_with(&self, tools: u32) -> bool {
        let Work { arena, best, .. } = &self.work;
        best.len() == self.limits.count as usize
            && best.last().is_some_and(|&worst| {
                let worst = arena.get(worst);
                worst.counts.missing == 0 && worst.tools <= tools
            })
    }

    /// One step: tries producers for every parent; complete children become results, the best others the next parents.
    fn advance(&mut self, wanted: Wanted) -> Result<bool, KernelError> {
        let mut found = false;
        self.work.beam.restart(self.limits.beam as usize);
        for position in 0..self.work.parents.len() {
            let parent = self.work.parents[position];
            let Work { expansion, arena, .. } = &mut *self.work;
            expansion.choose(arena.tools(parent));
            let tried = expansion.gather(self.graph, arena.missing(parent), self.rules);
            for rank in 0..tried {
                found |= self.try_child(parent, rank, wanted)?;
            }
            self.work.expansion.unchoose(self.work.arena.tools(parent));
        }
        let Work {
            beam, arena, parents, ..
        } = &mut *self.work;
        parents.clear();
        for (child, outcome) in beam.children() {
            parents.push(arena.grow(child, outcome)?);
        }
        Ok(found)
    }

    /// Weighs one more tool for a parent, which is the one that was gathered for; says whether that completes it.
    fn try_child(&mut self, parent: u32, rank: usize, wanted: Wanted) -> Result<bool, KernelError> {
        let Work {
            expansion,
            arena,
            beam,
            draft,
            ..
        } = &mut *self.work;
        let candidate = arena.get(parent);
        let (tool, support) = expansion.found(rank, &mut draft.cover);
        let left = candidate.counts.missing - draft.cover.iter().map(|word| word.count_ones()).sum::<u32>();
        let total = candidate.total + support;
        // Neither what is missing nor the total of a child gets better any more.
        let hopeless = |count| count > 0 && (wanted == Wanted::Complete || beam.rejects(count, total));
        if hopeless(left) {
            return Ok(false);
        }
        let dependents = dependents_on(self.graph, expansion, arena, parent, &draft.cover);
        let marks = marks_without(arena.tools(parent), dependents);
        let supporter = |node| expansion.supporter(self.graph, node, dependents, marks);
        let own = self.graph.inputs_of(tool).filter(|&node| !has(self.given, node));
        if !draft.weigh(own, supporter, |count| hopeless(left + count)) {
            return Ok(false);
        }
        draft.conclude(arena.missing(parent));
        let counts = draft.counts(left);
        let child = Child {
            parent,
            tool,
            signature: candidate.signature.wrapping_add(signature(tool)),
            dependents,
            counts,
            total,
            support,
        };
        if counts.missing > 0 {
            beam.offer(child, &draft.outcome, arena);
            return Ok(false);
        }
        let complete = arena.grow(&child, &draft.outcome)?;
        if !self.offer_result(complete) {
            self.work.arena.truncate(complete);
        }
        Ok(true)
    }

    /// Takes a candidate among the results, unless it has an equal or enough better ones.
    fn offer_result(&mut self, candidate: u32) -> bool {
        let Work { arena, best, .. } = &mut *self.work;
        let tools = arena.tools(candidate);
        let equal = best.iter().position(|&other| {
            arena.get(other).signature == arena.get(candidate).signature
                && arena.tools(other)[0] == tools[0]
                && are_same_sets((arena.tools(other), tools[0]), (tools, tools[0]))
        });
        if let Some(equal) = equal {
            if arena.compare(candidate, best[equal]).is_ge() {
                return false;
            }
            best.remove(equal);
        }
        let at = best.partition_point(|&other| arena.compare(other, candidate).is_lt());
        if at >= self.limits.count as usize {
            return false;
        }
        best.truncate(self.limits.count as usize - 1);
        best.insert(at, candidate);
        true
    }
}

impl Draft {
    /// Links what it can of the tool's inputs and lists the others; gives up when these are too many.
    fn weigh(
        &mut self,
        own: impl Iterator<Item = u32>,
        supporter: impl Fn(u32) -> Option<u32>,
        hopeless: impl Fn(u32) -> bool,
    ) -> bool {
        self.missing.clear();
        self.link_inputs.clear();
        self.link_steps.clear();
        for node in own {
            if let Some(step) = supporter(node) {
                self.link_inputs.push(node);
                self.link_steps.push(step);
                continue;
            }
            self.missing.push(node);
            if hopeless(self.missing.len() as u32) {
                return false;
            }
        }
        true
    }

    /// Writes what comes of the tool: what its parent misses and it does not support, with its own missing inputs,
    /// which stand together, among it; and the other lists.
    fn conclude(&mut self, lacking: &[u32]) {
        self.outcome.clear();
        let first = self.missing.first().copied().unwrap_or(u32::MAX);
        let behind = lacking.iter().position(|&node| node > first).unwrap_or(lacking.len());
        self.keep(lacking, 0..behind);
        self.outcome.extend_from_slice(&self.missing);
        self.keep(lacking, behind..lacking.len());
        for list in [&self.cover, &self.link_inputs, &self.link_steps] {
            self.outcome.extend_from_slice(list);
        }
    }

    fn keep(&mut self, lacking: &[u32], positions: Range<usize>) {
        for position in positions {
            if !has(&self.cover, position as u32) {
                self.outcome.push(lacking[position]);
            }
        }
    }

    /// `left` says what its parent misses and it does not support.
    fn counts(&self, left: u32) -> Counts {
        Counts {
            missing: left + self.missing.len() as u32,
            cover: self.cover.len() as u32,
            links: self.link_inputs.len() as u32,
        }
    }
}

/// The marks of the tools that could support one that `dependents` will depend on: neither these nor the terminal.
fn marks_without(tools: &[u32], dependents: u32) -> u128 {
    (tools.iter().enumerate().skip(1))
        .filter(|(step, _)| dependents >> step & 1 == 0)
        .fold(0, |marks, (_, &tool)| marks | mark(tool))
}

/// The bits of the tools that will depend on one which supports what `cover` says of what a candidate misses, whose
/// tools are marked: those that miss it, and what depends on these.
fn dependents_on(graph: &Graph, expansion: &Expansion, arena: &Arena, candidate: u32, cover: &[u32]) -> u32 {
    let (missing, dependents) = (arena.missing(candidate), arena.dependents(candidate));
    let mut bits = 0;
    for_each_position(cover, |position| {
        let step = expansion.step(graph.owner_of(missing[position]));
        bits |= 1 << step | dependents[step as usize];
    });
    bits
}
