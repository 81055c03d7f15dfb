use std::cell::RefCell;

use napi::bindgen_prelude::{Float64ArraySlice, Uint32ArraySlice};
use napi_derive::napi;
use setwise_kernels::hyperedge::SetSearch;
use setwise_kernels::{KernelError, Simd};

use crate::hyperedge_request::request;
use crate::{Refusal, refusal};

/// A search over a pool this large is seldom: what it needed is not kept.
const MOST_BYTES_KEPT: usize = 64 << 20;

thread_local! {
    static SEARCH: RefCell<SetSearch> = RefCell::default();
}

/// Fills the columns with the best `count` sets, and `distribution` unless it is empty; returns how many sets there are.
#[napi(catch_unwind)]
#[allow(clippy::too_many_arguments, reason = "an object would cost more than the call")]
pub fn enumerate_hyperedges(
    simd: u32,
    logits: &[f64],
    pair_scores: &[f64],
    max_size: u32,
    max_tools: u32,
    softmax: bool,
    numbers: &[f64],
    constraints: &[u32],
    count: u32,
    mut scores: Float64ArraySlice,
    mut offsets: Uint32ArraySlice,
    mut members: Uint32ArraySlice,
    mut distribution: Float64ArraySlice,
) -> Result<u32, Refusal> {
    let simd = Simd::numbered(simd).map_err(refusal)?;
    let sizes = [max_size, max_tools];
    let request = request(logits, pair_scores, sizes, softmax, numbers, constraints).map_err(refusal)?;
    // SAFETY: the face allocates the columns for this call, so that nothing else refers to them.
    let scores = unsafe { scores.as_mut() };
    // SAFETY: as above.
    let offsets = unsafe { offsets.as_mut() };
    // SAFETY: as above.
    let members = unsafe { members.as_mut() };
    // SAFETY: as above.
    let distribution = unsafe { distribution.as_mut() };
    let count = count as usize;
    let lengths = [
        (count, scores.len()),
        (count + 1, offsets.len()),
        (count * request.max_size, members.len()),
    ];
    if let Some(&(expected, actual)) = lengths.iter().find(|(expected, actual)| expected != actual) {
        return Err(refusal(KernelError::Length {
            what: "columns",
            expected,
            actual,
        }));
    }
    SEARCH.with_borrow_mut(|search| {
        let done = if distribution.is_empty() {
            search.search(simd, &request, count)
        } else {
            search.weigh(simd, &request, count, distribution)
        };
        let found = done.map(|()| write(search, count, scores, offsets, members));
        if search.bytes() > MOST_BYTES_KEPT {
            *search = SetSearch::default();
        }
        found.map_err(refusal)
    })
}

fn write(search: &mut SetSearch, count: usize, scores: &mut [f64], offsets: &mut [u32], members: &mut [u32]) -> u32 {
    let (mut found, mut at) = (0, 0);
    offsets[0] = 0;
    search.each_set(count, |score, set| {
        for position in set {
            members[at] = position;
            at += 1;
        }
        scores[found] = score;
        found += 1;
        offsets[found] = at as u32;
    });
    found as u32
}
