use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
    _mm256_setzero_si256,
};

use super::plain::scaled;
use super::rows::{Bytes, cut};
use super::{ByteRows, Int8Query};

#[target_feature(enable = "avx2")]
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

/// Bytes become words, of which pairs of products are added to i32: nothing saturates.
#[target_feature(enable = "avx2")]
#[inline]
fn sums_of_rows<const ROWS: usize>(rows: [&[Bytes]; ROWS], query: &Int8Query) -> [i32; ROWS] {
    let words = query.words.as_chunks::<2>().0;
    let rows = cut(rows, words.len());
    let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
    for (position, words) in words.iter().enumerate() {
        for quarter in 0..4 {
            let words = load_words(&words[quarter / 2].0[quarter % 2 * 16..][..16]);
            for (sums, row) in sums.iter_mut().zip(rows) {
                let bytes = load_bytes(&row[position].0[quarter * 16..][..16]);
                sums[quarter % 2] = _mm256_add_epi32(sums[quarter % 2], _mm256_madd_epi16(bytes, words));
            }
        }
    }
    let mut totals = [0; ROWS];
    for (total, sums) in totals.iter_mut().zip(sums) {
        *total = sum_of_lanes(_mm256_add_epi32(sums[0], sums[1]));
    }
    totals
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_words(words: &[i16]) -> __m256i {
    debug_assert_eq!(words.len(), 16);
    // SAFETY: sixteen words on a 32-byte boundary: half of `Words`.
    unsafe { _mm256_load_si256(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_bytes(bytes: &[i8]) -> __m256i {
    debug_assert_eq!(bytes.len(), 16);
    // SAFETY: sixteen bytes on a 16-byte boundary: a quarter of `Bytes`.
    _mm256_cvtepi8_epi16(unsafe { _mm_load_si128(bytes.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
#[inline]
fn sum_of_lanes(sums: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}
