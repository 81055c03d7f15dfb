//! How the best rows are found without scoring all of them.
//!
//! A scan gives every row a product p with |p − exact| ≤ e. Let t be the k-th largest p − e: k rows reach at least t, so a row
//! with p + e below t (less what rounding to f32 can move) is not among the best. All others are looked at more closely:
//! - int8: the best k by p − e are scanned in f32, which raises t; the rows that can still reach it (k and some) are the pool of
//!   what follows;
//! - f32: the rows that can still reach t (usually k and very few) are scored by the definition, and ordered.
//!
//! So the answer does not depend on how a scan sums, on the number of threads, or on whether there are integers. With many ties
//! many rows are scored: slower, never wrong.

use std::ops::Range;

use super::length::prepare;
use super::narrowing::{Bound, SMALLEST};
use super::{Combine, VectorIndex};
use crate::KernelError;
use crate::exact_dot::{exact_score, exact_scores};
use crate::int8::{Int8Anchors, Int8Query, Int8Rows, QueryError};
use crate::matrix::Matrix;
use crate::pool::{Choice, Pool, PoolRoom};
use crate::scan::{Anchors, relative_error, relative_error_of_maximum, scan, scan_maximum};
use crate::simd::Simd;
use crate::threads::SharedSlice;
use crate::top_k::TopK;

/// Rows that are read while they are in the second-level cache, for each query of a pass in turn; a multiple of the rows that
/// every kernel takes at once.
const ROWS_PER_BLOCK: usize = 96;
/// Queries that share one reading of the rows; bounds the memory for their products.
const QUERIES_PER_PASS: usize = 8;
/// Multiplications worth handing to another thread: some 30 µs of them.
const PART: usize = 1 << 18;

/// One call.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search<'a> {
    /// Queries × dimensions numbers, one query behind the other.
    pub queries: &'a [f32],
    /// Answers wanted for each query, or for all of them together.
    pub k: usize,
    /// Whether queries are answered one by one or together.
    pub combine: Combine,
    /// Ordinals that may be answered, in any order, doubles allowed; `None` allows all.
    pub allow: Option<&'a [u32]>,
    /// Ordinals that may not be answered, in any order, doubles allowed.
    pub exclude: &'a [u32],
}

/// Memory that searches reuse, so that a search allocates nothing once the largest shape was seen.
#[derive(Debug, Default)]
pub struct SearchScratch {
    questions: Questions,
    pool: PoolRoom,
    products: Vec<f32>,
    narrow: NarrowRoom,
    top: TopK,
}

/// The queries in every form that a kernel reads.
#[derive(Debug, Default)]
struct Questions {
    queries: Matrix,
    lengths: Vec<f32>,
    combine: Combine,
    anchors: Anchors,
    int8_queries: Vec<Int8Query>,
    int8_anchors: Int8Anchors,
}

#[derive(Debug, Default)]
struct NarrowRoom {
    certain: Vec<u32>,
    possible: Vec<u32>,
    doubtful: Vec<u32>,
    products: Vec<f32>,
}

impl SearchScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let questions = &self.questions;
        let narrow = &self.narrow;
        questions.queries.bytes()
            + questions.anchors.bytes()
            + questions.int8_anchors.bytes()
            + questions.int8_queries.iter().map(Int8Query::bytes).sum::<usize>()
            + (questions.lengths.capacity() + self.products.capacity() + narrow.products.capacity()) * size_of::<f32>()
            + (narrow.certain.capacity() + narrow.possible.capacity() + narrow.doubtful.capacity()) * size_of::<u32>()
            + self.pool.bytes()
            + self.top.bytes()
    }
}

/// How a scan is made and how far it can be wrong.
#[derive(Debug, Clone, Copy)]
enum Stage<'a> {
    Float32,
    Int8(&'a Int8Rows),
}

