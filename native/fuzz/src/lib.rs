//! What the fuzz targets of `src/bin` share: inputs that reach what kernels find hard.

pub mod lists;
pub mod numbers;
pub mod set_case;
