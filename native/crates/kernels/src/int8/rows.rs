use super::quantise;
use crate::KernelError;
use crate::matrix::{LANES, Lanes};
use crate::memory::{LINE, Line, Memory};
use crate::simd::Simd;

/// Sixty-four integers on one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Bytes(pub(crate) [i8; LINE]);

// SAFETY: every pattern of bits is 64 i8, on 64 bytes at a multiple of 64.
unsafe impl Line for Bytes {
    const ZERO: Self = Self([0; LINE]);
}

/// The largest integer of a row.
const LIMIT: i32 = 127;

/// What is kept of every row beside its f32 numbers.
#[derive(Debug, Default)]
pub(crate) struct Int8Rows {
    lines: Memory<Bytes>,
    lines_per_row: usize,
    scales: Vec<f32>,
    /// Sums of the rows' integers.
    sums: Vec<i32>,
    /// Upper bounds of the lengths of the residuals.
    residuals: Vec<f32>,
    /// An upper bound of all residuals.
    greatest_residual: f32,
    /// Memory to work in.
    integers: Vec<[i16; LANES]>,
}

/// The integers of all rows, borrowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteRows<'a> {
    lines: &'a [Bytes],
    lines_per_row: usize,
    pub(crate) scales: &'a [f32],
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "only VNNI's offset needs them")
    )]
    pub(crate) sums: &'a [i32],
}

impl<'a> ByteRows<'a> {
    /// The rows of these ordinals.
    #[inline]
    pub(crate) fn all<const ROWS: usize>(self, ordinals: &[u32; ROWS]) -> [&'a [Bytes]; ROWS] {
        let mut rows: [&[Bytes]; ROWS] = [&[]; ROWS];
        for (row, &ordinal) in rows.iter_mut().zip(ordinals) {
            *row = self.row(ordinal as usize);
        }
        rows
    }

    #[inline]
    pub(crate) fn row(self, row: usize) -> &'a [Bytes] {
        &self.lines[row * self.lines_per_row..(row + 1) * self.lines_per_row]
    }
}

impl Int8Rows {
    pub(crate) fn empty(dimensions: usize) -> Self {
        Self {
            lines_per_row: dimensions.div_ceil(LINE),
            ..Self::default()
        }
    }

    /// Makes room for `rows` rows; new ones are to be set before they are read.
    pub(crate) fn resize(&mut self, rows: usize) -> Result<(), KernelError> {
        let added = rows.saturating_sub(self.scales.len());
        let refused = |_| KernelError::OutOfMemory {
            bytes: rows.saturating_mul(3 * size_of::<f32>()),
        };
        self.scales.try_reserve(added).map_err(refused)?;
        self.residuals.try_reserve(added).map_err(refused)?;
        self.sums.try_reserve(added).map_err(refused)?;
        self.lines.resize(rows * self.lines_per_row)?;
        self.scales.resize(rows, 0.0);
        self.residuals.resize(rows, 0.0);
        self.sums.resize(rows, 0);
        Ok(())
    }

    pub(crate) fn set(&mut self, simd: Simd, row: usize, numbers: &[Lanes]) {
        self.integers.resize(numbers.len(), [0; LANES]);
        let (scale, residual) = quantise(simd, numbers, LIMIT, &mut self.integers);
        let lines = &mut self.lines[row * self.lines_per_row..(row + 1) * self.lines_per_row];
        let mut sum = 0;
        for (line, integers) in lines.iter_mut().zip(self.integers.chunks(LINE / LANES)) {
            let integers = integers.as_flattened();
            for (byte, &integer) in line.0.iter_mut().zip(integers) {
                *byte = integer as i8;
                sum += i32::from(integer);
            }
            line.0[integers.len()..].fill(0);
        }
        self.scales[row] = scale;
        self.sums[row] = sum;
        // Half a unit in the last place of f32, or more, above the length: far more than f64's roundings lose.
        self.residuals[row] = (residual as f32).next_up();
        self.greatest_residual = self.greatest_residual.max(self.residuals[row]);
    }

    pub(crate) fn view(&self) -> ByteRows<'_> {
        ByteRows {
            lines: &self.lines,
            lines_per_row: self.lines_per_row,
            scales: &self.scales,
            sums: &self.sums,
        }
    }

    pub(crate) fn residuals(&self) -> &[f32] {
        &self.residuals
    }

    pub(crate) fn greatest_residual(&self) -> f32 {
        self.greatest_residual
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lines.bytes()
            + (self.scales.capacity() + self.residuals.capacity() + self.sums.capacity()) * size_of::<f32>()
    }
}

/// The first `lines` lines of every row, so that a loop over them need not look at the rows' ends.
#[inline]
pub(super) fn cut<const ROWS: usize>(mut rows: [&[Bytes]; ROWS], lines: usize) -> [&[Bytes]; ROWS] {
    for row in &mut rows {
        *row = &row[..lines];
    }
    rows
}
