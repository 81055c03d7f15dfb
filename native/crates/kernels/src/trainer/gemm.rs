//! Products of matrices: C = A·B or C += A·B.
//!
//! Every number of C is the sum of its products in ascending order of the inner dimension, each step fused (`a·b + c` rounded once), from
//! what C held or from 0. Blocks, panels, threads and the width of registers change who computes a number and when, never how: all
//! levels give the same bits (a processor without fused multiply-add emulates it, slowly).
//!
//! The scheme is the usual one (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008): both operands are
//! packed into panels that the inner loop reads in order, and a tile of C stays in registers meanwhile.

use super::real::{Real, Wide, at_level};
use crate::simd::{Simd, SimdLevel};
use crate::threads::{SharedSlice, Threads};

/// Numbers of the inner dimension that are done at a time: a panel of B then stays in the first-level cache.
const DEPTH: usize = 256;
/// Tiles of C that one part has, down and across: some 100 × 128 numbers, enough to be worth handing out.
const TILES_DOWN: usize = 8;
const TILES_ACROSS: usize = 4;

/// A matrix that is read row by row, or whose transpose is.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a, R> {
    values: &'a [R],
    rows: usize,
    columns: usize,
    transposed: bool,
}

impl<'a, R: Real> View<'a, R> {
    /// `rows` × `columns` numbers, row by row.
    pub(super) fn new(values: &'a [R], rows: usize, columns: usize) -> Self {
        assert_eq!(values.len(), rows * columns, "a matrix has rows times columns numbers");
        Self {
            values,
            rows,
            columns,
            transposed: false,
        }
    }

    /// The transpose.
    pub(super) fn transpose(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            transposed: !self.transposed,
            ..self
        }
    }
}

/// What C held before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Into {
    /// Is forgotten.
    Set,
    /// Is added to.
    Add,
}

/// Memory for packed operands.
#[derive(Debug, Default)]
pub(super) struct Packing<R> {
    left: Vec<R>,
    right: Vec<R>,
}

impl<R> Packing<R> {
    pub(super) fn bytes(&self) -> usize {
        (self.left.capacity() + self.right.capacity()) * size_of::<R>()
    }
}

/// Who computes, and at which level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Engine<'a> {
    pub(super) simd: Simd,
    pub(super) threads: &'a Threads,
}

/// C = A·B or C += A·B.
pub(super) fn multiply<R: Real>(
    engine: Engine<'_>,
    packing: &mut Packing<R>,
    left: View<'_, R>,
    right: View<'_, R>,
    into: Into,
    product: &mut [R],
) {
    assert_eq!(left.columns, right.rows, "the inner dimensions agree");
    assert_eq!(product.len(), left.rows * right.columns, "the product has its shape");
    if engine.simd.level() == SimdLevel::Avx512 {
        // 24 of 32 registers hold sums, two a row of B.
        tiled::<R, 12, 32>(engine, packing, left, right, into, product);
    } else {
        // 12 of 16 registers.
        tiled::<R, 6, 16>(engine, packing, left, right, into, product);
    }
}

fn tiled<R: Real, const DOWN: usize, const ACROSS: usize>(
    engine: Engine<'_>,
    packing: &mut Packing<R>,
    left: View<'_, R>,
    right: View<'_, R>,
    into: Into,
    product: &mut [R],
) {
    let inner = left.columns;
    pack::<R, DOWN>(engine, left.transpose(), &mut packing.left);
    pack::<R, ACROSS>(engine, right, &mut packing.right);
    let (left_panels, right_panels) = (left.rows.div_ceil(DOWN), right.columns.div_ceil(ACROSS));
    let across = right_panels.div_ceil(TILES_ACROSS);
    let parts = left_panels.div_ceil(TILES_DOWN) * across;
    let shape = Shape {
        rows: left.rows,
        columns: right.columns,
        inner,
    };
    let product = Target {
        start: product.as_mut_ptr(),
        length: product.len(),
    };
    let packed = (&packing.left[..], &packing.right[..]);
    engine.threads.run(parts, &|part| {
        let (down, right) = (part / across * TILES_DOWN, part % across * TILES_ACROSS);
        let tiles = Tiles::<R, DOWN, ACROSS> {
            packed,
            shape,
            down: down..(down + TILES_DOWN).min(left_panels),
            across: right..(right + TILES_ACROSS).min(right_panels),
            into,
            product,
        };
        at_level(engine.simd, tiles);
    });
}

