use napi::Env;
use napi::bindgen_prelude::{Float32ArraySlice, Float64ArraySlice, ObjectFinalize, Uint32ArraySlice};
use napi_derive::napi;
use setwise_kernels::hyperedge::{Alignment, Rankings};
use setwise_kernels::hypergraph_model::{
    self, AnswerScratch, HypergraphModel, ModelOptions, ModelScratch, ModelSets, ModelShape, Pool, PoolRequest,
    SetConstraints, Shortlists,
};
use setwise_kernels::{KernelError, Precision, Simd};

use crate::hyperedge_request::unpack;
use crate::{Refusal, refusal};

/// A query over a pool this large is seldom: what it needed is not kept.
const MOST_BYTES_KEPT: usize = 64 << 20;

/// Holds a model and the memory its queries reuse.
#[napi(custom_finalize)]
pub struct HypergraphModelHandle {
    model: Option<HypergraphModel>,
    scratch: AnswerScratch,
    shortlist: ModelScratch,
    pool: Pool,
    reported_bytes: i64,
}

/// Copies rows into native memory. `numbers` is the score of the empty set (NaN for none), then the offsets of the sizes or nothing.
#[napi(catch_unwind)]
#[allow(
    clippy::too_many_arguments,
    reason = "numbers and short texts cross the boundary, no objects"
)]
pub fn create_hypergraph_model(
    env: Env,
    query_dimensions: u32,
    tool_dimensions: u32,
    max_size: u32,
    alignment: String,
    numbers: &[f64],
    match_rows: &[f32],
    embeddings: &[f32],
    pair_rows: &[f32],
    precision: String,
    threads: u32,
    simd: String,
) -> Result<HypergraphModelHandle, Refusal> {
    let Some((empty_score, size_offsets)) = numbers.split_first() else {
        return Err(refusal(KernelError::Length {
            what: "numbers",
            expected: 1,
            actual: 0,
        }));
    };
    let shape = ModelShape {
        query_dimensions: query_dimensions as usize,
        tool_dimensions: tool_dimensions as usize,
        max_size: max_size as usize,
        alignment: Alignment::named(&alignment).map_err(refusal)?,
        size_offsets: size_offsets.to_vec(),
        empty_score: (!empty_score.is_nan()).then_some(*empty_score),
    };
    let options = ModelOptions {
        precision: Precision::named(&precision).map_err(refusal)?,
        threads: threads as usize,
        simd: Simd::named(&simd).map_err(refusal)?,
    };
    let model = HypergraphModel::new(shape, match_rows, embeddings, pair_rows, options).map_err(refusal)?;
    let mut handle = HypergraphModelHandle {
        model: Some(model),
        scratch: AnswerScratch::default(),
        shortlist: ModelScratch::default(),
        pool: Pool::default(),
        reported_bytes: 0,
    };
    handle.report_memory(env);
    Ok(handle)
}

/// Writes W x for every row x into `target`.
#[napi(catch_unwind)]
pub fn project_rows(
    simd: u32,
    weights: &[f32],
    rows: &[f32],
    columns: u32,
    mut target: Float32ArraySlice,
) -> Result<(), Refusal> {
    let simd = Simd::numbered(simd).map_err(refusal)?;
    // SAFETY: the caller allocates the memory for this call, so that nothing else refers to it.
    let target = unsafe { target.as_mut() };
    hypergraph_model::project(simd, weights, rows, columns as usize, target).map_err(refusal)
}

#[napi]
impl HypergraphModelHandle {
    /// Finds the pool of each query.
    #[napi(catch_unwind)]
    #[allow(clippy::too_many_arguments, reason = "one call a query, and no objects")]
    pub fn shortlist(
        &mut self,
        env: Env,
        queries: &[f32],
        shortlist: u32,
        pool: u32,
        require: &[u32],
        exclude: &[u32],
        allow: Option<&[u32]>,
        mut ids: Uint32ArraySlice,
        mut logits: Float32ArraySlice,
        mut gains: Float32ArraySlice,
        mut counts: Uint32ArraySlice,
    ) -> Result<(), Refusal> {
        let model = self.model.as_ref().ok_or_else(disposed)?;
        let request = pool_request([shortlist, pool], require, exclude, allow);
        let mut shortlists = Shortlists {
            // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
            ids: unsafe { ids.as_mut() },
            // SAFETY: as above.
            logits: unsafe { logits.as_mut() },
            // SAFETY: as above.
            gains: unsafe { gains.as_mut() },
            // SAFETY: as above.
            counts: unsafe { counts.as_mut() },
        };
        let done = model
            .shortlist(queries, &request, &mut self.shortlist, &mut shortlists)
            .map_err(refusal);
        self.settle(env);
        done
    }

