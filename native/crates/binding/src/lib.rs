//! The addon: converts between Node-API and the kernels, and nothing else.
#![allow(clippy::needless_pass_by_value, reason = "Node-API hands its values over")]
#![allow(missing_docs, reason = "napi-derive generates public functions that carry no text")]

pub mod deficit_search;
pub mod hyperedge;
mod hyperedge_request;
pub mod hypergraph_model;
pub mod marginal_gain;
pub mod set_distribution;
pub mod trainer;
mod trainer_request;
pub mod vector_index;

use napi_derive::napi;
use setwise_kernels::{KernelError, Simd};

/// Raised whenever a name or a signature here changes; the loader refuses an addon that speaks another version.
const BOUNDARY_VERSION: u32 = 6;

/// An error that carries its code.
type Refusal = napi::Error<String>;

fn refusal(error: KernelError) -> Refusal {
    napi::Error::new(error.code().to_owned(), error.to_string())
}

/// The version of the boundary that this addon speaks.
#[napi]
pub fn boundary_version() -> u32 {
    BOUNDARY_VERSION
}

/// The SIMD levels that this processor runs, best first.
#[napi]
pub fn simd_levels() -> Vec<String> {
    Simd::supported().map(|simd| simd.level().name().to_owned()).collect()
}
