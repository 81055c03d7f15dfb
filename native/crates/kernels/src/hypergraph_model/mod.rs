//! HYSET's model in memory of its own: which tools a query calls for, and which sets of them.
//!
//! Held are, for each tool j, its embedding `z_j`, its match row `P z_j` and for each size m its pair row `M_m z_j`, all f32, so that a query
//! costs inner products only: the logit is `l_j = r · P z_j` (equation 3) and a pair scores `z_a · M_m z_b` (equation 2; a < b, since
//! M is symmetric). Every inner product is [`exact_score`](crate::exact_score), so that answers are the same on every processor.

mod answer;
mod pool;
mod rows;

use crate::error::{KernelError, check_length};
use crate::hyperedge::{Alignment, LARGEST_POOL, LARGEST_SET};
use crate::matrix::Matrix;
use crate::simd::Simd;
use crate::vector_index::{Precision, VectorIndex, VectorIndexOptions, check_lengths};

pub use answer::{AnswerScratch, ModelSets, SetConstraints};
pub use pool::{ModelScratch, Pool, PoolRequest, Shortlists};
pub use rows::project;

/// What is known of a model beside its rows.
#[derive(Debug, Clone)]
pub struct ModelShape {
    /// `d_r`, numbers in a query.
    pub query_dimensions: usize,
    /// `d_z`, numbers in a tool's embedding.
    pub tool_dimensions: usize,
    /// M, the largest set that is scored.
    pub max_size: usize,
    /// How logits make up the alignment of a set.
    pub alignment: Alignment,
    /// What is added to every set of a size, M numbers, or nothing for zeros.
    pub size_offsets: Vec<f64>,
    /// The score of the empty set, when it takes part.
    pub empty_score: Option<f64>,
}

/// How a model is searched.
#[derive(Debug, Clone, Copy)]
pub struct ModelOptions {
    /// What a scan reads of match rows and embeddings.
    pub precision: Precision,
    /// Threads that scan, the calling one among them.
    pub threads: usize,
    /// The instructions that are used.
    pub simd: Simd,
}

/// A model, ready to be asked.
#[derive(Debug)]
pub struct HypergraphModel {
    shape: ModelShape,
    /// P z.
    matches: VectorIndex,
    /// z.
    tools: VectorIndex,
    /// `M_m` z for m = 2 … M.
    pairs: Vec<Matrix>,
    simd: Simd,
}

impl HypergraphModel {
    /// Copies rows: match rows (N × `d_r`), embeddings (N × `d_z`) and pair rows ((M − 1) × N × `d_z`).
    pub fn new(
        shape: ModelShape,
        match_rows: &[f32],
        embeddings: &[f32],
        pair_rows: &[f32],
        options: ModelOptions,
    ) -> Result<Self, KernelError> {
        check_shape(&shape)?;
        let index_options = VectorIndexOptions {
            precision: options.precision,
            threads: options.threads,
            ..VectorIndexOptions::new(options.simd)
        };
        // First what is given as it is: the others may be made of it.
        let tools = VectorIndex::named("embeddings", shape.tool_dimensions, embeddings, index_options)?;
        let matches = VectorIndex::named("matchRows", shape.query_dimensions, match_rows, index_options)?;
        check_length("matchRows", tools.rows() * shape.query_dimensions, match_rows.len())?;
        let numbers = tools.rows() * shape.tool_dimensions;
        check_length("pairRows", (shape.max_size - 1) * numbers, pair_rows.len())?;
        let mut pairs = Vec::new();
        for size in 2..=shape.max_size {
            let mut rows = Matrix::empty(shape.tool_dimensions);
            let first = (size - 2) * numbers;
            rows.append("pairRows", &pair_rows[first..first + numbers])
                .map_err(|error| error.behind(first))?;
            pairs.push(rows);
        }
        for (at, rows) in pairs.iter().enumerate() {
            check_lengths("pairRows", rows, at * tools.rows())?;
        }
        Ok(Self {
            shape,
            matches,
            tools,
            pairs,
            simd: options.simd,
        })
    }

    /// What is known of the model beside its rows.
    pub fn shape(&self) -> &ModelShape {
        &self.shape
    }

    /// N.
    pub fn tools(&self) -> usize {
        self.tools.rows()
    }

    /// The instructions that are used.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Copies rows from `first` on, as many as `target` holds: of the match rows (part 0), the embeddings (1), or the pair rows of size m (m).
    pub fn read_rows(&self, part: usize, first: usize, target: &mut [f32]) -> Result<(), KernelError> {
        let rows = match part {
            0 => self.matches.matrix(),
            1 => self.tools.matrix(),
            size => self.pairs.get(size - 2).ok_or(KernelError::OutOfRange {
                what: "part",
                expected: "0 to M",
                value: size.to_string(),
            })?,
        };
        let left = rows.rows().saturating_sub(first) * rows.dimensions();
        if target.len() > left || !target.len().is_multiple_of(rows.dimensions()) {
            return Err(KernelError::Length {
                what: "target",
                expected: left,
                actual: target.len(),
            });
        }
        for (row, target) in target.chunks_exact_mut(rows.dimensions()).enumerate() {
            rows.copy_row(first + row, target);
        }
        Ok(())
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.matches.bytes() + self.tools.bytes() + self.pairs.iter().map(Matrix::bytes).sum::<usize>()
    }
}

fn check_shape(shape: &ModelShape) -> Result<(), KernelError> {
    if !(1..=LARGEST_SET).contains(&shape.max_size) {
        let value = shape.max_size.to_string();
        return Err(KernelError::OutOfRange {
            what: "maxSize",
            expected: "an integer from 1 to 8",
            value,
        });
    }
    if !shape.size_offsets.is_empty() {
        check_length("sizeOffsets", shape.max_size, shape.size_offsets.len())?;
    }
    Ok(())
}

/// Refuses pools that are too large to be searched for sets.
fn check_pool(what: &'static str, size: usize) -> Result<(), KernelError> {
    if size <= LARGEST_POOL {
        return Ok(());
    }
    Err(KernelError::OutOfRange {
        what,
        expected: "0 to 1,024",
        value: size.to_string(),
    })
}
