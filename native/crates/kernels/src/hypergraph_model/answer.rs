use super::{HypergraphModel, ModelScratch, Pool, PoolRequest, Shortlists};
use crate::error::{KernelError, check_length};
use crate::hyperedge::{
    Constraints, HyperedgeRequest, MarginalGainScratch, Rankings, SetSearch, rank_by_marginal_gain,
};

/// Which sets may be answered, beside what [`PoolRequest`] says. Everything is by tool.
#[derive(Debug, Clone, Copy, Default)]
pub struct SetConstraints<'a> {
    /// Where each group ends in `group_members`.
    pub group_ends: &'a [u32],
    /// Tools of which a set holds at most one a group.
    pub group_members: &'a [u32],
    /// What each of the N tools costs; empty when nothing is counted.
    pub tokens: &'a [u32],
    /// What a set may cost.
    pub max_tokens: Option<u64>,
    /// The largest set, when it is smaller than M; for rankings, the longest.
    pub max_tools: Option<usize>,
}

/// The best sets of several queries, one query behind the other.
#[derive(Debug)]
pub struct ModelSets<'a> {
    /// Query q has the sets from `query_offsets[q]` to `query_offsets[q + 1]`.
    pub query_offsets: &'a mut [u32],
    /// Set s has the members from `offsets[s]` to `offsets[s + 1]`.
    pub offsets: &'a mut [u32],
    /// Tools, ascending in a set.
    pub members: &'a mut [u32],
    /// F of each set.
    pub scores: &'a mut [f64],
}

/// Memory that answers reuse.
#[derive(Debug, Default)]
pub struct AnswerScratch {
    model: ModelScratch,
    ids: Vec<u32>,
    logits: Vec<f32>,
    gains: Vec<f32>,
    counts: Vec<u32>,
    pool: Pool,
    require: Vec<u32>,
    group_ends: Vec<u32>,
    group_members: Vec<u32>,
    tokens: Vec<u32>,
    sets: SetSearch,
    gain: MarginalGainScratch,
}

impl AnswerScratch {
    /// Bytes held, but for a few numbers a candidate.
    pub fn bytes(&self) -> usize {
        let words = [&self.ids, &self.counts, &self.require, &self.group_ends];
        let words = words.into_iter().chain([&self.group_members, &self.tokens]);
        self.model.bytes()
            + words.map(Vec::capacity).sum::<usize>() * size_of::<u32>()
            + (self.logits.capacity() + self.gains.capacity()) * size_of::<f32>()
            + self.pool.bytes()
            + self.sets.bytes()
    }
}

impl HypergraphModel {
    /// The best `count` sets of each query.
    pub fn best_sets(
        &self,
        queries: &[f32],
        pools: &PoolRequest,
        constraints: &SetConstraints,
        count: usize,
        scratch: &mut AnswerScratch,
        sets: &mut ModelSets,
    ) -> Result<(), KernelError> {
        let asked = queries.len() / self.shape.query_dimensions;
        let most = asked.saturating_mul(count);
        check_length("queryOffsets", asked + 1, sets.query_offsets.len())?;
        check_length("scores", most, sets.scores.len())?;
        check_length("offsets", most + 1, sets.offsets.len())?;
        check_length("members", most * self.shape.max_size, sets.members.len())?;
        let (mut set, mut member) = (0, 0);
        let simd = self.simd();
        sets.query_offsets[0] = 0;
        sets.offsets[0] = 0;
        self.each_pool(queries, pools, constraints, scratch, |query, pool, request, rest| {
            if let Some(request) = request {
                rest.sets.search(simd, request, count)?;
                rest.sets.each_set(count, |score, positions| {
                    for position in positions {
                        sets.members[member] = pool.ids[position as usize];
                        member += 1;
                    }
                    sets.scores[set] = score;
                    set += 1;
                    sets.offsets[set] = member as u32;
                });
            }
            sets.query_offsets[query + 1] = set as u32;
            Ok(())
        })
    }