/// Lays a matrix out in panels of `WIDTH` columns, row after row, with zeros behind the last column.
fn pack<R: Real, const WIDTH: usize>(engine: Engine<'_>, matrix: View<'_, R>, packed: &mut Vec<R>) {
    let panels = matrix.columns.div_ceil(WIDTH);
    let panel = matrix.rows * WIDTH;
    packed.resize(panels * panel, R::ZERO);
    let target = SharedSlice::new(packed);
    engine.threads.run(panels, &|number| {
        // SAFETY: panels do not overlap, and each number is handed out once.
        let lines = unsafe { target.part(number * panel..(number + 1) * panel) };
        let first = number * WIDTH;
        let width = WIDTH.min(matrix.columns - first);
        if width < WIDTH {
            lines.fill(R::ZERO);
        }
        if matrix.transposed {
            // A column of the matrix is a row in memory.
            for (column, values) in matrix.values[first * matrix.rows..]
                .chunks_exact(matrix.rows.max(1))
                .take(width)
                .enumerate()
            {
                for (line, &value) in lines.chunks_exact_mut(WIDTH).zip(values) {
                    line[column] = value;
                }
            }
        } else {
            for (line, values) in lines
                .chunks_exact_mut(WIDTH)
                .zip(matrix.values.chunks_exact(matrix.columns.max(1)))
            {
                line[..width].copy_from_slice(&values[first..first + width]);
            }
        }
    });
}

#[derive(Clone, Copy)]
struct Shape {
    rows: usize,
    columns: usize,
    inner: usize,
}

/// C, of which parts that do not overlap are filled by several threads; they are not slices, but pieces of rows.
#[derive(Clone, Copy)]
struct Target<R> {
    start: *mut R,
    length: usize,
}

// SAFETY: it stands for an exclusive borrow, of which every thread touches other numbers; see `piece`.
unsafe impl<R: Send> Send for Target<R> {}
// SAFETY: as above.
unsafe impl<R: Send> Sync for Target<R> {}

impl<R> Target<R> {
    /// # Safety
    /// No two pieces that are in use at a time overlap, and the borrow that this stands for lasts.
    unsafe fn piece<'a>(self, first: usize, count: usize) -> &'a mut [R] {
        assert!(first + count <= self.length);
        // SAFETY: the piece is within the slice.
        let start = unsafe { self.start.add(first) };
        // SAFETY: as above, and the caller promises that nobody else has this piece.
        unsafe { std::slice::from_raw_parts_mut(start, count) }
    }
}

struct Tiles<'a, R, const DOWN: usize, const ACROSS: usize> {
    packed: (&'a [R], &'a [R]),
    shape: Shape,
    down: std::ops::Range<usize>,
    across: std::ops::Range<usize>,
    into: Into,
    product: Target<R>,
}

