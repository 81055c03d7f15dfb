//! Exact top-k by inner product or cosine, over rows that can be added, replaced and removed.
//!
//! The score of a row is [`exact_score`](crate::exact_score): the inner product in f64, in one fixed order, rounded to f32 once. With
//! [`Combine::Maximum`] it is the greatest of the scores that several queries give it. Rows are ordered by score, equal scores by lower
//! ordinal. How a search finds them is told in `search.rs`.

mod length;
mod narrowing;
mod options;
mod search;

use std::fs::File;

use crate::KernelError;
use crate::int8::{Int8Kernels, Int8Rows};
use crate::matrix::{Lanes, Matrix};
use crate::simd::Simd;
use crate::threads::Threads;

pub(crate) use length::check_lengths;
pub use options::{Combine, Precision, Similarity, VectorIndexOptions};
pub use search::{Search, SearchScratch};

/// Vectors in memory of their own, ready to be searched.
///
/// An ordinal is a row's place and stays its own: new rows get the next ones, and a removed row's place stays empty until
/// [`VectorIndex::replace`] fills it.
#[derive(Debug)]
pub struct VectorIndex {
    matrix: Matrix,
    /// Upper bounds of the rows' lengths.
    lengths: Vec<f32>,
    /// An upper bound of all lengths.
    greatest_length: f32,
    int8: Option<Int8Rows>,
    int8_kernels: Int8Kernels,
    /// Ordinals of removed rows, in no order.
    removed: Vec<u32>,
    /// One bit for each row.
    removed_marks: Vec<u64>,
    similarity: Similarity,
    simd: Simd,
    threads: Threads,
}

impl VectorIndex {
    /// Copies `vectors` (rows × dimensions, row by row) into an index of f32 numbers that one thread scans.
    pub fn new(dimensions: usize, vectors: &[f32], similarity: Similarity, simd: Simd) -> Result<Self, KernelError> {
        let options = VectorIndexOptions {
            similarity,
            ..VectorIndexOptions::new(simd)
        };
        Self::with_options(dimensions, vectors, options)
    }

    /// Copies `vectors` (rows × dimensions, row by row).
    pub fn with_options(dimensions: usize, vectors: &[f32], options: VectorIndexOptions) -> Result<Self, KernelError> {
        Self::named("vectors", dimensions, vectors, options)
    }

    /// The same, where the caller gave the vectors under another name, which errors tell.
    pub(crate) fn named(
        what: &'static str,
        dimensions: usize,
        vectors: &[f32],
        options: VectorIndexOptions,
    ) -> Result<Self, KernelError> {
        let mut index = Self::empty(dimensions, options);
        index.append(what, vectors)?;
        Ok(index)
    }

    /// Takes rows that another index of this similarity held: they are copied as they are, not divided by their lengths again.
    pub fn restore(dimensions: usize, vectors: &[f32], options: VectorIndexOptions) -> Result<Self, KernelError> {
        let mut index = Self::empty(dimensions, options);
        index.matrix.append("vectors", vectors)?;
        index.take_rows(0)?;
        Ok(index)
    }

    /// Reads rows in place from byte `start` of a file that an index of this similarity was written to, as [`Self::restore`] would.
    /// The first change of the index copies them into memory.
    ///
    /// # Safety
    /// Nobody changes or shortens the file while the index lives.
    pub unsafe fn map(
        file: &File,
        start: u64,
        rows: usize,
        dimensions: usize,
        options: VectorIndexOptions,
    ) -> Result<Self, KernelError> {
        let mut index = Self::empty(dimensions, options);
        // SAFETY: the caller promises that the file stays as it is.
        index.matrix = unsafe { Matrix::map(file, start, rows, dimensions) }?;
        index.matrix.check_finite("vectors")?;
        index.take_rows(0)?;
        Ok(index)
    }

    fn empty(dimensions: usize, options: VectorIndexOptions) -> Self {
        Self {
            matrix: Matrix::empty(dimensions),
            lengths: Vec::new(),
            greatest_length: 0.0,
            int8: (options.precision == Precision::Int8).then(|| Int8Rows::empty(dimensions)),
            int8_kernels: Int8Kernels::within(options.simd),
            removed: Vec::new(),
            removed_marks: Vec::new(),
            similarity: options.similarity,
            simd: options.simd,
            threads: Threads::new(options.threads),
        }
    }

    /// Adds rows behind the last and returns the ordinal of the first of them. An error leaves the index as it was.
    pub fn add(&mut self, vectors: &[f32]) -> Result<u32, KernelError> {
        self.append("vectors", vectors)
    }

    fn append(&mut self, what: &'static str, vectors: &[f32]) -> Result<u32, KernelError> {
        let first = self.rows();
        self.matrix.append(what, vectors)?;
        let added = length::prepare(what, &mut self.matrix, first, self.similarity, &mut self.lengths)
            .and_then(|()| self.keep_rows(first));
        if let Err(error) = added {
            self.matrix.truncate(first);
            self.lengths.truncate(first);
            return Err(error);
        }
        Ok(first as u32)
    }

    /// Measures the rows of the matrix from `first` on and keeps what belongs to them.
    fn take_rows(&mut self, first: usize) -> Result<(), KernelError> {
        length::measure("vectors", &self.matrix, first, &mut self.lengths)?;
        self.keep_rows(first)
    }

