//! A model finds the pools, sets and rankings that its definition finds, on every level and precision, to the last bit.
#![no_main]

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use setwise_fuzz::lists::{count, one_in, ordinals, spoil};
use setwise_fuzz::numbers::{DOUBLE, numbers, singles};
use setwise_fuzz::plain_ranking::{Question, Step, rank_plainly};
use setwise_fuzz::plain_vectors::{best, score, taken};
use setwise_fuzz::set_case::{Limits, SetCase, max_size};
use setwise_kernels::hyperedge::{Alignment, BestSets, Problem, Rankings, enumerate_plainly};
use setwise_kernels::hypergraph_model::{
    AnswerScratch, HypergraphModel, ModelOptions, ModelScratch, ModelSets, ModelShape, PoolRequest, SetConstraints,
    Shortlists,
};
use setwise_kernels::{KernelError, Precision, Simd};

/// A model of a few tools, and what it is asked.
#[derive(Debug)]
struct Case {
    tools: usize,
    shape: ModelShape,
    match_rows: Vec<f32>,
    embeddings: Vec<f32>,
    pair_rows: Vec<f32>,
    asked: Vec<Asked>,
}

/// One call, answered behind the one before in the same memory.
#[derive(Debug)]
struct Asked {
    queries: Vec<f32>,
    shortlist: usize,
    pool: usize,
    allow: Option<Vec<u32>>,
    /// By tool.
    limits: Limits,
    count: usize,
    room: usize,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let tools = count(input, 12, 100)?;
        let max_size = max_size(input)?;
        let sizes = max_size.clamp(1, 9);
        let mut shape = ModelShape {
            query_dimensions: input.int_in_range(1..=18)?,
            tool_dimensions: input.int_in_range(1..=18)?,
            max_size,
            alignment: *input.choose(&[Alignment::Sum, Alignment::Softmax])?,
            size_offsets: Vec::new(),
            empty_score: None,
        };
        if one_in(input, 3)? {
            shape.size_offsets = numbers(input, sizes, DOUBLE)?;
            spoil(input, &mut shape.size_offsets)?;
        }
        if one_in(input, 3)? {
            shape.empty_score = numbers(input, 1, DOUBLE)?.pop();
        }
        let mut case = Self {
            tools,
            match_rows: singles(input, tools * shape.query_dimensions)?,
            embeddings: singles(input, tools * shape.tool_dimensions)?,
            pair_rows: singles(input, (sizes - 1) * tools * shape.tool_dimensions)?,
            asked: Vec::new(),
            shape,
        };
        for _ in 0..input.int_in_range(1..=2)? {
            case.asked.push(Asked::read(input, tools, case.shape.query_dimensions)?);
        }
        for rows in [&mut case.match_rows, &mut case.embeddings, &mut case.pair_rows] {
            spoil(input, rows)?;
        }
        case.tools = case.embeddings.len() / case.shape.tool_dimensions;
        Ok(case)
    }
}

impl Asked {
    fn read(input: &mut Unstructured, tools: usize, query_dimensions: usize) -> Result<Self> {
        let asked = count(input, 1, 3)?;
        let mut queries = singles(input, asked * query_dimensions)?;
        spoil(input, &mut queries)?;
        // Pools small enough to enumerate.
        Ok(Self {
            queries,
            shortlist: input.int_in_range(0..=5)?,
            pool: count(input, 6, 9)?,
            allow: if one_in(input, 3)? {
                Some(ordinals(input, tools, tools)?)
            } else {
                None
            },
            limits: Limits::read(input, tools)?,
            count: input.int_in_range(0..=6)?,
            room: input.int_in_range(0..=12)?,
        })
    }

    fn pools(&self) -> PoolRequest<'_> {
        PoolRequest {
            shortlist: self.shortlist,
            pool: self.pool,
            require: &self.limits.require,
            exclude: &self.limits.exclude,
            allow: self.allow.as_deref(),
        }
    }

    fn constraints(&self) -> SetConstraints<'_> {
        SetConstraints {
            group_ends: &self.limits.group_ends,
            group_members: &self.limits.group_members,
            tokens: &self.limits.tokens,
            max_tokens: self.limits.max_tokens,
            max_tools: self.limits.max_tools,
        }
    }
}

/// A pool: tools with the bits of their logits and of their complementarity, where they have one.
type PlainPool = Vec<(u32, u32, Option<u32>)>;
/// The bits of F, and the tools.
type PlainSet = (u64, Vec<u32>);

