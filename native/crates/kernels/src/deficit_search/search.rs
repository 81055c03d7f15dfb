use super::answer::DeficitAnswer;
use super::beam::Beam;
use super::candidates::{Arena, Child, Outcome, signature};
use super::expansion::{Entry, Expansion, Rules, has};
use super::graph::{Graph, Producers, check_ordinals, check_weights, reserve};
use crate::KernelError;

/// The most candidates kept a step, producers tried for one and results: what is kept is compared one by one.
pub const LARGEST_BEAM: u32 = 1024;
/// The most tools in a candidate: which of them depend on which is the bits of one word.
pub const MOST_TOOLS: u32 = 32;

/// A graph of tools in memory of its own, ready to be searched.
#[derive(Debug)]
pub struct DeficitSearch {
    graph: Graph,
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub struct DeficitQuery<'a> {
    /// The tools that are wanted, each searched for by itself.
    pub terminals: &'a [u32],
    /// Inputs that are available.
    pub grounded: &'a [u32],
    /// The only tools that may be added; `None` allows all.
    pub allow: Option<&'a [u32]>,
    /// Tools that may not be added.
    pub exclude: &'a [u32],
    /// A factor, finite and at least 0, for every tool's Ω.
    pub relevance: Option<&'a [f32]>,
    /// How far to look.
    pub limits: DeficitLimits,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeficitLimits {
    /// Candidates that are kept after each step: B.
    pub beam: u32,
    /// Tools that are tried for each of them: K.
    pub producers: u32,
    /// Steps, each of which adds one tool.
    pub depth: u32,
    /// Tools in a candidate, the terminal among them.
    pub max_tools: u32,
    /// Results wanted.
    pub count: u32,
}

/// Memory that searches reuse, so that a search allocates nothing once the largest was seen.
#[derive(Debug, Default)]
pub struct DeficitScratch {
    given: Vec<u32>,
    barred: Vec<u32>,
    work: Work,
    answer: DeficitAnswer,
}

impl DeficitScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.given.capacity() + self.barred.capacity()) * size_of::<u32>() + self.work.bytes() + self.answer.bytes()
    }

    /// What the last search found.
    pub fn answer(&self) -> &DeficitAnswer {
        &self.answer
    }
}

impl DeficitSearch {
    /// Copies a graph: tool e requires the inputs `inputs[e]..inputs[e + 1]`, so that `inputs` has tools + 1 numbers.
    pub fn new(inputs: &[u32], producers: Producers<'_>) -> Result<Self, KernelError> {
        Graph::new(inputs, producers).map(|graph| Self { graph })
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
    }

    /// Searches from every terminal; the answer stays in `scratch`.
    pub fn search<'a>(
        &self,
        query: DeficitQuery<'_>,
        scratch: &'a mut DeficitScratch,
    ) -> Result<&'a DeficitAnswer, KernelError> {
        self.check(&query)?;
        let DeficitScratch {
            given,
            barred,
            work,
            answer,
        } = scratch;
        work.fit(&self.graph)?;
        fit_bits(given, self.graph.nodes())?;
        let restricted = query.allow.is_some() || !query.exclude.is_empty();
        if restricted {
            fit_bits(barred, self.graph.tools())?;
            barred.fill(if query.allow.is_some() { u32::MAX } else { 0 });
            clear(barred, query.allow.unwrap_or_default());
            set(barred, query.exclude);
        }
        set(given, query.grounded);
        let mut run = Run {
            graph: &self.graph,
            given,
            rules: Rules {
                barred: restricted.then_some(barred),
                relevance: query.relevance,
            },
            limits: query.limits,
            work,
        };
        let outcome = run.search_all(query.terminals);
        clear(given, query.grounded);
        if outcome.is_err() {
            work.expansion.forget();
            work.asked.fill(0);
        }
        outcome?;
        answer.write(&work.arena, &work.best)?;
        Ok(answer)
    }

    fn check(&self, query: &DeficitQuery<'_>) -> Result<(), KernelError> {
        let (tools, nodes) = (self.graph.tools(), self.graph.nodes());
        check_ordinals("terminals", query.terminals, tools, "tools")?;
        check_ordinals("grounded", query.grounded, nodes, "inputs")?;
        check_ordinals("allow", query.allow.unwrap_or_default(), tools, "tools")?;
        check_ordinals("exclude", query.exclude, tools, "tools")?;
        if let Some(relevance) = query.relevance {
            if relevance.len() != tools {
                return Err(KernelError::Length {
                    what: "relevance",
                    expected: tools,
                    actual: relevance.len(),
                });
            }
            check_weights("relevance", relevance)?;
        }
        query.limits.check()
    }
}

