use super::MOST_TOOLS;
use super::answer::DeficitAnswer;
use super::expansion::Rules;
use super::graph::{Graph, Producers, check_ordinals, check_weights, reserve};
use super::run::{Run, Work};
use crate::KernelError;

/// The most candidates kept a step, producers tried for one and results: what is kept is compared one by one.
pub const LARGEST_BEAM: u32 = 1024;

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
        work.expansion.fit(&self.graph)?;
        fit_bits(&mut work.asked, self.graph.tools())?;
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
                producers: query.limits.producers as usize,
            },
            limits: query.limits,
            work,
        };
        let outcome = run.search_all(query.terminals);
        clear(given, query.grounded);
        clear(&mut work.asked, query.terminals);
        if outcome.is_err() {
            work.expansion.forget();
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