/// The model as its definition reads.
struct Plain<'a> {
    case: &'a Case,
    asked: &'a Asked,
}

impl Plain<'_> {
    fn embedding(&self, tool: u32) -> &[f32] {
        let dimensions = self.case.shape.tool_dimensions;
        &self.case.embeddings[tool as usize * dimensions..][..dimensions]
    }

    fn pair_row(&self, size: usize, tool: u32) -> &[f32] {
        let dimensions = self.case.shape.tool_dimensions;
        &self.case.pair_rows[((size - 2) * self.case.tools + tool as usize) * dimensions..][..dimensions]
    }

    fn logit(&self, query: &[f32], tool: u32) -> f32 {
        score(
            &self.case.match_rows[tool as usize * query.len()..][..query.len()],
            query,
        )
    }

    /// The queries one by one; nothing where the call is to be refused whatever its pools are.
    fn queries(&self) -> Option<Vec<&[f32]>> {
        let (asked, tools) = (self.asked, self.case.tools);
        let limits = &asked.limits;
        let dimensions = self.case.shape.query_dimensions;
        let known = |list: &[u32]| list.iter().all(|&tool| (tool as usize) < tools);
        let is_well_formed = asked.queries.len().is_multiple_of(dimensions)
            && known(&limits.require)
            && known(&limits.exclude)
            && known(asked.allow.as_deref().unwrap_or_default());
        let queries = asked.queries.chunks_exact(dimensions);
        (is_well_formed && queries.clone().all(|query| taken(query, false).is_some())).then(|| queries.collect())
    }

    /// S0, R and A; nothing where complementarity cannot be told.
    fn pool(&self, query: &[f32]) -> Option<PlainPool> {
        let asked = self.asked;
        let limits = &asked.limits;
        let may = |tool: &u32| {
            !limits.exclude.contains(tool) && asked.allow.as_ref().is_none_or(|allow| allow.contains(tool))
        };
        let tools = || (0..self.case.tools as u32).filter(may);
        let logit = |tool: u32| self.logit(query, tool);
        let shortlist: Vec<u32> = best(tools().map(|tool| (tool, logit(tool))), asked.shortlist)
            .into_iter()
            .map(|(tool, _)| tool)
            .collect();
        let mut pool = shortlist.clone();
        pool.extend(tools().filter(|tool| limits.require.contains(tool) && !shortlist.contains(tool)));
        let mut found: PlainPool = pool.iter().map(|&tool| (tool, logit(tool).to_bits(), None)).collect();
        let wanted = asked.pool.saturating_sub(pool.len());
        let max_size = self.case.shape.max_size;
        if max_size >= 2 && wanted > 0 && !shortlist.is_empty() {
            let anchors: Vec<&[f32]> = shortlist.iter().map(|&tool| self.pair_row(max_size, tool)).collect();
            anchors
                .iter()
                .all(|anchor| taken(anchor, false).is_some())
                .then_some(())?;
            let gain = |tool: u32| {
                anchors
                    .iter()
                    .map(|anchor| score(self.embedding(tool), anchor))
                    .fold(f32::NEG_INFINITY, f32::max)
            };
            let others = tools()
                .filter(|tool| !pool.contains(tool))
                .map(|tool| (tool, gain(tool)));
            let added = best(others, wanted);
            found.extend(
                added
                    .into_iter()
                    .map(|(tool, gain)| (tool, logit(tool).to_bits(), Some(gain.to_bits()))),
            );
        }
        Some(found)
    }

    /// The request over a pool whose tools are ascending; nothing where a required tool is not in it.
    fn request(&self, query: &[f32], pool: &[u32]) -> Option<SetCase> {
        let (shape, limits) = (&self.case.shape, &self.asked.limits);
        let place = |tool: &u32| pool.binary_search(tool).ok().map(|place| place as u32);
        let mut groups = Limits::default();
        for group in limits.groups() {
            groups.group_members.extend(group.iter().filter_map(place));
            groups.group_ends.push(groups.group_members.len() as u32);
        }
        let tokens = |&tool: &u32| limits.tokens.get(tool as usize).copied();
        let mut pair_scores = Vec::new();
        for size in 2..=shape.max_size {
            for &a in pool {
                for &b in pool {
                    let (low, high) = (a.min(b), a.max(b));
                    let score = score(self.embedding(low), self.pair_row(size, high));
                    pair_scores.push(if a == b { 0.0 } else { f64::from(score) });
                }
            }
        }
        Some(SetCase {
            pool: pool.len(),
            logits: pool.iter().map(|&tool| f64::from(self.logit(query, tool))).collect(),
            pair_scores,
            max_size: shape.max_size,
            alignment: shape.alignment,
            size_offsets: shape.size_offsets.clone(),
            empty_score: shape.empty_score,
            limits: Limits {
                require: limits.require.iter().map(place).collect::<Option<_>>()?,
                exclude: vec![],
                tokens: pool.iter().filter_map(tokens).collect(),
                max_tokens: limits.max_tokens,
                max_tools: limits.max_tools,
                ..groups
            },
        })
    }

    fn is_well_formed(&self) -> bool {
        let limits = &self.asked.limits;
        limits.has_groups() && (limits.tokens.is_empty() || limits.tokens.len() == self.case.tools)
    }

    /// Answers each query from its pool; nothing where one is to be refused.
    fn each<T: Default>(&self, answer: impl Fn(&SetCase, &[u32]) -> Option<T>) -> Option<Vec<T>> {
        let queries = self.queries().filter(|_| self.is_well_formed())?;
        let one = |query: &[f32]| {
            let mut pool: Vec<u32> = self.pool(query)?.into_iter().map(|(tool, ..)| tool).collect();
            pool.sort_unstable();
            let Some(request) = self.request(query, &pool) else {
                return Some(T::default());
            };
            let is_well_formed = request.is_well_formed(&request.logits, &request.pair_scores);
            is_well_formed.then(|| answer(&request, &pool))?
        };
        queries.into_iter().map(one).collect()
    }

    fn best_sets(&self) -> Option<Vec<Vec<PlainSet>>> {
        self.each(|request, pool| {
            request.is_valid().then_some(())?;
            let (mut problem, mut best) = <(Problem, BestSets)>::default();
            problem.fill(&request.request()).ok()?;
            best.restart(self.asked.count);
            enumerate_plainly(&problem, &mut best);
            let tool = |&index: &u16| pool[problem.position(index) as usize];
            let sets = best.sorted().iter();
            Some(
                sets.map(|set| (set.score.to_bits(), set.members().iter().map(tool).collect()))
                    .collect(),
            )
        })
    }

    fn rank(&self) -> Option<Vec<Vec<Step>>> {
        self.each(|request, pool| {
            let question = Question {
                case: request,
                logits: &request.logits,
                pair_scores: &request.pair_scores,
            };
            let steps = rank_plainly(question, self.asked.room)?;
            Some(
                steps
                    .into_iter()
                    .map(|(place, gain, score)| (pool[place as usize], gain, score))
                    .collect(),
            )
        })
    }
}

