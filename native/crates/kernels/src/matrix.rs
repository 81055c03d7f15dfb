use crate::KernelError;

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

/// Rows of equal length, each padded with zeros to whole [`Lanes`], so that no kernel needs a tail loop.
#[derive(Debug, Default)]
pub struct Matrix {
    lanes: Vec<Lanes>,
    lanes_per_row: usize,
    rows: usize,
}

impl Matrix {
    /// Takes a copy of `values` (rows × dimensions, row by row), in the memory it has when that is enough; refuses NaN,
    /// infinities and ragged lengths.
    pub fn refill(&mut self, what: &'static str, values: &[f32], dimensions: usize) -> Result<(), KernelError> {
        self.rows = rows_of(what, values, dimensions)?;
        self.lanes_per_row = dimensions.div_ceil(LANES);
        let count = self.rows * self.lanes_per_row;
        self.lanes.clear();
        self.lanes
            .try_reserve_exact(count)
            .map_err(|_| KernelError::OutOfMemory {
                bytes: count.saturating_mul(size_of::<Lanes>()),
            })?;
        self.lanes.resize(count, Lanes::ZERO);
        self.fill(what, values, dimensions)
    }

    fn fill(&mut self, what: &'static str, values: &[f32], dimensions: usize) -> Result<(), KernelError> {
        for (row, source) in values.chunks_exact(dimensions).enumerate() {
            if !source.iter().fold(true, |finite, value| finite & value.is_finite()) {
                let column = source.iter().position(|value| !value.is_finite()).unwrap_or(0);
                return Err(KernelError::NotFinite {
                    what,
                    position: row * dimensions + column,
                });
            }
            for (target, part) in self.row_mut(row).iter_mut().zip(source.chunks(LANES)) {
                target.0[..part.len()].copy_from_slice(part);
            }
        }
        Ok(())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// One row with its padding.
    #[inline]
    pub fn row(&self, row: usize) -> &[Lanes] {
        &self.lanes[row * self.lanes_per_row..(row + 1) * self.lanes_per_row]
    }

    /// One row with its padding, to be changed in place; the padding must stay zero.
    pub fn row_mut(&mut self, row: usize) -> &mut [Lanes] {
        &mut self.lanes[row * self.lanes_per_row..(row + 1) * self.lanes_per_row]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.lanes.capacity() * size_of::<Lanes>()
    }
}

fn rows_of(what: &'static str, values: &[f32], dimensions: usize) -> Result<usize, KernelError> {
    if dimensions == 0 || !values.len().is_multiple_of(dimensions) {
        return Err(KernelError::Length {
            what,
            expected: values.len().next_multiple_of(dimensions.max(1)),
            actual: values.len(),
        });
    }
    let rows = values.len() / dimensions;
    // Ordinals are u32.
    if u32::try_from(rows).is_err() {
        return Err(KernelError::Length {
            what,
            expected: u32::MAX as usize,
            actual: rows,
        });
    }
    Ok(rows)
}
