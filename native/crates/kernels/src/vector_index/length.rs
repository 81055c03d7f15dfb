use super::Similarity;
use crate::KernelError;
use crate::exact_dot::exact_dot;
use crate::matrix::{Lanes, Matrix};

/// Length up to which no score and no partial sum can overflow: 2^62 · 2^62 is far below the largest f32, 2^128.
const LONGEST: f64 = (1_u64 << 62) as f64;

/// Divides the vectors from `first` on by their lengths where the similarity asks for it, and adds upper bounds of the lengths that
/// are left to `lengths`.
pub(super) fn prepare(
    what: &'static str,
    vectors: &mut Matrix,
    first: usize,
    similarity: Similarity,
    lengths: &mut Vec<f32>,
) -> Result<(), KernelError> {
    if similarity == Similarity::Cosine {
        for row in first..vectors.rows() {
            normalise(vectors.row_mut(row));
        }
    }
    measure(what, vectors, first, lengths)
}

/// Adds upper bounds of the lengths of the vectors from `first` on to `lengths`.
pub(super) fn measure(
    what: &'static str,
    vectors: &Matrix,
    first: usize,
    lengths: &mut Vec<f32>,
) -> Result<(), KernelError> {
    let added = vectors.rows() - first;
    lengths.try_reserve(added).map_err(|_| KernelError::OutOfMemory {
        bytes: added * size_of::<f32>(),
    })?;
    for row in first..vectors.rows() {
        let length = length_of(vectors, row);
        if length > LONGEST {
            return Err(KernelError::TooLong { what, row: row - first });
        }
        // Half a unit in the last place of f32, or more, above the length: far more than f64's roundings lose.
        lengths.push((length as f32).next_up());
    }
    Ok(())
}

/// Refuses vectors so long that a score could overflow; `before` vectors of the same name stand in front of them.
pub(crate) fn check_lengths(what: &'static str, vectors: &Matrix, before: usize) -> Result<(), KernelError> {
    match (0..vectors.rows()).find(|&row| length_of(vectors, row) > LONGEST) {
        None => Ok(()),
        Some(row) => Err(KernelError::TooLong {
            what,
            row: before + row,
        }),
    }
}

fn length_of(vectors: &Matrix, row: usize) -> f64 {
    exact_dot(vectors.row(row), vectors.row(row)).sqrt()
}

/// The quotient is taken in f64 and rounded once, so that it is the same everywhere.
fn normalise(row: &mut [Lanes]) {
    let length = exact_dot(row, row).sqrt();
    if length == 0.0 {
        return;
    }
    for number in row.iter_mut().flat_map(|lanes| &mut lanes.0) {
        *number = (f64::from(*number) / length) as f32;
    }
}
