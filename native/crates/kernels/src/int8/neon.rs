use std::arch::aarch64::{
    int8x16_t, int16x8_t, vaddq_s32, vaddvq_s32, vdupq_n_s32, vget_low_s8, vget_low_s16, vld1q_s8, vld1q_s16,
    vmlal_high_s16, vmlal_s16, vmovl_high_s8, vmovl_s8,
};

use super::plain::scaled;
use super::rows::{Bytes, cut};
use super::{ByteRows, Int8Query};

#[target_feature(enable = "neon")]
pub(super) fn scan(rows: ByteRows<'_>, ordinals: &[u32], query: &Int8Query, products: &mut [f32]) {
    let (groups, rest) = ordinals.as_chunks::<4>();
    let (group_products, rest_products) = products.as_chunks_mut::<4>();
    for (ordinals, products) in groups.iter().zip(group_products) {
        let sums = sums_of_rows(rows.all(ordinals), query);
        for ((product, &ordinal), sum) in products.iter_mut().zip(ordinals).zip(sums) {
            *product = scaled(sum, rows.scales[ordinal as usize], query.scale);
        }
    }
    for (&ordinal, product) in rest.iter().zip(rest_products) {
        let [sum] = sums_of_rows(rows.all(&[ordinal]), query);
        *product = scaled(sum, rows.scales[ordinal as usize], query.scale);
    }
}

/// Bytes become words, of which the products are added to i32: nothing saturates.
#[target_feature(enable = "neon")]
#[inline]
fn sums_of_rows<const ROWS: usize>(rows: [&[Bytes]; ROWS], query: &Int8Query) -> [i32; ROWS] {
    let words = query.words.as_chunks::<2>().0;
    let rows = cut(rows, words.len());
    let mut sums = [[vdupq_n_s32(0); 2]; ROWS];
    for (position, words) in words.iter().enumerate() {
        for quarter in 0..4 {
            let words = &words[quarter / 2].0[quarter % 2 * 16..][..16];
            let (low, high) = (load_words(&words[..8]), load_words(&words[8..]));
            for (sums, row) in sums.iter_mut().zip(rows) {
                let bytes = load_bytes(&row[position].0[quarter * 16..][..16]);
                let (first, second) = (vmovl_s8(vget_low_s8(bytes)), vmovl_high_s8(bytes));
                sums[0] = vmlal_s16(sums[0], vget_low_s16(first), vget_low_s16(low));
                sums[1] = vmlal_high_s16(sums[1], first, low);
                sums[0] = vmlal_s16(sums[0], vget_low_s16(second), vget_low_s16(high));
                sums[1] = vmlal_high_s16(sums[1], second, high);
            }
        }
    }
    let mut totals = [0; ROWS];
    for (total, sums) in totals.iter_mut().zip(sums) {
        *total = vaddvq_s32(vaddq_s32(sums[0], sums[1]));
    }
    totals
}

#[target_feature(enable = "neon")]
#[inline]
fn load_words(words: &[i16]) -> int16x8_t {
    debug_assert_eq!(words.len(), 8);
    // SAFETY: eight words, which need no alignment beyond theirs.
    unsafe { vld1q_s16(words.as_ptr()) }
}

#[target_feature(enable = "neon")]
#[inline]
fn load_bytes(bytes: &[i8]) -> int8x16_t {
    debug_assert_eq!(bytes.len(), 16);
    // SAFETY: sixteen bytes, which need no alignment.
    unsafe { vld1q_s8(bytes.as_ptr()) }
}