type Answered<T> = std::result::Result<Vec<T>, KernelError>;

fn shortlist(model: &HypergraphModel, asked: &Asked, scratch: &mut ModelScratch) -> Answered<PlainPool> {
    let queries = asked.queries.len() / model.shape().query_dimensions;
    let room = asked.pools().room();
    let (mut ids, mut counts) = (vec![u32::MAX; queries * room], vec![u32::MAX; queries]);
    let (mut logits, mut gains) = (vec![0.0; queries * room], vec![0.0; queries * room]);
    let mut shortlists = Shortlists {
        ids: &mut ids,
        logits: &mut logits,
        gains: &mut gains,
        counts: &mut counts,
    };
    model.shortlist(&asked.queries, &asked.pools(), scratch, &mut shortlists)?;
    let entry = |at: usize| {
        (
            ids[at],
            logits[at].to_bits(),
            (!gains[at].is_nan()).then_some(gains[at].to_bits()),
        )
    };
    let range = |query: usize| query * room..query * room + counts[query] as usize;
    Ok((0..queries).map(|query| range(query).map(entry).collect()).collect())
}

fn best_sets(model: &HypergraphModel, asked: &Asked, scratch: &mut AnswerScratch) -> Answered<Vec<PlainSet>> {
    let queries = asked.queries.len() / model.shape().query_dimensions;
    let most = queries * asked.count;
    let mut query_offsets = vec![u32::MAX; queries + 1];
    let (mut offsets, mut scores) = (vec![u32::MAX; most + 1], vec![f64::NAN; most]);
    let mut members = vec![u32::MAX; most * model.shape().max_size];
    let mut sets = ModelSets {
        query_offsets: &mut query_offsets,
        offsets: &mut offsets,
        members: &mut members,
        scores: &mut scores,
    };
    model.best_sets(
        &asked.queries,
        &asked.pools(),
        &asked.constraints(),
        asked.count,
        scratch,
        &mut sets,
    )?;
    let range = |pair: &[u32]| pair[0] as usize..pair[1] as usize;
    let set = |at: usize| (scores[at].to_bits(), members[range(&offsets[at..at + 2])].to_vec());
    Ok(query_offsets
        .windows(2)
        .map(|pair| range(pair).map(set).collect())
        .collect())
}

