//! The candidates of one query, one behind the other in memory that queries reuse.

use std::cmp::Ordering;
use std::ops::Range;

use super::expansion::positions;
use super::graph::reserve;
use crate::KernelError;

/// A terminal and the tools added to it. Its lists stand in [`Arena::words`] from `start` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// The candidate that this one has one tool more than; a terminal alone is its own.
    pub(crate) parent: u32,
    pub(crate) tools: u32,
    pub(crate) missing: u32,
    links: u32,
    /// Sum of the tools' [`signature`]s.
    pub(crate) signature: u32,
    start: u32,
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
    pub(crate) total: f64,
    pub(crate) support: f64,
}

/// What comes of adding the tool.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome<'a> {
    /// The bits of the parent's missing inputs that the tool supports.
    pub(crate) cover: &'a [u32],
    /// What is missing then, ascending.
    pub(crate) missing: &'a [u32],
    /// The tool's inputs that are linked, and beside them by which step the supporting tool was added.
    pub(crate) link_inputs: &'a [u32],
    pub(crate) link_steps: &'a [u32],
}

#[derive(Debug, Default)]
pub(crate) struct Arena {
    candidates: Vec<Candidate>,
    words: Vec<u32>,
}

impl Arena {
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
    pub(crate) fn start(
        &mut self,
        terminal: u32,
        missing: impl Iterator<Item = u32> + Clone,
    ) -> Result<u32, KernelError> {
        let count = missing.clone().count();
        let start = self.room(3 + 2 * count)?;
        self.words.extend([terminal, terminal, 0]);
        self.words.extend(missing);
        self.words.resize(self.words.len() + count, 0);
        self.candidates.push(Candidate {
            parent: self.len(),
            tools: 1,
            missing: count as u32,
            links: 0,
            signature: signature(terminal),
            start,
            total: 0.0,
            support: 0.0,
        });
        Ok(self.len() - 1)
    }

    /// Makes a child a candidate.
    pub(crate) fn grow(&mut self, child: &Child, outcome: Outcome<'_>) -> Result<u32, KernelError> {
        let parent = *self.get(child.parent);
        let step = parent.tools;
        let supported: u32 = outcome.cover.iter().map(|word| word.count_ones()).sum();
        let links = supported as usize + outcome.link_inputs.len();
        let start = self.room(3 * (step as usize + 1) + 2 * (outcome.missing.len() + links))?;
        let dependents = self.dependents_on(child.parent, outcome.cover);

        let words = &mut self.words;
        let at = |position: u32| (parent.start + position) as usize;
        words.extend_from_within(at(0)..at(step));
        words.push(child.tool);
        let behind = words[at(step)..at(2 * step)].partition_point(|&tool| tool < child.tool) as u32;
        words.extend_from_within(at(step)..at(step + behind));
        words.push(child.tool);
        words.extend_from_within(at(step + behind)..at(2 * step));
        words.extend_from_within(at(2 * step)..at(3 * step));
        words.push(dependents);
        words.extend_from_slice(outcome.missing);
        let (mut next, end) = (at(3 * step), at(3 * step + parent.missing));
        for &node in outcome.missing {
            while next < end && words[next] < node {
                next += 1;
            }
            // What the parent did not miss is an input of the new tool.
            let old = next < end && words[next] == node;
            words.push(if old {
                words[next + parent.missing as usize]
            } else {
                step
            });
        }
        for position in positions(outcome.cover) {
            words.push(words[at(3 * step) + position]);
        }
        words.extend_from_slice(outcome.link_inputs);
        words.resize(words.len() + supported as usize, step);
        words.extend_from_slice(outcome.link_steps);

        let own = &mut words[start as usize + 2 * (step as usize + 1)..][..step as usize];
        for &supporter in outcome.link_steps {
            for (other, bits) in own.iter_mut().enumerate() {
                if other as u32 == supporter || *bits >> supporter & 1 == 1 {
                    *bits |= 1 << step | dependents;
                }
            }
        }
        self.candidates.push(Candidate {
            parent: child.parent,
            tools: step + 1,
            missing: outcome.missing.len() as u32,
            links: links as u32,
            signature: child.signature,
            start,
            total: child.total,
            support: child.support,
        });
        Ok(self.len() - 1)
    }

    /// The bits of the tools that will depend on one which supports what `cover` says: the owners, and what depends on these.
    pub(crate) fn dependents_on(&self, candidate: u32, cover: &[u32]) -> u32 {
        let (owners, dependents) = (self.owners(candidate), self.dependents(candidate));
        positions(cover).fold(0, |bits, position| {
            let owner = owners[position];
            bits | 1 << owner | dependents[owner as usize]
        })
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

    /// The tools in ascending order.
    #[inline]
    pub(crate) fn sorted(&self, candidate: u32) -> &[u32] {
        let tools = self.get(candidate).tools;
        self.list(candidate, tools..2 * tools)
    }

    /// For each tool, as they were added, the bits of the tools that depend on it through links.
    pub(crate) fn dependents(&self, candidate: u32) -> &[u32] {
        let tools = self.get(candidate).tools;
        self.list(candidate, 2 * tools..3 * tools)
    }

    /// The missing inputs, ascending.
    #[inline]
    pub(crate) fn missing(&self, candidate: u32) -> &[u32] {
        let &Candidate { tools, missing, .. } = self.get(candidate);
        self.list(candidate, 3 * tools..3 * tools + missing)
    }

    /// The step that added the tool of each missing input.
    fn owners(&self, candidate: u32) -> &[u32] {
        let &Candidate { tools, missing, .. } = self.get(candidate);
        self.list(candidate, 3 * tools + missing..3 * tools + 2 * missing)
    }

    /// The links that the last step retained: inputs, and beside them the step that added the supporting tool.
    pub(crate) fn links(&self, candidate: u32) -> (&[u32], &[u32]) {
        let candidate_links = self.get(candidate).links;
        let &Candidate { tools, missing, .. } = self.get(candidate);
        let start = 3 * tools + 2 * missing;
        let end = start + candidate_links;
        (
            self.list(candidate, start..end),
            self.list(candidate, end..end + candidate_links),
        )
    }

    /// Best first. Candidates with the same tools in the order of what they miss; terminals last.
    pub(crate) fn compare(&self, left: u32, right: u32) -> Ordering {
        let (a, b) = (self.get(left), self.get(right));
        (a.missing.cmp(&b.missing))
            .then(a.tools.cmp(&b.tools))
            .then(b.total.total_cmp(&a.total))
            .then_with(|| self.sorted(left).cmp(self.sorted(right)))
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

    /// Where the next lists will stand, once there is room for so many words and one more candidate.
    fn room(&mut self, words: usize) -> Result<u32, KernelError> {
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

/// A number that differs between most tools; sums of them tell most sets apart.
#[inline]
pub(crate) fn signature(tool: u32) -> u32 {
    let mixed = (tool ^ (tool >> 16)).wrapping_mul(0x7feb_352d);
    (mixed ^ (mixed >> 15)).wrapping_mul(0x846c_a68b)
}
