use std::fs::File;

use crate::KernelError;
use crate::memory::{Line, Memory};

/// Numbers in one [`Lanes`]: one AVX-512 register, two AVX2 registers, four NEON registers.
pub const LANES: usize = 16;

/// Sixteen numbers on one cache line: the unit in which rows are stored and read.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f32; LANES]);

impl Lanes {
    /// Sixteen zeros.
    pub const ZERO: Self = Self([0.0; LANES]);
}

// SAFETY: every pattern of bits is sixteen f32, on 64 bytes at a multiple of 64.
unsafe impl Line for Lanes {
    const ZERO: Self = Lanes::ZERO;
}

/// Rows of equal length, each padded with zeros to whole [`Lanes`], so that no kernel needs a tail loop.
#[derive(Debug, Default)]
pub struct Matrix {
    lanes: Memory<Lanes>,
    lanes_per_row: usize,
    dimensions: usize,
    rows: usize,
}

/// The rows of a [`Matrix`], borrowed.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    lanes: &'a [Lanes],
    lanes_per_row: usize,
}

impl<'a> Rows<'a> {
    /// The rows of these ordinals.
    #[inline]
    pub fn all<const ROWS: usize>(self, ordinals: &[u32; ROWS]) -> [&'a [Lanes]; ROWS] {
        let mut rows: [&[Lanes]; ROWS] = [&[]; ROWS];
        for (row, &ordinal) in rows.iter_mut().zip(ordinals) {
            *row = self.row(ordinal as usize);
        }
        rows
    }

    /// One row with its padding.
    #[inline]
    pub fn row(self, row: usize) -> &'a [Lanes] {
        &self.lanes[row * self.lanes_per_row..(row + 1) * self.lanes_per_row]
    }
}

impl Matrix {
    /// No rows yet, of so many numbers each.
    pub fn empty(dimensions: usize) -> Self {
        Self {
            lanes: Memory::default(),
            lanes_per_row: dimensions.div_ceil(LANES),
            dimensions,
            rows: 0,
        }
    }

    /// Takes a copy of `values` (rows × dimensions, row by row), in the memory it has when that is enough; refuses NaN,
    /// infinities and ragged lengths.
    pub fn refill(&mut self, what: &'static str, values: &[f32], dimensions: usize) -> Result<(), KernelError> {
        check_shape(what, values, dimensions)?;
        self.lanes.own()?;
        self.lanes_per_row = dimensions.div_ceil(LANES);
        self.dimensions = dimensions;
        self.truncate(0);
        self.append(what, values)
    }

    /// Adds copies of `values` (rows × dimensions) behind the last row; refuses what [`Self::refill`] refuses, and then stays
    /// as it was.
    pub fn append(&mut self, what: &'static str, values: &[f32]) -> Result<(), KernelError> {
        let (first, added) = (self.rows, check_shape(what, values, self.dimensions)?);
        check_shape_of(what, first + added)?;
        self.lanes.own()?;
        self.lanes.resize((first + added) * self.lanes_per_row)?;
        self.rows = first + added;
        for (row, source) in values.chunks_exact(self.dimensions).enumerate() {
            if let Err(column) = self.set_row(first + row, source) {
                self.truncate(first);
                return Err(KernelError::NotFinite {
                    what,
                    position: row * self.dimensions + column,
                });
            }
        }
        Ok(())
    }

    /// Copies one row; the position of a number that is not finite is the error.
    fn set_row(&mut self, row: usize, source: &[f32]) -> Result<(), usize> {
        if !source.iter().fold(true, |finite, value| finite & value.is_finite()) {
            return Err(source.iter().position(|value| !value.is_finite()).unwrap_or(0));
        }
        for (target, part) in self.row_mut(row).iter_mut().zip(source.chunks(LANES)) {
            target.0[..part.len()].copy_from_slice(part);
            target.0[part.len()..].fill(0.0);
        }
        Ok(())
    }

