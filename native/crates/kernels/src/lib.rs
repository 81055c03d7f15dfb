//! The kernels of `@setwise/native`: slices in, filled slices out, no Node.
//!
//! Every kernel has one defining order of arithmetic, which the TypeScript kernels follow as well, so that an answer is
//! the same on every processor. Fast paths may only narrow down where to look; see `docs/decisions`.

pub mod deficit_search;
mod elementary;
mod error;
mod exact_dot;
pub mod hyperedge;
pub mod hypergraph_model;
mod int8;
mod matrix;
mod memory;
mod pool;
mod scan;
pub mod set_distribution;
mod simd;
mod threads;
mod top_k;
pub mod trainer;
mod vector_index;

pub use elementary::{exp, ln};
pub use error::KernelError;
pub use exact_dot::{exact_dot, exact_score, exact_scores};
pub use matrix::{LANES, Lanes, Matrix, Rows};
pub use scan::{Anchors, relative_error, relative_error_of_maximum, scan, scan_maximum};
pub use simd::{Simd, SimdLevel};
pub use vector_index::{Combine, Precision, Search, SearchScratch, Similarity, VectorIndex, VectorIndexOptions};