impl VectorIndex {
    /// Fills `ids` and `scores`, query by query, and returns how many answers each query has: k, or as many rows as may be
    /// answered when they are fewer. The columns may be longer than the answers.
    pub fn search(
        &self,
        request: Search<'_>,
        scratch: &mut SearchScratch,
        ids: &mut [u32],
        scores: &mut [f32],
    ) -> Result<usize, KernelError> {
        let SearchScratch {
            questions,
            pool: room,
            products,
            narrow,
            top,
        } = scratch;
        let dimensions = self.dimensions();
        questions.combine = request.combine;
        questions.queries.refill("queries", request.queries, dimensions)?;
        questions.lengths.clear();
        prepare(
            "queries",
            &mut questions.queries,
            0,
            self.similarity,
            &mut questions.lengths,
        )?;
        let choice = Choice {
            rows: self.rows(),
            allow: request.allow,
            exclude: request.exclude,
            removed: &self.removed,
            removed_marks: &self.removed_marks,
        };
        let (pool, answerable) = room.pool(choice, request.k)?;
        let count = request.k.min(answerable);
        let asked = questions.count();
        check_room(asked * count, ids, scores)?;
        if count == 0 || asked == 0 {
            return Ok(count);
        }
        let stage = self.first_stage(questions);
        if count < answerable {
            questions.prepare(self.simd, stage);
        }
        for first in (0..asked).step_by(QUERIES_PER_PASS) {
            let pass = first..asked.min(first + QUERIES_PER_PASS);
            if count < answerable {
                self.scan_pool(stage, pool, questions, pass.clone(), products);
            }
            for question in pass {
                top.restart(count);
                if count < answerable {
                    let products = &mut products[(question - first) * pool.len()..][..pool.len()];
                    pool.mask(products);
                    self.select(stage, pool, questions, question, products, narrow, top);
                } else {
                    narrow.doubtful.clear();
                    narrow
                        .doubtful
                        .extend((0..pool.len()).map(|position| pool.ordinal(position)));
                    self.score(&narrow.doubtful, questions, question, top);
                }
                let answer = question * count..(question + 1) * count;
                top.drain_into(&mut ids[answer.clone()], &mut scores[answer]);
            }
        }
        Ok(count)
    }

