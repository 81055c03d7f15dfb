use std::arch::x86_64::{
    __m512, __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_add_epi32, _mm512_cvtepi32_ps, _mm512_dpbusd_epi32,
    _mm512_load_ps, _mm512_load_si512, _mm512_max_ps, _mm512_mul_ps, _mm512_reduce_add_epi32, _mm512_reduce_max_ps,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_sub_epi32,
};

use super::plain::scaled;
use super::query::Unsigned;
use super::rows::{Bytes, cut};
use super::{ByteRows, Int8Anchors, Int8Query};
use crate::matrix::Lanes;

/// What was added to the upper bytes of a query (shifted by eight) or to an anchor's bytes comes back as this times the sum of
/// the row.
const OFFSET: i32 = 128;

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn scan(rows: ByteRows<'_>, ordinals: &[u32], query: &Int8Query, products: &mut [f32]) {
    let (groups, rest) = ordinals.as_chunks::<8>();
    let (group_products, rest_products) = products.as_chunks_mut::<8>();
    for (ordinals, products) in groups.iter().zip(group_products) {
        scan_group(rows, ordinals, query, products);
    }
    for (&ordinal, product) in rest.iter().zip(rest_products) {
        scan_group(rows, &[ordinal], query, std::array::from_mut(product));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn scan_group<const ROWS: usize>(
    rows: ByteRows<'_>,
    ordinals: &[u32; ROWS],
    query: &Int8Query,
    products: &mut [f32; ROWS],
) {
    let sums = sums_of_rows(rows.all(ordinals), query);
    for ((product, &ordinal), sum) in products.iter_mut().zip(ordinals).zip(sums) {
        // Modulo 2^32; what is left fits, see the query's limit.
        let integer = sum.wrapping_sub((OFFSET << 8).wrapping_mul(rows.sums[ordinal as usize]));
        *product = scaled(integer, rows.scales[ordinal as usize], query.scale);
    }
}

/// Two products for each byte that is read, which costs less than the reading.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn sums_of_rows<const ROWS: usize>(rows: [&[Bytes]; ROWS], query: &Int8Query) -> [i32; ROWS] {
    let rows = cut(rows, query.high.len());
    let mut high = [_mm512_setzero_si512(); ROWS];
    let mut low = [_mm512_setzero_si512(); ROWS];
    for (position, (query_high, query_low)) in query.high.iter().zip(&query.low).enumerate() {
        let (query_high, query_low) = (load_unsigned(query_high), load_unsigned(query_low));
        for ((high, low), row) in high.iter_mut().zip(&mut low).zip(rows) {
            prefetch(row.as_ptr().wrapping_add(position + ROWS * row.len()));
            let bytes = load_bytes(&row[position]);
            *high = _mm512_dpbusd_epi32(*high, query_high, bytes);
            *low = _mm512_dpbusd_epi32(*low, query_low, bytes);
        }
    }
    let mut sums = [0; ROWS];
    for ((sum, high), low) in sums.iter_mut().zip(high).zip(low) {
        *sum = _mm512_reduce_add_epi32(_mm512_add_epi32(_mm512_slli_epi32::<8>(high), low));
    }
    sums
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn scan_maximum(rows: ByteRows<'_>, ordinals: &[u32], anchors: &Int8Anchors, products: &mut [f32]) {
    let (groups, rest) = ordinals.as_chunks::<12>();
    let (group_products, rest_products) = products.as_chunks_mut::<12>();
    for (ordinals, products) in groups.iter().zip(group_products) {
        maximum_of_group(rows, ordinals, anchors, products);
    }
    for (&ordinal, product) in rest.iter().zip(rest_products) {
        maximum_of_group(rows, &[ordinal], anchors, std::array::from_mut(product));
    }
}

/// Sixteen anchors stand in the lanes of a register and four bytes of a row in all of them, so that nothing is added across lanes.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn maximum_of_group<const ROWS: usize>(
    rows: ByteRows<'_>,
    ordinals: &[u32; ROWS],
    anchors: &Int8Anchors,
    products: &mut [f32; ROWS],
) {
    let mut greatest = [_mm512_set1_ps(f32::NEG_INFINITY); ROWS];
    for (groups, scales) in anchors
        .groups
        .chunks_exact(anchors.groups_per_block)
        .zip(&anchors.scales)
    {
        let scales = load(scales);
        let sums = sums_with_block(rows.all(ordinals), groups);
        for ((greatest, &ordinal), sums) in greatest.iter_mut().zip(ordinals).zip(sums) {
            let integers = _mm512_sub_epi32(sums, _mm512_set1_epi32(OFFSET * rows.sums[ordinal as usize]));
            *greatest = _mm512_max_ps(*greatest, _mm512_mul_ps(_mm512_cvtepi32_ps(integers), scales));
        }
    }
    for ((product, greatest), &ordinal) in products.iter_mut().zip(greatest).zip(ordinals) {
        // A scale is not negative, so that the greatest stays the greatest.
        *product = rows.scales[ordinal as usize] * _mm512_reduce_max_ps(greatest);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn sums_with_block<const ROWS: usize>(rows: [&[Bytes]; ROWS], groups: &[Unsigned]) -> [__m512i; ROWS] {
    let mut sums = [_mm512_setzero_si512(); ROWS];
    let lines = groups.chunks(GROUPS_PER_LINE);
    let rows = cut(rows, lines.len());
    for (position, groups) in lines.enumerate() {
        for row in rows {
            prefetch(row.as_ptr().wrapping_add(position + ROWS * row.len()));
        }
        for (at, group) in groups.iter().enumerate() {
            let group = load_unsigned(group);
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum = _mm512_dpbusd_epi32(*sum, group, _mm512_set1_epi32(four_bytes(&row[position], at)));
            }
        }
    }
    sums
}

/// Groups of four bytes in a line of a row.
const GROUPS_PER_LINE: usize = 16;

#[inline]
fn four_bytes(bytes: &Bytes, group: usize) -> i32 {
    let at = 4 * group;
    // In a target feature's function a closure is not always made part of the loop, so no `map`.
    i32::from_le_bytes([
        bytes.0[at].cast_unsigned(),
        bytes.0[at + 1].cast_unsigned(),
        bytes.0[at + 2].cast_unsigned(),
        bytes.0[at + 3].cast_unsigned(),
    ])
}

/// Asks for a line of the rows that come next when all are read in order; rows of a list find a line they do not need.
#[target_feature(enable = "avx512f")]
#[inline]
#[allow(
    unused_unsafe,
    reason = "not every compiler that this builds with knows that it is safe"
)]
fn prefetch(line: *const Bytes) {
    // SAFETY: nothing is read; an address that is not mapped is ignored.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load_bytes(bytes: &Bytes) -> __m512i {
    // SAFETY: `Bytes` is 64 bytes on a 64-byte boundary.
    unsafe { _mm512_load_si512(bytes.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load_unsigned(bytes: &Unsigned) -> __m512i {
    // SAFETY: `Unsigned` is 64 bytes on a 64-byte boundary.
    unsafe { _mm512_load_si512(bytes.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load(lanes: &Lanes) -> __m512 {
    // SAFETY: `Lanes` is 64 bytes on a 64-byte boundary.
    unsafe { _mm512_load_ps(lanes.0.as_ptr()) }
}
