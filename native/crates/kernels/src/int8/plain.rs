use super::{ByteRows, Int8Query};
use crate::memory::LINE;

pub(super) fn scan(rows: ByteRows<'_>, ordinals: &[u32], query: &Int8Query, products: &mut [f32]) {
    for (&ordinal, product) in ordinals.iter().zip(products) {
        let mut sums = [0_i32; LINE / 2];
        for (bytes, words) in rows.row(ordinal as usize).iter().zip(query.words.as_chunks::<2>().0) {
            for (half, words) in bytes.0.as_chunks::<{ LINE / 2 }>().0.iter().zip(words) {
                for ((sum, &byte), &word) in sums.iter_mut().zip(half).zip(&words.0) {
                    *sum += i32::from(byte) * i32::from(word);
                }
            }
        }
        *product = scaled(sums.iter().sum(), rows.scales[ordinal as usize], query.scale);
    }
}

/// In this order nothing overflows, and only the last product can be too small.
#[inline]
pub(super) fn scaled(integer: i32, row_scale: f32, query_scale: f32) -> f32 {
    row_scale * integer as f32 * query_scale
}
