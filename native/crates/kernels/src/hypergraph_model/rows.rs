use crate::KernelError;
use crate::exact_dot::exact_scores;
use crate::matrix::Matrix;
use crate::simd::Simd;

/// Writes W x for every row x of `rows` (N × columns) into `target` (N × weights' rows), where `weights` is row by row over as many columns:
/// what makes match rows of P and pair rows of `M_m`.
pub fn project(
    simd: Simd,
    weights: &[f32],
    rows: &[f32],
    columns: usize,
    target: &mut [f32],
) -> Result<(), KernelError> {
    let mut left = Matrix::default();
    left.refill("weights", weights, columns)?;
    let mut right = Matrix::default();
    right.refill("rows", rows, columns)?;
    let expected = left.rows() * right.rows();
    if target.len() != expected {
        return Err(KernelError::Length {
            what: "target",
            expected,
            actual: target.len(),
        });
    }
    if left.rows() == 0 {
        return Ok(());
    }
    for (at, target) in target.chunks_exact_mut(left.rows()).enumerate() {
        let row = right.row(at);
        for (first, target) in target.chunks_mut(4).enumerate() {
            // The last group may be short: its last row is taken again.
            let four = [0, 1, 2, 3].map(|i| left.row((first * 4 + i).min(left.rows() - 1)));
            target.copy_from_slice(&exact_scores(simd, four, row)[..target.len()]);
        }
    }
    Ok(())
}