impl DeficitLimits {
    fn check(&self) -> Result<(), KernelError> {
        let kept = "an integer from 1 to 1024";
        for (what, value, fits, expected) in [
            ("beam", self.beam, (1..=LARGEST_BEAM).contains(&self.beam), kept),
            (
                "producers",
                self.producers,
                (1..=LARGEST_BEAM).contains(&self.producers),
                kept,
            ),
            (
                "maxTools",
                self.max_tools,
                (1..=MOST_TOOLS).contains(&self.max_tools),
                "an integer from 1 to 32",
            ),
            (
                "count",
                self.count,
                self.count <= LARGEST_BEAM,
                "an integer from 0 to 1024",
            ),
        ] {
            if !fits {
                return Err(KernelError::OutOfRange {
                    what,
                    expected,
                    value: value.to_string(),
                });
            }
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Work {
    expansion: Expansion,
    arena: Arena,
    beam: Beam,
    /// The candidates that are expanded, best first.
    parents: Vec<u32>,
    /// The results so far, best first.
    best: Vec<u32>,
    /// Terminals that were searched.
    asked: Vec<u32>,
    missing: Vec<u32>,
    link_inputs: Vec<u32>,
    link_steps: Vec<u32>,
}

impl Work {
    fn fit(&mut self, graph: &Graph) -> Result<(), KernelError> {
        self.arena.truncate(0);
        self.best.clear();
        fit_bits(&mut self.asked, graph.tools())?;
        self.expansion.fit(graph)
    }

    fn bytes(&self) -> usize {
        let lists = [
            &self.parents,
            &self.best,
            &self.asked,
            &self.missing,
            &self.link_inputs,
            &self.link_steps,
        ];
        lists
            .iter()
            .map(|list| list.capacity() * size_of::<u32>())
            .sum::<usize>()
            + self.expansion.bytes()
            + self.arena.bytes()
            + self.beam.bytes()
    }
}

struct Run<'a> {
    graph: &'a Graph,
    given: &'a [u32],
    rules: Rules<'a>,
    limits: DeficitLimits,
    work: &'a mut Work,
}

/// What a step may leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// What still misses something can neither be completed nor be an answer.
    Complete,
}

impl Run<'_> {
    fn search_all(&mut self, terminals: &[u32]) -> Result<(), KernelError> {
        if self.limits.count == 0 {
            return Ok(());
        }
        for &terminal in terminals {
            if !has(&self.work.asked, terminal) {
                set(&mut self.work.asked, &[terminal]);
                self.search_from(terminal)?;
            }
        }
        clear(&mut self.work.asked, terminals);
        Ok(())
    }

    fn search_from(&mut self, terminal: u32) -> Result<(), KernelError> {
        let first = self.work.arena.len();
        let given = self.given;
        let missing = self.graph.inputs_of(terminal).filter(|&node| !has(given, node));
        let start = self.work.arena.start(terminal, missing)?;
        if self.work.arena.get(start).missing == 0 {
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
                worst.missing == 0 && worst.tools <= tools
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
            let tried = expansion.gather(
                self.graph,
                arena.missing(parent),
                self.rules,
                self.limits.producers as usize,
            );
            for entry in 0..tried {
                let entry = self.work.expansion.entry(entry);
                found |= self.try_child(parent, entry, wanted)?;
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

    /// Weighs one more tool for a parent, whose tools are marked as chosen; says whether that completes it.
    fn try_child(&mut self, parent: u32, entry: Entry, wanted: Wanted) -> Result<bool, KernelError> {
        let Work {
            expansion,
            arena,
            beam,
            missing,
            link_inputs,
            link_steps,
            ..
        } = &mut *self.work;
        let candidate = *arena.get(parent);
        let cover = expansion.cover(&entry);
        let child = Child {
            parent,
            tool: entry.tool,
            signature: candidate.signature.wrapping_add(signature(entry.tool)),
            total: candidate.total + entry.omega,
            support: entry.omega,
        };
        let supported: u32 = cover.iter().map(|word| word.count_ones()).sum();
        let mut count = candidate.missing - supported;
        let hopeless = |count| count > 0 && (wanted == Wanted::Complete || beam.rejects(count, child.total));
        if hopeless(count) {
            return Ok(false);
        }
        let own = self.graph.inputs_of(entry.tool);
        let before = arena.missing(parent);
        let split = before.partition_point(|&node| node < own.start);
        missing.clear();
        link_inputs.clear();
        link_steps.clear();
        let left = |range: std::ops::Range<usize>| {
            let cover = expansion.cover(&entry);
            range
                .filter(move |&position| !has(cover, position as u32))
                .map(|position| before[position])
        };
        missing.extend(left(0..split));
        let dependents = arena.dependents_on(parent, cover);
        for node in own {
            if has(self.given, node) {
                continue;
            }
            if candidate.tools > 1
                && let Some(step) = expansion.supporter(self.graph, node, dependents)
            {
                link_inputs.push(node);
                link_steps.push(step);
                continue;
            }
            missing.push(node);
            count += 1;
            if hopeless(count) {
                return Ok(false);
            }
        }
        missing.extend(left(split..before.len()));
        let outcome = Outcome {
            cover,
            missing,
            link_inputs,
            link_steps,
        };
        if count > 0 {
            beam.offer(child, outcome, arena);
            return Ok(false);
        }
        let complete = arena.grow(&child, outcome)?;
        if !self.offer_result(complete) {
            self.work.arena.truncate(complete);
        }
        Ok(true)
    }

    /// Takes a candidate among the results, unless it has an equal or enough better ones.
    fn offer_result(&mut self, candidate: u32) -> bool {
        let Work { arena, best, .. } = &mut *self.work;
        let (terminal, tools) = (arena.tools(candidate)[0], arena.sorted(candidate));
        let equal = best.iter().position(|&other| {
            arena.get(other).signature == arena.get(candidate).signature
                && arena.tools(other)[0] == terminal
                && arena.sorted(other) == tools
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

fn fit_bits(bits: &mut Vec<u32>, count: usize) -> Result<(), KernelError> {
    let words = count.div_ceil(32);
    reserve(bits, words.saturating_sub(bits.len()))?;
    bits.resize(words, 0);
    Ok(())
}

fn set(bits: &mut [u32], ordinals: &[u32]) {
    for &ordinal in ordinals {
        bits[ordinal as usize / 32] |= 1 << (ordinal % 32);
    }
}

fn clear(bits: &mut [u32], ordinals: &[u32]) {
    for &ordinal in ordinals {
        bits[ordinal as usize / 32] &= !(1 << (ordinal % 32));
    }
}
