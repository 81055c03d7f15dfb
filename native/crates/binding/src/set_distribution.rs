use std::cell::RefCell;

use napi::bindgen_prelude::Float64ArraySlice;
use napi_derive::napi;
use setwise_kernels::set_distribution::{self, SetDistributionScratch, SetDistributions};

use crate::{Refusal, refusal};

thread_local! {
    /// Some numbers a candidate and size.
    static SCRATCH: RefCell<SetDistributionScratch> = RefCell::default();
}

/// The distributions over sets of several queries of `pool` logits and `width` offsets each. Fills `columns`: sizes, inclusion,
/// inclusion by size and log Z, each of all queries.
#[napi(catch_unwind)]
pub fn set_distributions(
    logits: &[f64],
    size_offsets: &[f64],
    pool: u32,
    width: u32,
    mut columns: Float64ArraySlice,
) -> Result<(), Refusal> {
    let (pool, width) = (pool as usize, width as usize);
    let queries = size_offsets.len() / width.max(1);
    // SAFETY: the face allocates the column for this call, so that nothing else refers to it.
    let columns = unsafe { columns.as_mut() };
    let expected = queries * (width + pool + pool * width + 1);
    if columns.len() != expected {
        let (what, actual) = ("columns", columns.len());
        return Err(refusal(setwise_kernels::KernelError::Length { what, expected, actual }));
    }
    let (sizes, rest) = columns.split_at_mut(queries * width);
    let (inclusion, rest) = rest.split_at_mut(queries * pool);
    let (inclusion_by_size, log_z) = rest.split_at_mut(queries * pool * width);
    let mut out = SetDistributions {
        sizes,
        inclusion,
        inclusion_by_size,
        log_z,
    };
    SCRATCH
        .with_borrow_mut(|scratch| {
            set_distribution::set_distributions(logits, size_offsets, [pool, width], scratch, &mut out)
        })
        .map_err(refusal)
}