    /// Ranks the tools of each query's pool by marginal gain, at most as many as the columns have room for.
    pub fn rank(
        &self,
        queries: &[f32],
        pools: &PoolRequest,
        constraints: &SetConstraints,
        scratch: &mut AnswerScratch,
        rankings: &mut Rankings,
    ) -> Result<(), KernelError> {
        let asked = queries.len() / self.shape.query_dimensions;
        check_length("offsets", asked + 1, rankings.offsets.len())?;
        check_length("gains", rankings.ids.len(), rankings.gains.len())?;
        check_length("scores", rankings.ids.len(), rankings.scores.len())?;
        let room = rankings.ids.len() / asked.max(1);
        let mut at = 0;
        rankings.offsets[0] = 0;
        let simd = self.simd();
        self.each_pool(queries, pools, constraints, scratch, |query, pool, request, rest| {
            if let Some(request) = request {
                let mut offsets = [0; 2];
                let mut one = Rankings {
                    ids: &mut rankings.ids[at..at + room],
                    gains: &mut rankings.gains[at..at + room],
                    scores: &mut rankings.scores[at..at + room],
                    offsets: &mut offsets,
                };
                rank_by_marginal_gain(simd, request, pool.ids.len(), rest.gain, &mut one)?;
                let count = one.offsets[1] as usize;
                for id in &mut one.ids[..count] {
                    *id = pool.ids[*id as usize];
                }
                at += count;
            }
            rankings.offsets[query + 1] = at as u32;
            Ok(())
        })
    }

    /// Calls `answer` with every query's pool as a problem over sets; without one where a required tool is not in the pool.
    fn each_pool(
        &self,
        queries: &[f32],
        pools: &PoolRequest,
        constraints: &SetConstraints,
        scratch: &mut AnswerScratch,
        mut answer: impl FnMut(usize, &Pool, Option<&HyperedgeRequest>, &mut SearchRoom) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        let asked = queries.len() / self.shape.query_dimensions;
        let room = pools.room();
        if !constraints.tokens.is_empty() {
            check_length("tokens", self.tools(), constraints.tokens.len())?;
        }
        let SetConstraints {
            group_ends,
            group_members,
            ..
        } = constraints;
        let end = group_ends.last().map_or(0, |&end| end as usize);
        if !group_ends.is_sorted() || end != group_members.len() {
            let value = format!("{group_ends:?} for {} members", group_members.len());
            return Err(KernelError::OutOfRange {
                what: "groups",
                expected: "ascending ends",
                value,
            });
        }
        scratch.ids.resize(asked * room, 0);
        scratch.logits.resize(asked * room, 0.0);
        scratch.gains.resize(asked * room, 0.0);
        scratch.counts.resize(asked, 0);
        let mut shortlists = Shortlists {
            ids: &mut scratch.ids,
            logits: &mut scratch.logits,
            gains: &mut scratch.gains,
            counts: &mut scratch.counts,
        };
        self.shortlist(queries, pools, &mut scratch.model, &mut shortlists)?;
        for query in 0..asked {
            let found = query * room..query * room + scratch.counts[query] as usize;
            self.fill_pool(&scratch.ids[found.clone()], &scratch.logits[found], &mut scratch.pool);
            let possible = scratch.place(pools, constraints);
            let AnswerScratch {
                pool,
                require,
                group_ends,
                group_members,
                tokens,
                sets,
                gain,
                ..
            } = scratch;
            let request = HyperedgeRequest {
                logits: &pool.logits,
                pair_scores: &pool.pair_scores,
                max_size: self.shape.max_size,
                alignment: self.shape.alignment,
                size_offsets: &self.shape.size_offsets,
                empty_score: self.shape.empty_score,
                constraints: Constraints {
                    require,
                    exclude: &[],
                    group_ends,
                    group_members,
                    tokens,
                    max_tokens: constraints.max_tokens,
                    max_tools: constraints.max_tools,
                },
            };
            let mut rest = SearchRoom { sets, gain };
            answer(query, pool, possible.then_some(&request), &mut rest)?;
        }
        Ok(())
    }
}

/// Where the searches over one pool keep their numbers.
struct SearchRoom<'a> {
    sets: &'a mut SetSearch,
    gain: &'a mut MarginalGainScratch,
}

impl AnswerScratch {
    /// Puts positions of the pool in the place of tools; says no when a required tool is not in the pool.
    fn place(&mut self, pools: &PoolRequest, constraints: &SetConstraints) -> bool {
        let ids = &self.pool.ids;
        let position_of = |tool: &u32| ids.binary_search(tool).ok().map(|position| position as u32);
        self.require.clear();
        for tool in pools.require {
            match position_of(tool) {
                Some(position) => self.require.push(position),
                None => return false,
            }
        }
        self.group_ends.clear();
        self.group_members.clear();
        let mut start = 0;
        for &end in constraints.group_ends {
            let group = &constraints.group_members[start..end as usize];
            start = end as usize;
            self.group_members.extend(group.iter().filter_map(position_of));
            self.group_ends.push(self.group_members.len() as u32);
        }
        self.tokens.clear();
        if !constraints.tokens.is_empty() {
            self.tokens
                .extend(ids.iter().map(|&tool| constraints.tokens[tool as usize]));
        }
        true
    }
}