impl<R: Real, const DOWN: usize, const ACROSS: usize> Wide for Tiles<'_, R, DOWN, ACROSS> {
    #[inline(always)]
    fn run(self) {
        let Shape { rows, columns, inner } = self.shape;
        let (left, right) = self.packed;
        let mut depth = 0;
        while depth < inner.max(1) {
            let count = DEPTH.min(inner - depth);
            let fresh = depth == 0 && self.into == Into::Set;
            for panel in self.across.clone() {
                let b = &right[(panel * inner + depth) * ACROSS..][..count * ACROSS];
                let first = panel * ACROSS;
                let width = ACROSS.min(columns - first);
                for tile in self.down.clone() {
                    let a = &left[(tile * inner + depth) * DOWN..][..count * DOWN];
                    let top = tile * DOWN;
                    let height = DOWN.min(rows - top);
                    let mut sums = [[R::ZERO; ACROSS]; DOWN];
                    if !fresh {
                        for (row, sums) in sums.iter_mut().enumerate().take(height) {
                            // SAFETY: this part alone has these tiles, and this borrow ends before the next.
                            let piece = unsafe { self.product.piece((top + row) * columns + first, width) };
                            sums[..width].copy_from_slice(piece);
                        }
                    }
                    add_products(a, b, &mut sums);
                    for (row, sums) in sums.iter().enumerate().take(height) {
                        // SAFETY: as above.
                        let piece = unsafe { self.product.piece((top + row) * columns + first, width) };
                        piece.copy_from_slice(&sums[..width]);
                    }
                }
            }
            depth += DEPTH;
        }
    }
}

/// The inner loop: a tile of sums stays in registers.
#[inline(always)]
fn add_products<R: Real, const DOWN: usize, const ACROSS: usize>(a: &[R], b: &[R], sums: &mut [[R; ACROSS]; DOWN]) {
    let mut kept = *sums;
    let (a, _) = a.as_chunks::<DOWN>();
    let (b, _) = b.as_chunks::<ACROSS>();
    for (a, b) in a.iter().zip(b) {
        for (&factor, kept) in a.iter().zip(&mut kept) {
            for (&value, sum) in b.iter().zip(kept) {
                *sum = factor.fused(value, *sum);
            }
        }
    }
    *sums = kept;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Engine, Into, Packing, View, multiply};
    use crate::simd::Simd;
    use crate::threads::Threads;

    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        (0..count as u64)
            .map(|i| {
                (((i + 1).wrapping_mul(seed | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f32) / 8_388_608.0 - 1.0
            })
            .collect()
    }

    /// The definition.
    fn plainly(left: &[f32], right: &[f32], [rows, inner, columns]: [usize; 3], product: &mut [f32]) {
        for row in 0..rows {
            for column in 0..columns {
                for k in 0..inner {
                    let sum = &mut product[row * columns + column];
                    *sum = left[row * inner + k].mul_add(right[k * columns + column], *sum);
                }
            }
        }
    }

    fn transposed(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
        (0..columns)
            .flat_map(|column| (0..rows).map(move |row| values[row * columns + column]))
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn every_level_and_any_number_of_threads_give_the_bits_of_the_definition(
            rows in 1_usize..70, inner in 0_usize..600, columns in 1_usize..90, seed: u64, add: bool, flip: [bool; 2], threads in 1_usize..4,
        ) {
            let (left, right) = (numbers(rows * inner, seed), numbers(inner * columns, seed ^ 0xABCD));
            let before = numbers(rows * columns, seed ^ 0x1234);
            let mut expected = if add { before.clone() } else { vec![0.0; rows * columns] };
            plainly(&left, &right, [rows, inner, columns], &mut expected);
            let (left_flipped, right_flipped) = (transposed(&left, rows, inner), transposed(&right, inner, columns));
            let a = if flip[0] { View::new(&left_flipped, inner, rows).transpose() } else { View::new(&left, rows, inner) };
            let b = if flip[1] { View::new(&right_flipped, columns, inner).transpose() } else { View::new(&right, inner, columns) };
            let threads = Threads::new(threads);
            for simd in Simd::supported() {
                let mut product = before.clone();
                let into = if add { Into::Add } else { Into::Set };
                multiply(Engine { simd, threads: &threads }, &mut Packing::default(), a, b, into, &mut product);
                for (position, (got, wanted)) in product.iter().zip(&expected).enumerate() {
                    prop_assert_eq!(got.to_bits(), wanted.to_bits(), "{:?} at {}", simd, position);
                }
            }
        }
    }
}
