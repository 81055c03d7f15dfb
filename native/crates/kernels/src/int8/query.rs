use super::{QueryError, quantise};
use crate::matrix::{LANES, Lanes};
use crate::memory::LINE;
use crate::simd::Simd;

/// The largest integers of a query that is multiplied alone: as many bits as two bytes and the i32 of the sum leave
/// (|q·P| ≤ 127 · P · dimensions < 2^31), so that its residual is far below the rows'.
fn limit(dimensions: usize) -> i32 {
    const TWO_BYTES: i32 = 127 * 256;
    let dimensions = i32::try_from(dimensions).unwrap_or(i32::MAX).max(1);
    TWO_BYTES.min(i32::MAX / 127 / dimensions)
}

/// The largest integers of anchors: one byte, since their products cost more than the rows' memory does.
const ANCHOR_LIMIT: i32 = 127;

/// Thirty-two integers on one cache line, for 32 of a row.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Words(pub(crate) [i16; LINE / 2]);

/// Sixty-four bytes without a sign, for 64 of a row.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Unsigned(pub(crate) [u8; LINE]);

/// VNNI multiplies bytes without a sign by bytes with one: what is added to make them so.
const OFFSET: i16 = 128;

/// Of an integer of 0 to 255.
fn unsigned(integer: i16) -> u8 {
    integer.cast_unsigned() as u8
}

/// A query as integers, in the two forms that kernels read.
#[derive(Debug, Default)]
pub(crate) struct Int8Query {
    pub(crate) scale: f32,
    /// The integers P.
    pub(crate) words: Vec<Words>,
    /// Where P = 256·h + l: h + 128.
    pub(crate) high: Vec<Unsigned>,
    /// And l.
    pub(crate) low: Vec<Unsigned>,
    error: QueryError,
    integers: Vec<[i16; LANES]>,
}

impl Int8Query {
    /// Takes a query of upper-bound length `length`.
    pub(crate) fn refill(&mut self, simd: Simd, numbers: &[Lanes], length: f32) {
        let lines = numbers.len().div_ceil(LINE / LANES);
        self.integers.clear();
        self.integers.resize(lines * (LINE / LANES), [0; LANES]);
        let (scale, residual) = quantise(
            simd,
            numbers,
            limit(numbers.len() * LANES),
            &mut self.integers[..numbers.len()],
        );
        self.scale = scale;
        self.error = QueryError::new(f64::from(length), residual);
        self.words.clear();
        self.high.clear();
        self.low.clear();
        let (lines, _) = self.integers.as_flattened().as_chunks::<LINE>();
        for integers in lines {
            let (words, _) = integers.as_chunks::<{ LINE / 2 }>();
            self.words.extend(words.iter().map(|&words| Words(words)));
            self.high
                .push(Unsigned(integers.map(|integer| unsigned((integer >> 8) + OFFSET))));
            self.low.push(Unsigned(integers.map(|integer| unsigned(integer & 255))));
        }
    }

    pub(crate) fn error(&self) -> QueryError {
        self.error
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.words.capacity() + self.high.capacity() + self.low.capacity()) * LINE
            + self.integers.capacity() * size_of::<[i16; LANES]>()
    }
}

/// Several queries side by side, sixteen to a block: for every four dimensions four bytes of each.
#[derive(Debug, Default)]
pub(crate) struct Int8Anchors {
    /// Blocks × four-dimension groups, one line each; bytes are integers + 128.
    pub(crate) groups: Vec<Unsigned>,
    pub(crate) groups_per_block: usize,
    /// Scales of each block's anchors.
    pub(crate) scales: Vec<Lanes>,
    error: QueryError,
    integers: Vec<[i16; LANES]>,
}

impl Int8Anchors {
    /// Takes anchors (one or more) with upper bounds of their lengths. A block that is not full repeats the last anchor.
    pub(crate) fn refill<'a>(&mut self, simd: Simd, anchor: impl Fn(usize) -> &'a [Lanes], lengths: &[f32]) {
        let lanes = anchor(0).len();
        self.groups_per_block = lanes * LANES / 4;
        let blocks = lengths.len().div_ceil(LANES);
        self.groups.clear();
        self.groups.resize(blocks * self.groups_per_block, Unsigned([0; LINE]));
        self.scales.clear();
        self.scales.resize(blocks, Lanes::ZERO);
        self.integers.resize(lanes, [0; LANES]);
        self.error = QueryError::default();
        for at in 0..blocks * LANES {
            let (from, block, lane) = (at.min(lengths.len() - 1), at / LANES, at % LANES);
            let (scale, residual) = quantise(simd, anchor(from), ANCHOR_LIMIT, &mut self.integers);
            self.scales[block].0[lane] = scale;
            self.error = self.error.worse(QueryError::new(f64::from(lengths[from]), residual));
            let (fours, _) = self.integers.as_flattened().as_chunks::<4>();
            let groups = &mut self.groups[block * self.groups_per_block..][..self.groups_per_block];
            for (group, four) in groups.iter_mut().zip(fours) {
                group.0[4 * lane..4 * lane + 4].copy_from_slice(&four.map(|integer| unsigned(integer + OFFSET)));
            }
        }
    }

    pub(crate) fn error(&self) -> QueryError {
        self.error
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.groups.capacity() + self.scales.capacity()) * LINE + self.integers.capacity() * size_of::<[i16; LANES]>()
    }
}
