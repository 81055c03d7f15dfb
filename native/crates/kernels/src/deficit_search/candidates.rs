//! The candidates of one query, one behind the other in memory that queries reuse.

use std::cmp::Ordering;
use std::ops::Range;

use super::MOST_TOOLS;
use super::expansion::for_each_position;
use super::graph::reserve;
use crate::KernelError;

/// A terminal and the tools added to it. Its lists stand in [`Arena::words`] from `start` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// The candidate that this one has one tool more than; a terminal alone is its own.
    pub(crate) parent: u32,
    pub(crate) tools: u32,
    /// Sum of the tools' [`signature`]s.
    pub(crate) signature: u32,
    start: u32,
    pub(crate) counts: Counts,
    /// Sum of Ω over the steps.
    pub(crate) total: f64,
    /// Ω of the last step.
    pub(crate) support: f64,
}

/// A tool more for a candidate, weighed but not yet made a candidate of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child {
    pub(crate) parent: u32,
    pub(crate) tool: u32,
    pub(crate) signature: u32,
    /// The bits of the tools that will depend on the new one through links.
    pub(crate) dependents: u32,
    pub(crate) counts: Counts,
    pub(crate) total: f64,
    pub(crate) support: f64,
}

/// How long the lists are that tell what came of adding a tool, which stand one behind the other.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    /// What is missing then, ascending.
    pub(crate) missing: u32,
    /// Words with the bits of the parent's missing inputs that the tool supports.
    pub(crate) cover: u32,
    /// The tool's inputs that are linked, and behind them as many steps: those that added the tools they are linked to.
    pub(crate) links: u32,
}

impl Counts {
    fn all(self) -> u32 {
        self.missing + self.cover + 2 * self.links
    }
}

#[derive(Debug, Default)]
pub(crate) struct Arena {
    candidates: Vec<Candidate>,
    /// For each candidate its tools, as they were added, the terminal first, with room for `stride`; as much room for
    /// the bits of the tools that depend on each through links; then what came of the last step.
    words: Vec<u32>,
    stride: u32,
}

impl Arena {
    /// Forgets all candidates; the next have at most so many tools.
    pub(crate) fn restart(&mut self, most_tools: u32) {
        self.candidates.clear();
        self.words.clear();
        self.stride = most_tools;
    }

    /// Forgets all candidates from `length` on.
    pub(crate) fn truncate(&mut self, length: u32) {
        if let Some(first) = self.candidates.get(length as usize) {
            self.words.truncate(first.start as usize);
            self.candidates.truncate(length as usize);
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.candidates.len() as u32
    }

    /// A terminal alone.
    pub(crate) fn start(&mut self, terminal: u32, missing: &[u32]) -> Result<u32, KernelError> {
        let start = self.room(missing.len())?;
        self.words.push(terminal);
        self.words.resize((start + 2 * self.stride) as usize, 0);
        self.words.extend_from_slice(missing);
        self.candidates.push(Candidate {
            parent: self.len(),
            tools: 1,
            signature: signature(terminal),
            start,
            counts: Counts {
                missing: missing.len() as u32,
                ..Counts::default()
            },
            total: 0.0,
            support: 0.0,
        });
        Ok(self.len() - 1)
    }

    /// Makes a child a candidate; `outcome` holds the lists that its counts tell apart.
    pub(crate) fn grow(&mut self, child: &Child, outcome: &[u32]) -> Result<u32, KernelError> {
        let parent = *self.get(child.parent);
        let (step, stride) = (parent.tools as usize, self.stride as usize);
        let start = self.room(outcome.len())?;
        let from = parent.start as usize;
        self.words.extend_from_within(from..from + 2 * stride);
        self.words.extend_from_slice(outcome);
        let (tools, rest) = self.words[start as usize..].split_at_mut(stride);
        let (dependents, outcome) = rest.split_at_mut(stride);
        tools[step] = child.tool;
        dependents[step] = child.dependents;
        for &supporter in &outcome[(child.counts.all() - child.counts.links) as usize..] {
            for (other, bits) in dependents[..step].iter_mut().enumerate() {
                if other as u32 == supporter || *bits >> supporter & 1 == 1 {
                    *bits |= 1 << step | child.dependents;
                }
            }
        }
        self.candidates.push(Candidate {
            parent: child.parent,
            tools: parent.tools + 1,
            signature: child.signature,
            start,
            counts: child.counts,
            total: child.total,
            support: child.support,
        });
        Ok(self.len() - 1)
    }

    #[inline]
    pub(crate) fn get(&self, candidate: u32) -> &Candidate {
        &self.candidates[candidate as usize]
    }

    /// The tools in the order in which they were added, the terminal first.
    #[inline]
    pub(crate) fn tools(&self, candidate: u32) -> &[u32] {
        let tools = self.get(candidate).tools;
        self.list(candidate, 0..tools)
    }

    /// For each tool, as they were added, the bits of the tools that depend on it through links.
    #[inline]
    pub(crate) fn dependents(&self, candidate: u32) -> &[u32] {
        let tools = self.get(candidate).tools;
        self.list(candidate, self.stride..self.stride + tools)
    }

    /// The missing inputs, ascending.
    #[inline]
    pub(crate) fn missing(&self, candidate: u32) -> &[u32] {
        let from = 2 * self.stride;
        self.list(candidate, from..from + self.get(candidate).counts.missing)
    }

    /// A candidate, its parent and so on to the terminal alone.
    pub(crate) fn ancestry(&self, candidate: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(candidate), |&candidate| {
            let parent = self.get(candidate).parent;
            (parent != candidate).then_some(parent)
        })
    }

