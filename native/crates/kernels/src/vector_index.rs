//! Exact top-k by inner product or cosine.
//!
//! The score of a row is [`exact_dot`] rounded to f32, with −0 made +0; rows are ordered by score, equal scores by lower ordinal. The f32
//! scan gives every row a number s with |s − exact| ≤ e. Let t be the k-th largest s − e: k rows reach at least t, so a row
//! with s + e below t (less what rounding to f32 can move) is not among the best. All others, usually k and a few, are
//! scored exactly. The answer therefore does not depend on how the scan sums.

use std::ops::Range;

use crate::KernelError;
use crate::exact_dot::exact_dot;
use crate::matrix::Matrix;
use crate::pool::{Pool, collect_distinct};
use crate::scan::{relative_error, scan};
use crate::simd::Simd;
use crate::top_k::TopK;

/// Rows that are read while they are in the second-level cache, for each query of a pass in turn.
const ROWS_PER_BLOCK: usize = 64;
/// Queries that share one reading of the rows; bounds the memory for their products.
const QUERIES_PER_PASS: usize = 8;
/// Length up to which no score and no partial sum can overflow: 2^62 · 2^62 is far below the largest f32, 2^128.
const LONGEST: f64 = (1_u64 << 62) as f64;
/// What rounding to f32 moves a number by, relative to it: at most half of this on either side.
const ROUNDING: f64 = 1.0 / (1 << 23) as f64;
/// The smallest positive f32, 2^-149: more than one underflow can lose.
const SMALLEST: f64 = f32::from_bits(1) as f64;

/// What a score is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Similarity {
    /// The inner product with the rows as they are.
    InnerProduct,
    /// The inner product of row and query, each divided by its length; 0 where one of them is all zeros.
    Cosine,
}

impl Similarity {
    /// The similarity of this name.
    pub fn named(name: &str) -> Result<Self, KernelError> {
        match name {
            "inner-product" => Ok(Self::InnerProduct),
            "cosine" => Ok(Self::Cosine),
            _ => Err(KernelError::Option {
                what: "similarity",
                value: name.to_owned(),
            }),
        }
    }
}

/// Vectors in memory of their own, ready to be searched.
#[derive(Debug)]
pub struct VectorIndex {
    matrix: Matrix,
    /// Upper bounds of the rows' lengths.
    lengths: Vec<f32>,
    dimensions: usize,
    similarity: Similarity,
    simd: Simd,
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// Queries × dimensions numbers, one query behind the other.
    pub queries: &'a [f32],
    /// Answers wanted for each query.
    pub k: usize,
    /// Ordinals that may be answered, in any order, doubles allowed; `None` allows all.
    pub allow: Option<&'a [u32]>,
}

/// Memory that searches reuse, so that a search allocates nothing once the largest shape was seen.
#[derive(Debug, Default)]
pub struct SearchScratch {
    queries: Matrix,
    query_lengths: Vec<f32>,
    products: Vec<f32>,
    marks: Vec<u64>,
    ordinals: Vec<u32>,
    top: TopK,
}

impl SearchScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.queries.bytes()
            + (self.query_lengths.capacity() + self.products.capacity()) * size_of::<f32>()
            + self.marks.capacity() * size_of::<u64>()
            + self.ordinals.capacity() * size_of::<u32>()
            + self.top.bytes()
    }
}

impl VectorIndex {
    /// Copies `vectors` (rows × dimensions, row by row).
    pub fn new(dimensions: usize, vectors: &[f32], similarity: Similarity, simd: Simd) -> Result<Self, KernelError> {
        let mut matrix = Matrix::default();
        matrix.refill("vectors", vectors, dimensions)?;
        let mut lengths = Vec::new();
        measure("vectors", &mut matrix, similarity, &mut lengths)?;
        Ok(Self {
            matrix,
            lengths,
            dimensions,
            similarity,
            simd,
        })
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.matrix.bytes() + self.lengths.capacity() * size_of::<f32>()
    }

    /// Writes the answers of all queries one behind the other into `ids` and `scores` and returns how many each query has:
    /// k, or as many rows as may be answered when they are fewer.
    pub fn search(
        &self,
        request: Search<'_>,
        scratch: &mut SearchScratch,
        ids: &mut [u32],
        scores: &mut [f32],
    ) -> Result<usize, KernelError> {
        let SearchScratch {
            queries,
            query_lengths,
            products,
            marks,
            ordinals,
            top,
        } = scratch;
        queries.refill("queries", request.queries, self.dimensions)?;
        measure("queries", queries, self.similarity, query_lengths)?;
        let pool = match request.allow {
            None => Pool::All(self.matrix.rows()),
            Some(allow) => {
                collect_distinct(allow, self.matrix.rows(), marks, ordinals)?;
                Pool::Listed(ordinals)
            }
        };
        let count = request.k.min(pool.len());
        check_room(queries.rows() * count, ids, scores)?;
        if count == 0 {
            return Ok(0);
        }
        for first in (0..queries.rows()).step_by(QUERIES_PER_PASS) {
            let pass = first..queries.rows().min(first + QUERIES_PER_PASS);
            if count < pool.len() {
                self.approximate(pool, queries, pass.clone(), products);
            }
            for query in pass {
                top.restart(count);
                if count < pool.len() {
                    let products = &products[(query - first) * pool.len()..][..pool.len()];
                    let error = relative_error(self.dimensions) * f64::from(query_lengths[query]);
                    self.select(pool, queries, query, products, error, top);
                } else {
                    self.take_all(pool, queries, query, top);
                }
                let answer = query * count..(query + 1) * count;
                top.drain_into(&mut ids[answer.clone()], &mut scores[answer]);
            }
        }
        Ok(count)
    }