    fn keep_rows(&mut self, first: usize) -> Result<(), KernelError> {
        let rows = self.rows();
        if let Some(int8) = &mut self.int8 {
            int8.resize(rows)?;
            for row in first..rows {
                int8.set(self.simd, row, self.matrix.row(row));
            }
        }
        self.removed_marks.resize(rows.div_ceil(64), 0);
        self.greatest_length = self.lengths[first..]
            .iter()
            .copied()
            .fold(self.greatest_length, f32::max);
        Ok(())
    }

    /// Puts vectors (ordinals × dimensions) in the places of rows, of removed ones too, which come back by it; of an ordinal that
    /// comes twice the last counts. Returns how many came back. An error leaves the index as it was.
    pub fn replace(&mut self, ordinals: &[u32], vectors: &[f32]) -> Result<usize, KernelError> {
        self.check_ordinals("ordinals", ordinals)?;
        let mut matrix = Matrix::empty(self.dimensions());
        matrix.append("vectors", vectors)?;
        if matrix.rows() != ordinals.len() {
            return Err(KernelError::Length {
                what: "vectors",
                expected: ordinals.len() * self.dimensions(),
                actual: vectors.len(),
            });
        }
        let mut lengths = Vec::new();
        length::prepare("vectors", &mut matrix, 0, self.similarity, &mut lengths)?;
        self.matrix.own()?;
        for (at, &ordinal) in ordinals.iter().enumerate() {
            self.set_row(ordinal, matrix.row(at), lengths[at]);
            self.removed_marks[ordinal as usize / 64] &= !(1 << (ordinal % 64));
        }
        let before = self.removed.len();
        let marks = &self.removed_marks;
        self.removed.retain(|&ordinal| is_marked(marks, ordinal));
        Ok(before - self.removed.len())
    }

    /// Empties the places of rows, which are not answered from then on; a removed one may be named again. Returns how many were
    /// there. An error leaves the index as it was.
    pub fn remove(&mut self, ordinals: &[u32]) -> Result<usize, KernelError> {
        self.check_ordinals("ordinals", ordinals)?;
        let zeros = vec![Lanes::ZERO; self.dimensions().div_ceil(crate::LANES)];
        // The removed rows of a mapped file are zeros already.
        if ordinals
            .iter()
            .any(|&ordinal| self.matrix.row(ordinal as usize) != zeros)
        {
            self.matrix.own()?;
        }
        let before = self.removed.len();
        for &ordinal in ordinals {
            if !is_marked(&self.removed_marks, ordinal) {
                self.removed_marks[ordinal as usize / 64] |= 1 << (ordinal % 64);
                self.removed.push(ordinal);
                self.set_row(ordinal, &zeros, 0.0);
            }
        }
        Ok(self.removed.len() - before)
    }

    fn set_row(&mut self, ordinal: u32, numbers: &[Lanes], length: f32) {
        let row = ordinal as usize;
        if self.matrix.row(row) != numbers {
            self.matrix.row_mut(row).copy_from_slice(numbers);
        }
        self.lengths[row] = length;
        self.greatest_length = self.greatest_length.max(length);
        if let Some(int8) = &mut self.int8 {
            int8.set(self.simd, row, numbers);
        }
    }

    fn check_ordinals(&self, what: &'static str, ordinals: &[u32]) -> Result<(), KernelError> {
        let rows = self.rows();
        match ordinals.iter().find(|&&ordinal| ordinal as usize >= rows) {
            Some(&ordinal) => Err(KernelError::UnknownOrdinal { what, ordinal, rows }),
            None => Ok(()),
        }
    }

    /// Number of places: every ordinal is below it.
    pub fn rows(&self) -> usize {
        self.matrix.rows()
    }

    /// Number of rows that can be answered.
    pub fn size(&self) -> usize {
        self.rows() - self.removed.len()
    }

    /// Numbers in a row.
    pub fn dimensions(&self) -> usize {
        self.matrix.dimensions()
    }

    /// The rows as they are searched: divided by their lengths where the similarity is the cosine, zeros where they were removed.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// Copies rows from `first` on without their padding, as many as `target` holds.
    pub fn read_rows(&self, first: usize, target: &mut [f32]) -> Result<(), KernelError> {
        let left = self.rows().saturating_sub(first) * self.dimensions();
        if target.len() > left || !target.len().is_multiple_of(self.dimensions()) {
            return Err(KernelError::Length {
                what: "target",
                expected: left,
                actual: target.len(),
            });
        }
        for (row, target) in target.chunks_exact_mut(self.dimensions()).enumerate() {
            self.matrix.copy_row(first + row, target);
        }
        Ok(())
    }

    /// The ordinals of removed rows, in no order.
    pub fn removed(&self) -> &[u32] {
        &self.removed
    }

    /// The instructions that are used.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Bytes held, apart from what stands in a mapped file.
    pub fn bytes(&self) -> usize {
        self.matrix.bytes()
            + self.int8.as_ref().map_or(0, Int8Rows::bytes)
            + self.lengths.capacity() * size_of::<f32>()
            + self.removed.capacity() * size_of::<u32>()
            + self.removed_marks.capacity() * size_of::<u64>()
    }
}

fn is_marked(marks: &[u64], ordinal: u32) -> bool {
    marks[ordinal as usize / 64] >> (ordinal % 64) & 1 == 1
}