    /// Makes a problem over sets of a pool: tools ascending in `sorted`, their logits, and their pair scores.
    #[napi(catch_unwind)]
    pub fn fill_pool(
        &mut self,
        env: Env,
        ids: &[u32],
        logits: &[f32],
        mut sorted: Uint32ArraySlice,
        mut sorted_logits: Float64ArraySlice,
        mut pair_scores: Float64ArraySlice,
    ) -> Result<(), Refusal> {
        let model = self.model.as_ref().ok_or_else(disposed)?;
        if let Some(&ordinal) = ids.iter().find(|&&id| id as usize >= model.tools()) {
            let rows = model.tools();
            return Err(refusal(KernelError::UnknownOrdinal {
                what: "ids",
                ordinal,
                rows,
            }));
        }
        if logits.len() != ids.len() {
            return Err(refusal(KernelError::Length {
                what: "logits",
                expected: ids.len(),
                actual: logits.len(),
            }));
        }
        model.fill_pool(ids, logits, &mut self.pool);
        // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
        let done = copy(unsafe { sorted.as_mut() }, &self.pool.ids)
            // SAFETY: as above.
            .and_then(|()| copy(unsafe { sorted_logits.as_mut() }, &self.pool.logits))
            // SAFETY: as above.
            .and_then(|()| copy(unsafe { pair_scores.as_mut() }, &self.pool.pair_scores));
        self.settle(env);
        done
    }

    /// The best sets of each query. `constraints` is as for [`crate::hyperedge_request`], by tool.
    #[napi(catch_unwind)]
    #[allow(clippy::too_many_arguments, reason = "one call a query, and no objects")]
    pub fn best_sets(
        &mut self,
        env: Env,
        queries: &[f32],
        shortlist: u32,
        pool: u32,
        allow: Option<&[u32]>,
        constraints: &[u32],
        max_tokens: f64,
        max_tools: u32,
        count: u32,
        mut query_offsets: Uint32ArraySlice,
        mut offsets: Uint32ArraySlice,
        mut members: Uint32ArraySlice,
        mut scores: Float64ArraySlice,
    ) -> Result<(), Refusal> {
        let model = self.model.as_ref().ok_or_else(disposed)?;
        let (pools, constraints) = requests([shortlist, pool], allow, constraints, max_tokens, max_tools)?;
        let mut sets = ModelSets {
            // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
            query_offsets: unsafe { query_offsets.as_mut() },
            // SAFETY: as above.
            offsets: unsafe { offsets.as_mut() },
            // SAFETY: as above.
            members: unsafe { members.as_mut() },
            // SAFETY: as above.
            scores: unsafe { scores.as_mut() },
        };
        let done = model
            .best_sets(
                queries,
                &pools,
                &constraints,
                count as usize,
                &mut self.scratch,
                &mut sets,
            )
            .map_err(refusal);
        self.settle(env);
        done
    }

    /// Ranks the tools of each query's pool by marginal gain; `columns` is first as many gains, then as many scores.
    #[napi(catch_unwind)]
    #[allow(clippy::too_many_arguments, reason = "one call a query, and no objects")]
    pub fn rank(
        &mut self,
        env: Env,
        queries: &[f32],
        shortlist: u32,
        pool: u32,
        allow: Option<&[u32]>,
        constraints: &[u32],
        max_tokens: f64,
        max_tools: u32,
        mut ids: Uint32ArraySlice,
        mut columns: Float64ArraySlice,
        mut offsets: Uint32ArraySlice,
    ) -> Result<(), Refusal> {
        let model = self.model.as_ref().ok_or_else(disposed)?;
        let (pools, constraints) = requests([shortlist, pool], allow, constraints, max_tokens, max_tools)?;
        // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
        let columns = unsafe { columns.as_mut() };
        let (gains, scores) = columns.split_at_mut(columns.len() / 2);
        let mut rankings = Rankings {
            // SAFETY: as above.
            ids: unsafe { ids.as_mut() },
            gains,
            scores,
            // SAFETY: as above.
            offsets: unsafe { offsets.as_mut() },
        };
        let done = model
            .rank(queries, &pools, &constraints, &mut self.scratch, &mut rankings)
            .map_err(refusal);
        self.settle(env);
        done
    }

