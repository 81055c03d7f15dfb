use std::cell::RefCell;

use napi::bindgen_prelude::{Float64ArraySlice, Uint32ArraySlice};
use napi_derive::napi;
use setwise_kernels::Simd;
use setwise_kernels::hyperedge::{self, MarginalGainScratch, Rankings};

use crate::hyperedge_request::request;
use crate::{Refusal, refusal};

thread_local! {
    /// A few numbers a candidate, at most 40 KB.
    static SCRATCH: RefCell<MarginalGainScratch> = RefCell::default();
}

/// Ranks the queries, `pool` candidates each. Fills `ids`, in `columns` first as many gains and then as many scores, one query behind
/// the other, and `offsets`.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "an object would cost more than the call")]
pub fn rank_by_marginal_gain(
    simd: u32,
    pool: u32,
    logits: &[f64],
    pair_scores: &[f64],
    max_size: u32,
    max_tools: u32,
    softmax: bool,
    numbers: &[f64],
    constraints: &[u32],
    mut ids: Uint32ArraySlice,
    mut columns: Float64ArraySlice,
    mut offsets: Uint32ArraySlice,
) -> Result<(), Refusal> {
    let simd = Simd::numbered(simd).map_err(refusal)?;
    let sizes = [max_size, max_tools];
    let request = request(logits, pair_scores, sizes, softmax, numbers, constraints).map_err(refusal)?;
    // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
    let ids = unsafe { ids.as_mut() };
    // SAFETY: as above.
    let columns = unsafe { columns.as_mut() };
    // SAFETY: as above.
    let offsets = unsafe { offsets.as_mut() };
    let (gains, scores) = columns.split_at_mut(columns.len() / 2);
    let mut rankings = Rankings {
        ids,
        gains,
        scores,
        offsets,
    };
    SCRATCH
        .with_borrow_mut(|scratch| {
            hyperedge::rank_by_marginal_gain(simd, &request, pool as usize, scratch, &mut rankings)
        })
        .map_err(refusal)
}
