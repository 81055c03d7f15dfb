//! What a trainer learns from.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::real::Real;
use crate::error::{KernelError, check_length};

/// Rows of different lengths: row i has the entries from `offsets[i]` to `offsets[i + 1]`.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    /// Rows + 1 of them, ascending from 0.
    pub offsets: Vec<u32>,
    /// The entries.
    pub tools: Vec<u32>,
}

impl Lists {
    /// The entries of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.tools[self.range(row)]
    }

    #[inline]
    pub(super) fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    fn check(&self, what: &'static str, rows: usize, tools: usize) -> Result<(), KernelError> {
        check_length(what, rows + 1, self.offsets.len())?;
        if self.offsets[0] != 0 || !self.offsets.is_sorted() {
            return Err(out_of_range(what, "offsets that ascend from 0", "others"));
        }
        check_length(what, self.offsets[rows] as usize, self.tools.len())?;
        for row in 0..rows {
            if !self.row(row).is_sorted_by(|one, other| one < other) {
                return Err(out_of_range(
                    what,
                    "tools that ascend in a row",
                    format!("others in row {row}"),
                ));
            }
        }
        match self.tools.iter().find(|&&tool| tool as usize >= tools) {
            Some(&ordinal) => Err(KernelError::UnknownOrdinal {
                what,
                ordinal,
                rows: tools,
            }),
            None => Ok(()),
        }
    }
}

/// A feature of (query, tool), 0 where it is not listed.
#[derive(Debug, Clone, Default)]
pub struct Channel<R> {
    /// The tools of each query.
    pub lists: Lists,
    /// One value an entry.
    pub values: Vec<R>,
}

/// Queries, the sets of tools that answered them, and what is known of both.
#[derive(Debug, Clone)]
pub struct Problem<R> {
    /// `d_r`, numbers in a query.
    pub query_dimensions: usize,
    /// `d_z`, numbers in a tool's embedding.
    pub tool_dimensions: usize,
    /// N × `d_z`, where Z is held: the vectors of the tools' texts.
    pub anchors: Vec<R>,
    /// n × `d_r`.
    pub queries: Vec<R>,
    /// The gold set of each query, tools ascending.
    pub gold: Lists,
    /// Features that are added to the logits.
    pub channels: Vec<Channel<R>>,
    /// One weight a query, or none for 1.
    pub query_weights: Vec<f64>,
    /// Queries that are trained on, ascending.
    pub training: Vec<u32>,
}

impl<R: Real> Problem<R> {
    /// N.
    pub fn tools(&self) -> usize {
        self.anchors.len() / self.tool_dimensions
    }

    /// n.
    pub fn query_count(&self) -> usize {
        self.queries.len() / self.query_dimensions
    }

    pub(super) fn query(&self, query: usize) -> &[R] {
        &self.queries[query * self.query_dimensions..][..self.query_dimensions]
    }

    pub(super) fn weight(&self, query: usize) -> f64 {
        self.query_weights.get(query).copied().unwrap_or(1.0)
    }

    pub(super) fn check(&self) -> Result<(), KernelError> {
        let (queries, tools) = (self.query_count(), self.tools());
        check_length("tool vectors", tools * self.tool_dimensions, self.anchors.len())?;
        check_length("query vectors", queries * self.query_dimensions, self.queries.len())?;
        check_finite("tool vectors", &self.anchors)?;
        check_finite("query vectors", &self.queries)?;
        if tools == 0 || tools > LARGEST_LIBRARY {
            return Err(out_of_range("tools", "1 to 1,048,576", tools));
        }
        self.gold.check("gold", queries, tools)?;
        for channel in &self.channels {
            channel.lists.check("features", queries, tools)?;
            check_length("features", channel.lists.tools.len(), channel.values.len())?;
            check_finite("features", &channel.values)?;
        }
        if !self.query_weights.is_empty() {
            check_length("query weights", queries, self.query_weights.len())?;
        }
        check_shares("query weights", &self.query_weights, f64::MAX)?;
        match self.training.iter().find(|&&query| query as usize >= queries) {
            Some(&ordinal) => Err(KernelError::UnknownOrdinal {
                what: "training queries",
                ordinal,
                rows: queries,
            }),
            None => Ok(()),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let lists = |lists: &Lists| (lists.offsets.capacity() + lists.tools.capacity() + self.training.capacity()) * 4;
        let channels: usize = self
            .channels
            .iter()
            .map(|channel| lists(&channel.lists) + channel.values.capacity() * size_of::<R>())
            .sum();
        (self.anchors.capacity() + self.queries.capacity()) * size_of::<R>() + lists(&self.gold) + channels
    }
}

/// Random numbers below it are exact in TypeScript.
const LARGEST_LIBRARY: usize = 1 << 20;

pub(super) fn check_finite<R: Real>(what: &'static str, values: &[R]) -> Result<(), KernelError> {
    match values.iter().position(|value| !value.wide().is_finite()) {
        Some(position) => Err(KernelError::NotFinite { what, position }),
        None => Ok(()),
    }
}

/// Numbers from 0 to `most`.
pub(super) fn check_shares(what: &'static str, values: &[f64], most: f64) -> Result<(), KernelError> {
    match values.iter().find(|&&value| !(0.0..=most).contains(&value)) {
        Some(value) => Err(out_of_range(
            what,
            "finite numbers of 0 or more, rewards at most 1",
            value,
        )),
        None => Ok(()),
    }
}

pub(super) fn out_of_range(what: &'static str, expected: &'static str, value: impl std::fmt::Display) -> KernelError {
    KernelError::OutOfRange {
        what,
        expected,
        value: format!("{value}"),
    }
}

/// Which gold sets other queries of the same vector have: a negative that is one of them is none.
#[derive(Debug, Default)]
pub(super) struct IdenticalQueries {
    /// For each query the first that is identical, and whether there is another.
    first: Vec<u32>,
    /// First identical query and hash of a gold set.
    golds: HashSet<(u32, u32)>,
}

impl IdenticalQueries {
    pub(super) fn of<R: Real>(problem: &Problem<R>) -> Self {
        let mut sorted = problem.training.clone();
        let compare = |one: &u32, other: &u32| {
            let (one, other) = (problem.query(*one as usize), problem.query(*other as usize));
            one.partial_cmp(other).unwrap_or(Ordering::Equal)
        };
        sorted.sort_by(compare);
        let mut first = vec![u32::MAX; problem.query_count()];
        let mut golds = HashSet::new();
        for group in sorted.chunk_by(|one, other| compare(one, other) == Ordering::Equal) {
            if group.len() < 2 {
                continue;
            }
            let leader = group[0];
            for &query in group {
                first[query as usize] = leader;
                golds.insert((leader, hash_of(problem.gold.row(query as usize))));
            }
        }
        Self { first, golds }
    }

    /// Whether this set, which is not the query's own, is the gold set of an identical query.
    pub(super) fn have(&self, query: usize, hash: u32) -> bool {
        self.first[query] != u32::MAX && self.golds.contains(&(self.first[query], hash))
    }
}

/// FNV-1a over the members of a set.
pub(super) fn hash_of(set: &[u32]) -> u32 {
    set.iter()
        .fold(0x811C_9DC5, |hash, &tool| (hash ^ tool).wrapping_mul(0x0100_0193))
}