    /// Copies rows from `first` on, as many as `target` holds: of the match rows (0), the embeddings (1), the pair rows of size m (m).
    #[napi(catch_unwind)]
    pub fn read_rows(&self, part: u32, first: u32, mut target: Float32ArraySlice) -> Result<(), Refusal> {
        let model = self.model.as_ref().ok_or_else(disposed)?;
        // SAFETY: the caller allocates the memory for this call, so that nothing else refers to it.
        let target = unsafe { target.as_mut() };
        model.read_rows(part as usize, first as usize, target).map_err(refusal)
    }

    /// Frees the memory and ends the threads now; a later call is refused.
    #[napi]
    pub fn dispose(&mut self, env: Env) {
        self.model = None;
        self.scratch = AnswerScratch::default();
        self.shortlist = ModelScratch::default();
        self.pool = Pool::default();
        self.report_memory(env);
    }
}

fn pool_request<'a>(
    sizes: [u32; 2],
    require: &'a [u32],
    exclude: &'a [u32],
    allow: Option<&'a [u32]>,
) -> PoolRequest<'a> {
    let [shortlist, pool] = sizes.map(|size| size as usize);
    PoolRequest {
        shortlist,
        pool,
        require,
        exclude,
        allow,
    }
}

fn requests<'a>(
    sizes: [u32; 2],
    allow: Option<&'a [u32]>,
    constraints: &'a [u32],
    max_tokens: f64,
    max_tools: u32,
) -> Result<(PoolRequest<'a>, SetConstraints<'a>), Refusal> {
    let unpacked = unpack(constraints).map_err(refusal)?;
    let pools = pool_request(sizes, unpacked.require, unpacked.exclude, allow);
    #[allow(clippy::cast_sign_loss, reason = "less than nothing is nothing")]
    let budget = max_tokens as u64;
    let constraints = SetConstraints {
        group_ends: unpacked.group_ends,
        group_members: unpacked.group_members,
        tokens: unpacked.tokens,
        max_tokens: max_tokens.is_finite().then_some(budget),
        max_tools: Some(max_tools as usize),
    };
    Ok((pools, constraints))
}

fn copy<Number: Copy>(target: &mut [Number], source: &[Number]) -> Result<(), Refusal> {
    if target.len() != source.len() {
        let (expected, actual) = (source.len(), target.len());
        return Err(refusal(KernelError::Length {
            what: "target",
            expected,
            actual,
        }));
    }
    target.copy_from_slice(source);
    Ok(())
}

fn disposed() -> Refusal {
    napi::Error::new("invalid-argument".to_owned(), "The model was disposed.".to_owned())
}

impl HypergraphModelHandle {
    /// Drops what only a large query needed, and tells the rest.
    fn settle(&mut self, env: Env) {
        if self.scratch.bytes() > MOST_BYTES_KEPT {
            self.scratch = AnswerScratch::default();
        }
        if self.pool.bytes() > MOST_BYTES_KEPT {
            self.pool = Pool::default();
        }
        self.report_memory(env);
    }

    /// Tells the garbage collector how much memory this small object stands for.
    fn report_memory(&mut self, env: Env) {
        let scratch = self.scratch.bytes() + self.shortlist.bytes() + self.pool.bytes();
        let held = self.model.as_ref().map_or(0, HypergraphModel::bytes) + scratch;
        let held = i64::try_from(held).unwrap_or(i64::MAX);
        // A refusal changes nothing but when garbage is collected.
        if held != self.reported_bytes && env.adjust_external_memory(held - self.reported_bytes).is_ok() {
            self.reported_bytes = held;
        }
    }
}

impl ObjectFinalize for HypergraphModelHandle {
    fn finalize(mut self, env: Env) -> napi::Result<()> {
        self.dispose(env);
        Ok(())
    }
}