    /// Reads `rows` rows in place from byte `start` of a file that holds them without padding.
    ///
    /// # Safety
    /// Nobody changes or shortens the file while the matrix lives.
    pub unsafe fn map(file: &File, start: u64, rows: usize, dimensions: usize) -> Result<Self, KernelError> {
        if dimensions == 0 || !dimensions.is_multiple_of(LANES) {
            return Err(KernelError::Unmappable {
                reason: format!("rows of {dimensions} numbers stand in memory with zeros behind them"),
            });
        }
        check_shape_of("rows", rows)?;
        let lanes_per_row = dimensions / LANES;
        Ok(Self {
            // SAFETY: the caller promises that the file stays as it is.
            lanes: unsafe { Memory::map(file, start, rows.saturating_mul(lanes_per_row)) }?,
            lanes_per_row,
            dimensions,
            rows,
        })
    }

    /// Whether every number is finite, and where the first is that is not.
    pub fn check_finite(&self, what: &'static str) -> Result<(), KernelError> {
        for (line, lanes) in self.lanes.iter().enumerate() {
            if !lanes.0.iter().fold(true, |finite, value| finite & value.is_finite()) {
                let lane = lanes.0.iter().position(|value| !value.is_finite()).unwrap_or(0);
                let (row, within) = (line / self.lanes_per_row, line % self.lanes_per_row);
                return Err(KernelError::NotFinite {
                    what,
                    position: row * self.dimensions + within * LANES + lane,
                });
            }
        }
        Ok(())
    }

    /// Whether the rows stand in a file that is mapped.
    pub fn is_mapped(&self) -> bool {
        self.lanes.is_mapped()
    }

    /// Copies rows that stand in a file into memory, so that they can be changed.
    pub fn own(&mut self) -> Result<(), KernelError> {
        self.lanes.own()
    }

    /// Forgets all rows but the first `rows`.
    pub fn truncate(&mut self, rows: usize) {
        self.rows = self.rows.min(rows);
        self.lanes.truncate(self.rows * self.lanes_per_row);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Numbers in a row, without its padding.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// All rows, borrowed.
    #[inline]
    pub fn view(&self) -> Rows<'_> {
        Rows {
            lanes: &self.lanes,
            lanes_per_row: self.lanes_per_row,
        }
    }

    /// One row with its padding.
    #[inline]
    pub fn row(&self, row: usize) -> &[Lanes] {
        self.view().row(row)
    }

    /// One row with its padding, to be changed in place; the padding must stay zero.
    pub fn row_mut(&mut self, row: usize) -> &mut [Lanes] {
        &mut self.lanes[row * self.lanes_per_row..(row + 1) * self.lanes_per_row]
    }

    /// Copies one row without its padding into `target`, which holds `dimensions` numbers.
    pub fn copy_row(&self, row: usize, target: &mut [f32]) {
        for (lanes, part) in self.row(row).iter().zip(target.chunks_mut(LANES)) {
            part.copy_from_slice(&lanes.0[..part.len()]);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.lanes.bytes()
    }
}

/// How many rows `values` are.
fn check_shape(what: &'static str, values: &[f32], dimensions: usize) -> Result<usize, KernelError> {
    if dimensions == 0 || !values.len().is_multiple_of(dimensions) {
        return Err(KernelError::Length {
            what,
            expected: values.len().next_multiple_of(dimensions.max(1)),
            actual: values.len(),
        });
    }
    let rows = values.len() / dimensions;
    check_shape_of(what, rows)?;
    Ok(rows)
}

/// Ordinals are u32.
fn check_shape_of(what: &'static str, rows: usize) -> Result<(), KernelError> {
    if u32::try_from(rows).is_ok() {
        return Ok(());
    }
    Err(KernelError::Length {
        what,
        expected: u32::MAX as usize,
        actual: rows,
    })
}