    /// Scans the pool once for all queries of a pass: `products` becomes queries × pool.
    fn approximate(&self, pool: Pool<'_>, queries: &Matrix, pass: Range<usize>, products: &mut Vec<f32>) {
        products.resize(pass.len() * pool.len(), 0.0);
        let mut room = [0; ROWS_PER_BLOCK];
        for start in (0..pool.len()).step_by(ROWS_PER_BLOCK) {
            let block = start..pool.len().min(start + ROWS_PER_BLOCK);
            let ordinals = pool.ordinals(block.clone(), &mut room);
            for (row, query) in pass.clone().enumerate() {
                let products = &mut products[row * pool.len()..][block.clone()];
                scan(self.simd, &self.matrix, ordinals, queries.row(query), products);
            }
        }
    }

    /// Scores exactly every row that the scan leaves in doubt. `error` times a row's length bounds the scan's error.
    fn select(&self, pool: Pool<'_>, queries: &Matrix, query: usize, products: &[f32], error: f64, top: &mut TopK) {
        let underflow = self.dimensions as f64 * SMALLEST;
        let bound = |ordinal: u32| error * f64::from(self.lengths[ordinal as usize]) + underflow;
        let count = top.capacity();
        for (position, &product) in products.iter().enumerate() {
            let product = f64::from(product);
            // The bound is not read for the many rows that are out anyway.
            if product > top.threshold() {
                let ordinal = pool.ordinal(position);
                top.offer(product - bound(ordinal), ordinal);
            }
        }
        let reached = top.threshold();
        let doubtful = reached - reached.abs() * ROUNDING - SMALLEST;
        top.restart(count);
        for (position, &product) in products.iter().enumerate() {
            let ordinal = pool.ordinal(position);
            if f64::from(product) + bound(ordinal) >= doubtful {
                self.offer(ordinal, queries, query, top);
            }
        }
    }

    fn take_all(&self, pool: Pool<'_>, queries: &Matrix, query: usize, top: &mut TopK) {
        for position in 0..pool.len() {
            self.offer(pool.ordinal(position), queries, query, top);
        }
    }

    fn offer(&self, ordinal: u32, queries: &Matrix, query: usize, top: &mut TopK) {
        // Adding zero makes a score that rounds to −0 the +0 that it ties with.
        let score = exact_dot(self.matrix.row(ordinal as usize), queries.row(query)) as f32 + 0.0;
        top.offer(f64::from(score), ordinal);
    }
}

/// Divides every vector by its length where the similarity asks for it, and writes upper bounds of the lengths that are left.
fn measure(
    what: &'static str,
    vectors: &mut Matrix,
    similarity: Similarity,
    lengths: &mut Vec<f32>,
) -> Result<(), KernelError> {
    lengths.clear();
    lengths
        .try_reserve_exact(vectors.rows())
        .map_err(|_| KernelError::OutOfMemory {
            bytes: vectors.rows() * size_of::<f32>(),
        })?;
    for row in 0..vectors.rows() {
        if similarity == Similarity::Cosine {
            normalise(vectors, row);
        }
        let length = exact_dot(vectors.row(row), vectors.row(row)).sqrt();
        if length > LONGEST {
            return Err(KernelError::TooLong { what, row });
        }
        // Half a unit in the last place of f32, or more, above the length: far more than f64's roundings lose.
        lengths.push((length as f32).next_up());
    }
    Ok(())
}

/// The quotient is taken in f64 and rounded once, so that it is the same everywhere.
fn normalise(vectors: &mut Matrix, row: usize) {
    let length = exact_dot(vectors.row(row), vectors.row(row)).sqrt();
    if length == 0.0 {
        return;
    }
    for number in vectors.row_mut(row).iter_mut().flat_map(|lanes| &mut lanes.0) {
        *number = (f64::from(*number) / length) as f32;
    }
}

fn check_room(answers: usize, ids: &[u32], scores: &[f32]) -> Result<(), KernelError> {
    for (what, actual) in [("ids", ids.len()), ("scores", scores.len())] {
        if actual < answers {
            return Err(KernelError::Length {
                what,
                expected: answers,
                actual,
            });
        }
    }
    Ok(())
}
