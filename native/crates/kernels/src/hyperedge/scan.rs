//! The innermost loops: the most of what the blocks of a group say.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

use super::eight::{Block, Eight};
use super::tables::blocks_among;
use super::walk::Group;

/// Rows with at most this many candidates behind them are written out one by one: their loops would be too short to pay.
pub(super) const LONGEST_WRITTEN_OUT: usize = 17;
/// How many rows these are: the shortest has two candidates behind it.
const WRITTEN_OUT: usize = LONGEST_WRITTEN_OUT - 1;
/// Numbers before the first base, so that there are always as many as rows are written out.
pub(super) const BASES_BEFORE: usize = WRITTEN_OUT;
/// Blocks of the rows that are written out.
pub(super) const BLOCKS_WRITTEN_OUT: usize = blocks_up_to(LONGEST_WRITTEN_OUT);

/// Blocks of the longest of them.
pub(super) const BLOCKS_NEAR: usize = blocks_among(LONGEST_WRITTEN_OUT);

/// Blocks of the rows with 2 to `rest` candidates behind them.
const fn blocks_up_to(rest: usize) -> usize {
    let mut blocks = 0;
    let mut i = 2;
    while i <= rest {
        blocks += blocks_among(i);
        i += 1;
    }
    blocks
}

/// Says of each block how promising it is.
pub(super) trait Scan<V: Eight> {
    /// What the blocks of a row have in common.
    type Row<'a>: Copy;

    fn row<'a>(&self, group: &Group<'a>, a: usize, base: f64) -> Self::Row<'a>;
    /// From `X + R` of the block at a place.
    fn block(&self, row: &Self::Row<'_>, x: V, place: usize) -> V;
    /// From the most of a row.
    fn close(&self, row: &Self::Row<'_>, most: V) -> V;
}

/// The most that any lane of the group says. The first group of a size is one of hundreds, not worth more code.
#[inline(always)]
pub(super) fn scan<V: Eight, S: Scan<V>, const FIRST: bool>(group: &Group, scan: &S) -> V {
    let mut most = V::splat(f64::NEG_INFINITY);
    if FIRST {
        for a in group.from..group.to {
            most = most.larger(scan_row(group, a, scan));
        }
        return most;
    }
    for a in group.from..group.to.saturating_sub(WRITTEN_OUT) {
        most = most.larger(scan_row(group, a, scan));
    }
    let ends = Ends::of(group);
    let rest = group.to + 1 - group.from;
    macro_rules! write_out {
        ($($rest:literal)*) => { $(
            if rest >= $rest {
                most = most.larger(scan_written_out::<V, S, $rest>(group, &ends, scan));
            }
        )* };
    }
    write_out!(17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2);
    most
}

#[inline(always)]
fn scan_row<V: Eight, S: Scan<V>>(group: &Group, a: usize, scan: &S) -> V {
    let none = V::splat(f64::NEG_INFINITY);
    let row = group.row(a);
    let state = scan.row(group, a, row.base);
    let mut most = [none; 2];
    let (x2, x1) = row.xs.as_chunks::<2>();
    let (r2, r1) = row.row.as_chunks::<2>();
    let mut place = 0;
    for (x, r) in x2.iter().zip(r2) {
        for i in 0..2 {
            let x = V::load(&x[i]).plus(V::load(&r[i]));
            most[i] = most[i].larger(scan.block(&state, x, place + i));
        }
        place += 2;
    }
    if let ([x], [r]) = (x1, r1) {
        most[0] = most[0].larger(scan.block(&state, V::load(x).plus(V::load(r)), place));
    }
    scan.close(&state, most[0].larger(most[1]))
}

/// The last rows and bases, and the first X.
struct Ends<'a> {
    rows: &'a [Block; BLOCKS_WRITTEN_OUT],
    bases: &'a [f64; WRITTEN_OUT],
    xs: &'a [Block; BLOCKS_NEAR],
}

impl<'a> Ends<'a> {
    #[inline(always)]
    fn of(group: &Group<'a>) -> Self {
        Self {
            rows: group.tables.rows[..group.tables.rows_end()].last_chunk().unwrap(),
            bases: group.bases()[group.to..].first_chunk().unwrap(),
            xs: group.xs().first_chunk().unwrap(),
        }
    }
}

/// The row with `REST` candidates behind it.
#[inline(always)]
fn scan_written_out<V: Eight, S: Scan<V>, const REST: usize>(group: &Group, ends: &Ends, scan: &S) -> V {
    let start = const { BLOCKS_WRITTEN_OUT - blocks_up_to(REST) };
    let state = scan.row(group, group.to + 1 - REST, ends.bases[const { WRITTEN_OUT + 1 - REST }]);
    let mut most = look(ends, start, 0, scan, &state);
    let mut i = 1;
    while i < const { blocks_among(REST) } {
        most = most.larger(look(ends, start, i, scan, &state));
        i += 1;
    }
    scan.close(&state, most)
}

// Not a closure: the compiler would not inline it into the function that has the instruction set.
#[inline(always)]
fn look<V: Eight, S: Scan<V>>(ends: &Ends, start: usize, i: usize, scan: &S, state: &S::Row<'_>) -> V {
    scan.block(state, V::load(&ends.xs[i]).plus(V::load(&ends.rows[start + i])), i)
}
