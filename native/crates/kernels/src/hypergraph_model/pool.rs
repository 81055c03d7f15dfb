use super::{HypergraphModel, check_pool};
use crate::error::{KernelError, check_length};
use crate::exact_dot::{exact_score, exact_scores};
use crate::matrix::Matrix;
use crate::vector_index::{Combine, Search, SearchScratch};

/// Which tools make up the pool of a query: `S = S0 ∪ R ∪ A` (HYSET, section 3.4): S0 the `shortlist` tools of the largest logits, R the required
/// ones that are not among them, A the tools of the largest complementarity `g(t_j) = max_{i ∈ S0} z_j · M_M z_i` (equation 13), as many as
/// there is room for up to `pool`.
#[derive(Debug, Clone, Copy, Default)]
pub struct PoolRequest<'a> {
    /// `K_1`.
    pub shortlist: usize,
    /// `K_pool`.
    pub pool: usize,
    /// Tools that are always in the pool, unless they may not be.
    pub require: &'a [u32],
    /// Tools that are never in it.
    pub exclude: &'a [u32],
    /// The only tools that may be in it; `None` allows all.
    pub allow: Option<&'a [u32]>,
}

impl PoolRequest<'_> {
    /// The most tools that a pool can hold.
    pub fn room(&self) -> usize {
        self.shortlist.max(self.pool) + self.require.len()
    }
}

/// The pools of several queries, each with the room of [`PoolRequest::room`].
#[derive(Debug)]
pub struct Shortlists<'a> {
    /// Tools: S0 by descending logit, then R, then A by descending complementarity.
    pub ids: &'a mut [u32],
    /// l beside them.
    pub logits: &'a mut [f32],
    /// g beside them; NaN but for A.
    pub gains: &'a mut [f32],
    /// How many tools each query has.
    pub counts: &'a mut [u32],
}

/// A pool as a problem over sets: tools ascending, so that equal scores go to the lower ordinals.
#[derive(Debug, Default)]
pub struct Pool {
    /// Tools.
    pub ids: Vec<u32>,
    /// l.
    pub logits: Vec<f64>,
    /// `G_2` … `G_M`, each tools × tools, symmetric.
    pub pair_scores: Vec<f64>,
}

impl Pool {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<u32>()
            + (self.logits.capacity() + self.pair_scores.capacity()) * size_of::<f64>()
    }
}

/// Memory that queries reuse.
#[derive(Debug, Default)]
pub struct ModelScratch {
    search: SearchScratch,
    queries: Matrix,
    anchors: Vec<f32>,
    excluded: Vec<u32>,
    ids: Vec<u32>,
    scores: Vec<f32>,
}

impl ModelScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.search.bytes()
            + self.queries.bytes()
            + (self.anchors.capacity() + self.scores.capacity()) * size_of::<f32>()
            + (self.excluded.capacity() + self.ids.capacity()) * size_of::<u32>()
    }
}

impl HypergraphModel {
    /// Finds the pool of each query (queries × `d_r` numbers).
    pub fn shortlist(
        &self,
        queries: &[f32],
        request: &PoolRequest,
        scratch: &mut ModelScratch,
        shortlists: &mut Shortlists,
    ) -> Result<(), KernelError> {
        check_pool("pool", request.room())?;
        let asked = queries.len() / self.shape.query_dimensions;
        let room = request.room();
        check_length("counts", asked, shortlists.counts.len())?;
        for length in [shortlists.ids.len(), shortlists.logits.len(), shortlists.gains.len()] {
            check_length("ids", asked * room, length)?;
        }
        let Some(&unknown) = request.require.iter().find(|&&id| id as usize >= self.tools()) else {
            return self.fill_shortlists(queries, request, scratch, shortlists);
        };
        Err(KernelError::UnknownOrdinal {
            what: "require",
            ordinal: unknown,
            rows: self.tools(),
        })
    }