fn rank(model: &HypergraphModel, asked: &Asked, scratch: &mut AnswerScratch) -> Answered<Vec<Step>> {
    let queries = asked.queries.len() / model.shape().query_dimensions;
    let room = queries * asked.room;
    let (mut ids, mut offsets) = (vec![u32::MAX; room], vec![u32::MAX; queries + 1]);
    let (mut gains, mut scores) = (vec![f64::NAN; room], vec![f64::NAN; room]);
    let mut rankings = Rankings {
        ids: &mut ids,
        gains: &mut gains,
        scores: &mut scores,
        offsets: &mut offsets,
    };
    model.rank(
        &asked.queries,
        &asked.pools(),
        &asked.constraints(),
        scratch,
        &mut rankings,
    )?;
    let range = |pair: &[u32]| pair[0] as usize..pair[1] as usize;
    let step = |at: usize| (ids[at], gains[at].to_bits(), scores[at].to_bits());
    Ok(offsets.windows(2).map(|pair| range(pair).map(step).collect()).collect())
}

/// Whether a model can be made of a case.
fn is_well_formed(case: &Case) -> bool {
    let ModelShape {
        query_dimensions,
        tool_dimensions,
        max_size,
        ref size_offsets,
        ..
    } = case.shape;
    let rows = |rows: &[f32], dimensions: usize| rows.chunks(dimensions).all(|row| taken(row, false).is_some());
    (1..=8).contains(&max_size)
        && (size_offsets.is_empty() || size_offsets.len() == max_size)
        && case.match_rows.len() == case.tools * query_dimensions
        && case.embeddings.len() == case.tools * tool_dimensions
        && case.pair_rows.len() == (max_size - 1) * case.tools * tool_dimensions
        && rows(&case.match_rows, query_dimensions)
        && rows(&case.embeddings, tool_dimensions)
        && rows(&case.pair_rows, tool_dimensions)
}

fn compare<T: PartialEq + std::fmt::Debug>(got: &Answered<T>, expected: Option<&Vec<T>>, what: &str) {
    match (got, expected) {
        (Ok(got), Some(expected)) => assert_eq!(got, expected, "{what}"),
        _ => assert_eq!(
            got.is_ok(),
            expected.is_some(),
            "{what}: {got:?}, expected {expected:?}"
        ),
    }
}

fuzz_target!(|case: Case| {
    let can_be_made = is_well_formed(&case);
    let expected: Vec<_> = if can_be_made { &case.asked[..] } else { &[] }
        .iter()
        .map(|asked| {
            let plain = Plain { case: &case, asked };
            let pools = plain
                .queries()
                .and_then(|queries| queries.iter().map(|query| plain.pool(query)).collect());
            (asked, pools, plain.best_sets(), plain.rank())
        })
        .collect();
    for simd in Simd::supported() {
        for precision in [Precision::Float32, Precision::Int8] {
            let options = ModelOptions {
                precision,
                threads: 1,
                simd,
            };
            let Case {
                match_rows,
                embeddings,
                pair_rows,
                ..
            } = &case;
            let model = HypergraphModel::new(case.shape.clone(), match_rows, embeddings, pair_rows, options);
            assert_eq!(model.is_ok(), can_be_made, "{:?}", model.err());
            let Ok(model) = model else { continue };
            let (mut shortlist_scratch, mut scratch) = <(ModelScratch, AnswerScratch)>::default();
            for (asked, pools, sets, rankings) in &expected {
                compare(
                    &shortlist(&model, asked, &mut shortlist_scratch),
                    pools.as_ref(),
                    "shortlist",
                );
                compare(&best_sets(&model, asked, &mut scratch), sets.as_ref(), "best sets");
                compare(&rank(&model, asked, &mut scratch), rankings.as_ref(), "ranking");
            }
        }
    }
});
