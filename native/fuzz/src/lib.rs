//! What the fuzz targets of `src/bin` share: inputs that reach what kernels find hard, and plain definitions to compare with.

pub mod deficit_case;
pub mod lists;
pub mod numbers;
pub mod plain_deficit_search;
pub mod plain_distribution;
pub mod plain_ranking;
pub mod plain_vectors;
pub mod set_case;