    /// Calls `visit` with each linked input of a candidate and the tool that brings it.
    pub(crate) fn for_each_link(&self, candidate: u32, mut visit: impl FnMut(u32, u32)) {
        let tools = self.tools(candidate);
        for child in self.ancestry(candidate) {
            let &Candidate {
                parent,
                tools: step,
                counts,
                ..
            } = self.get(child);
            let cover = 2 * self.stride + counts.missing;
            let inputs = cover + counts.cover;
            let steps = inputs + counts.links;
            let lacking = self.missing(parent);
            for_each_position(self.list(child, cover..inputs), |position| {
                visit(lacking[position], tools[step as usize - 1]);
            });
            let steps = self.list(child, steps..steps + counts.links);
            for (&input, &step) in self.list(child, inputs..inputs + counts.links).iter().zip(steps) {
                visit(input, tools[step as usize]);
            }
        }
    }

    /// Best first. Candidates with the same tools in the order of what they miss; terminals last.
    pub(crate) fn compare(&self, left: u32, right: u32) -> Ordering {
        let (a, b) = (self.get(left), self.get(right));
        (a.counts.missing.cmp(&b.counts.missing))
            .then(a.tools.cmp(&b.tools))
            .then(b.total.total_cmp(&a.total))
            .then_with(|| compare_sets((self.tools(left), None), (self.tools(right), None)))
            .then_with(|| self.missing(left).cmp(self.missing(right)))
            .then_with(|| self.tools(left)[0].cmp(&self.tools(right)[0]))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>() + self.candidates.capacity() * size_of::<Candidate>()
    }

    #[inline]
    fn list(&self, candidate: u32, range: Range<u32>) -> &[u32] {
        let start = self.get(candidate).start;
        &self.words[(start + range.start) as usize..(start + range.end) as usize]
    }

    /// Where the next lists will stand, once there is room for one more candidate and what came of its last step.
    fn room(&mut self, outcome: usize) -> Result<u32, KernelError> {
        let words = 2 * self.stride as usize + outcome;
        reserve(&mut self.words, words)?;
        reserve(&mut self.candidates, 1)?;
        let end = self.words.len() + words;
        match u32::try_from(end) {
            Ok(_) => Ok(self.words.len() as u32),
            Err(_) => Err(KernelError::OutOfMemory {
                bytes: end * size_of::<u32>(),
            }),
        }
    }
}

/// Compares the ascending ordinals of two sets of tools, each a list and perhaps one tool more.
pub(crate) fn compare_sets(left: (&[u32], Option<u32>), right: (&[u32], Option<u32>)) -> Ordering {
    let ascending = |(tools, more): (&[u32], Option<u32>)| {
        let mut room = [u32::MAX; MOST_TOOLS as usize];
        for (place, tool) in room.iter_mut().zip(tools.iter().copied().chain(more)) {
            *place = tool;
        }
        room.sort_unstable();
        room
    };
    ascending(left).cmp(&ascending(right))
}

/// Whether two lists without doubles, each with one tool more, are the same sets.
pub(crate) fn are_same_sets(left: (&[u32], u32), right: (&[u32], u32)) -> bool {
    left.0.len() == right.0.len()
        && (left.1 == right.1 || right.0.contains(&left.1))
        && left.0.iter().all(|tool| *tool == right.1 || right.0.contains(tool))
}

/// A number that differs between most tools; sums of them tell most sets apart.
#[inline]
pub(crate) fn signature(tool: u32) -> u32 {
    let mixed = (tool ^ (tool >> 16)).wrapping_mul(0x7feb_352d);
    (mixed ^ (mixed >> 15)).wrapping_mul(0x846c_a68b)
}