    fn first_stage(&self, questions: &Questions) -> Stage<'_> {
        match &self.int8 {
            Some(rows) if questions.combine == Combine::Each || self.int8_kernels.has_maximum() => Stage::Int8(rows),
            _ => Stage::Float32,
        }
    }

    /// Scans the pool once for all questions of a pass: `products` becomes questions × pool.
    fn scan_pool(
        &self,
        stage: Stage<'_>,
        pool: Pool<'_>,
        questions: &Questions,
        pass: Range<usize>,
        products: &mut Vec<f32>,
    ) {
        products.resize(pass.len() * pool.len(), 0.0);
        let products = SharedSlice::new(products);
        let block_work = ROWS_PER_BLOCK * self.dimensions() * pass.len();
        let rows_per_part = PART.div_ceil(block_work) * ROWS_PER_BLOCK;
        self.threads.run(pool.len().div_ceil(rows_per_part), &|part| {
            let mut room = [0; ROWS_PER_BLOCK];
            let end = pool.len().min((part + 1) * rows_per_part);
            for start in (part * rows_per_part..end).step_by(ROWS_PER_BLOCK) {
                let block = start..end.min(start + ROWS_PER_BLOCK);
                let ordinals = pool.ordinals(block.clone(), &mut room);
                for (row, question) in pass.clone().enumerate() {
                    let at = row * pool.len();
                    // SAFETY: every part has its own blocks, and every question its own stretch of the products.
                    let products = unsafe { products.part(at + block.start..at + block.end) };
                    self.scan_block(stage, ordinals, questions, question, products);
                }
            }
        });
    }

    fn scan_block(
        &self,
        stage: Stage<'_>,
        ordinals: &[u32],
        questions: &Questions,
        question: usize,
        products: &mut [f32],
    ) {
        match (questions.combine, stage) {
            (Combine::Each, Stage::Float32) => {
                scan(
                    self.simd,
                    &self.matrix,
                    ordinals,
                    questions.queries.row(question),
                    products,
                );
            }
            (Combine::Each, Stage::Int8(rows)) => {
                let query = &questions.int8_queries[question];
                self.int8_kernels.scan(rows.view(), ordinals, query, products);
            }
            (Combine::Maximum, Stage::Float32) => {
                scan_maximum(self.simd, &self.matrix, ordinals, &questions.anchors, products);
            }
            (Combine::Maximum, Stage::Int8(rows)) => {
                let anchors = &questions.int8_anchors;
                self.int8_kernels.scan_maximum(rows.view(), ordinals, anchors, products);
            }
        }
    }

    fn bound(&self, stage: Stage<'_>, questions: &Questions, question: usize) -> Bound<'_> {
        let float = |relative: f64, length: f32| QueryError {
            per_length: relative * f64::from(length),
            per_residual: 0.0,
        };
        let error = match (questions.combine, stage) {
            (Combine::Each, Stage::Float32) => float(relative_error(self.dimensions()), questions.lengths[question]),
            (Combine::Each, Stage::Int8(_)) => questions.int8_queries[question].error(),
            (Combine::Maximum, Stage::Float32) => {
                let longest = questions.lengths.iter().copied().fold(0.0, f32::max);
                float(relative_error_of_maximum(self.dimensions()), longest)
            }
            (Combine::Maximum, Stage::Int8(_)) => questions.int8_anchors.error(),
        };
        let int8 = self.int8.as_ref();
        Bound {
            lengths: &self.lengths,
            greatest_length: self.greatest_length,
            per_length: error.per_length,
            residuals: int8.map_or(&[], Int8Rows::residuals),
            greatest_residual: int8.map_or(0.0, Int8Rows::greatest_residual),
            per_residual: error.per_residual,
            constant: (self.dimensions() + 1) as f64 * SMALLEST,
        }
    }

    /// Takes the best rows of the pool into `top`, which knows how many there are to be.
    #[allow(clippy::too_many_arguments, reason = "the parts of one scratch, borrowed apart")]
    fn select(
        &self,
        stage: Stage<'_>,
        pool: Pool<'_>,
        questions: &Questions,
        question: usize,
        products: &[f32],
        narrow: &mut NarrowRoom,
        top: &mut TopK,
    ) {
        let NarrowRoom {
            certain,
            possible,
            doubtful,
            products: close,
        } = narrow;
        let count = top.capacity();
        let rough = self.bound(stage, questions, question);
        rough.take_certain(pool, products, top);
        if let Stage::Int8(_) = stage {
            top.ordinals_into(certain);
            let fine = self.bound(Stage::Float32, questions, question);
            close.resize(certain.len(), 0.0);
            self.scan_block(Stage::Float32, certain, questions, question, close);
            let reached = fine.reached(certain, close).max(top.threshold());
            rough.keep_possible(pool, products, reached, possible);
            let pool = Pool::Listed(possible);
            self.scan_pool(Stage::Float32, pool, questions, question..question + 1, close);
            top.restart(count);
            fine.take_certain(pool, close, top);
            fine.keep_possible(pool, close, top.threshold(), doubtful);
        } else {
            rough.keep_possible(pool, products, top.threshold(), doubtful);
        }
        top.restart(count);
        self.score(doubtful, questions, question, top);
    }

    /// Offers rows with the scores that define the answer.
    fn score(&self, ordinals: &[u32], questions: &Questions, question: usize, top: &mut TopK) {
        let queries = &questions.queries;
        match questions.combine {
            Combine::Each => {
                let query = queries.row(question);
                let (fours, rest) = ordinals.as_chunks::<4>();
                for four in fours {
                    let rows = four.map(|ordinal| self.matrix.row(ordinal as usize));
                    for (&ordinal, score) in four.iter().zip(exact_scores(self.simd, rows, query)) {
                        top.offer(f64::from(score), ordinal);
                    }
                }
                for &ordinal in rest {
                    top.offer(
                        f64::from(exact_score(self.matrix.row(ordinal as usize), query)),
                        ordinal,
                    );
                }
            }
            Combine::Maximum => {
                for &ordinal in ordinals {
                    let row = self.matrix.row(ordinal as usize);
                    let greatest = (0..queries.rows())
                        .step_by(4)
                        .flat_map(|first| {
                            // The last group repeats the last query.
                            let four = [0, 1, 2, 3].map(|at| queries.row((first + at).min(queries.rows() - 1)));
                            exact_scores(self.simd, four, row)
                        })
                        .fold(f32::NEG_INFINITY, f32::max);
                    top.offer(f64::from(greatest), ordinal);
                }
            }
        }
    }
}

impl Questions {
    /// How many answers are asked for.
    fn count(&self) -> usize {
        match self.combine {
            Combine::Each => self.queries.rows(),
            Combine::Maximum => self.queries.rows().min(1),
        }
    }

    /// Brings the queries into the forms that the kernels of this search read.
    fn prepare(&mut self, simd: Simd, stage: Stage<'_>) {
        let Questions {
            queries,
            lengths,
            anchors,
            int8_queries,
            int8_anchors,
            combine,
        } = self;
        match (*combine, stage) {
            (Combine::Each, Stage::Float32) => {}
            (Combine::Each, Stage::Int8(_)) => {
                int8_queries.resize_with(queries.rows().max(int8_queries.len()), Int8Query::default);
                for (row, query) in int8_queries.iter_mut().take(queries.rows()).enumerate() {
                    query.refill(simd, queries.row(row), lengths[row]);
                }
            }
            (Combine::Maximum, stage) => {
                anchors.refill(queries.rows(), |row| queries.row(row));
                if let Stage::Int8(_) = stage {
                    int8_anchors.refill(simd, |row| queries.row(row), lengths);
                }
            }
        }
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