    fn fill_shortlists(
        &self,
        queries: &[f32],
        request: &PoolRequest,
        scratch: &mut ModelScratch,
        shortlists: &mut Shortlists,
    ) -> Result<(), KernelError> {
        let asked = shortlists.counts.len();
        let room = request.room();
        scratch
            .queries
            .refill("queries", queries, self.shape.query_dimensions)?;
        scratch.ids.resize(asked * request.shortlist, 0);
        scratch.scores.resize(asked * request.shortlist, 0.0);
        let search = Search {
            queries,
            k: request.shortlist,
            combine: Combine::Each,
            allow: request.allow,
            exclude: request.exclude,
        };
        let count = self
            .matches
            .search(search, &mut scratch.search, &mut scratch.ids, &mut scratch.scores)?;
        for query in 0..asked {
            let at = query * room;
            let ids = &mut shortlists.ids[at..at + room];
            let logits = &mut shortlists.logits[at..at + room];
            let gains = &mut shortlists.gains[at..at + room];
            ids[..count].copy_from_slice(&scratch.ids[query * count..][..count]);
            logits[..count].copy_from_slice(&scratch.scores[query * count..][..count]);
            let mut length = add_required(request, ids, count);
            gains[..length].fill(f32::NAN);
            length += self.add_complements(request, count, length, scratch, (ids, gains))?;
            let query_row = scratch.queries.row(query);
            for (logit, &id) in logits[count..length].iter_mut().zip(&ids[count..length]) {
                *logit = exact_score(self.matches.matrix().row(id as usize), query_row);
            }
            shortlists.counts[query] = length as u32;
        }
        Ok(())
    }

    /// Adds the tools of the largest complementarity with the first `shortlisted` behind the first `length` and returns how many.
    fn add_complements(
        &self,
        request: &PoolRequest,
        shortlisted: usize,
        length: usize,
        scratch: &mut ModelScratch,
        (ids, gains): (&mut [u32], &mut [f32]),
    ) -> Result<usize, KernelError> {
        let wanted = request.pool.saturating_sub(length);
        let Some(rows) = self.pairs.last().filter(|_| wanted > 0 && shortlisted > 0) else {
            return Ok(0);
        };
        let dimensions = self.shape.tool_dimensions;
        scratch.anchors.resize(shortlisted * dimensions, 0.0);
        for (anchor, &id) in scratch.anchors.chunks_exact_mut(dimensions).zip(&ids[..shortlisted]) {
            rows.copy_row(id as usize, anchor);
        }
        scratch.excluded.clear();
        scratch.excluded.extend_from_slice(&ids[..length]);
        scratch.excluded.extend_from_slice(request.exclude);
        let search = Search {
            queries: &scratch.anchors,
            k: wanted,
            combine: Combine::Maximum,
            allow: request.allow,
            exclude: &scratch.excluded,
        };
        self.tools.search(
            search,
            &mut scratch.search,
            &mut ids[length..length + wanted],
            &mut gains[length..length + wanted],
        )
    }

    /// Makes a problem of a pool: sorts it and scores its pairs.
    pub fn fill_pool(&self, ids: &[u32], logits: &[f32], pool: &mut Pool) {
        let count = ids.len();
        pool.ids.clear();
        pool.ids.extend_from_slice(ids);
        pool.ids.sort_unstable();
        pool.logits.clear();
        pool.logits.resize(count, 0.0);
        for (&id, &logit) in ids.iter().zip(logits) {
            let place = pool.ids.partition_point(|&other| other < id);
            pool.logits[place] = f64::from(logit);
        }
        pool.pair_scores.clear();
        pool.pair_scores.resize(self.pairs.len() * count * count, 0.0);
        for (rows, scores) in self
            .pairs
            .iter()
            .zip(pool.pair_scores.chunks_exact_mut((count * count).max(1)))
        {
            for (b, &right) in pool.ids.iter().enumerate() {
                let right = rows.row(right as usize);
                for first in (0..b).step_by(4) {
                    // The last group may be short: its last row is taken again.
                    let four = [0, 1, 2, 3].map(|i| self.tools.matrix().row(pool.ids[(first + i).min(b - 1)] as usize));
                    let found = exact_scores(self.simd, four, right);
                    for (a, score) in (first..b).zip(found) {
                        scores[a * count + b] = f64::from(score);
                        scores[b * count + a] = f64::from(score);
                    }
                }
            }
        }
    }
}

/// Adds the required tools that are not there yet and may be, in ascending order, and returns how many tools there are then.
fn add_required(request: &PoolRequest, ids: &mut [u32], count: usize) -> usize {
    let mut length = count;
    let mut last = None;
    // Few are required, so that no copy is sorted: the next larger one is looked for each time.
    while let Some(&next) = request
        .require
        .iter()
        .filter(|&&id| last.is_none_or(|last| id > last))
        .min()
    {
        last = Some(next);
        let may = !request.exclude.contains(&next) && request.allow.is_none_or(|allow| allow.contains(&next));
        if may && !ids[..count].contains(&next) {
            ids[length] = next;
            length += 1;
        }
    }
    length
}
