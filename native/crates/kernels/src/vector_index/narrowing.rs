//! From products that are nearly right to the rows that can be among the best.

use crate::pool::Pool;
use crate::top_k::TopK;

/// What rounding to f32 moves a number by, relative to it: at most half of this on either side.
const ROUNDING: f64 = 1.0 / (1 << 23) as f64;
/// The smallest positive f32, 2^-149: more than one underflow can lose.
pub(super) const SMALLEST: f64 = f32::from_bits(1) as f64;
/// Products that are compared with a limit at once.
const CHUNK: usize = 16;

/// How far a row's product can be from its true one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound<'a> {
    /// Upper bounds of the rows' lengths.
    pub(super) lengths: &'a [f32],
    pub(super) greatest_length: f32,
    pub(super) per_length: f64,
    /// Upper bounds of the lengths of the rows' residuals; empty where there are none.
    pub(super) residuals: &'a [f32],
    pub(super) greatest_residual: f32,
    pub(super) per_residual: f64,
    pub(super) constant: f64,
}

impl Bound<'_> {
    fn of(&self, ordinal: u32) -> f64 {
        let residual = self
            .residuals
            .get(ordinal as usize)
            .map_or(0.0, |&residual| f64::from(residual));
        self.per_length * f64::from(self.lengths[ordinal as usize]) + self.per_residual * residual + self.constant
    }

    fn greatest(&self) -> f64 {
        self.per_length * f64::from(self.greatest_length)
            + self.per_residual * f64::from(self.greatest_residual)
            + self.constant
    }

    /// Takes the rows into `top` whose scores are certainly highest.
    pub(super) fn take_certain(&self, pool: Pool<'_>, products: &[f32], top: &mut TopK) {
        let mut limit = f32::NEG_INFINITY;
        for (chunk, products) in products.chunks(CHUNK).enumerate() {
            // The bound is not read for the many rows that are out anyway.
            if !any(products, |product| product > limit) {
                continue;
            }
            for (at, &product) in products.iter().enumerate() {
                if product > limit {
                    let ordinal = pool.ordinal(chunk * CHUNK + at);
                    top.offer(f64::from(product) - self.of(ordinal), ordinal);
                    limit = below(top.threshold());
                }
            }
        }
    }

    /// The least score that a row of the list certainly reaches, where every row of the list does.
    pub(super) fn reached(&self, ordinals: &[u32], products: &[f32]) -> f64 {
        let certain = ordinals
            .iter()
            .zip(products)
            .map(|(&ordinal, &product)| f64::from(product) - self.of(ordinal));
        certain.fold(f64::INFINITY, f64::min)
    }

    /// Writes into `ordinals` the rows that can reach `reached` once scores are rounded.
    pub(super) fn keep_possible(&self, pool: Pool<'_>, products: &[f32], reached: f64, ordinals: &mut Vec<u32>) {
        let needed = reached - reached.abs() * ROUNDING - SMALLEST;
        let limit = below(needed - self.greatest());
        ordinals.clear();
        for (chunk, products) in products.chunks(CHUNK).enumerate() {
            if !any(products, |product| product >= limit) {
                continue;
            }
            for (at, &product) in products.iter().enumerate() {
                if product >= limit {
                    let ordinal = pool.ordinal(chunk * CHUNK + at);
                    if f64::from(product) + self.of(ordinal) >= needed {
                        ordinals.push(ordinal);
                    }
                }
            }
        }
    }
}

/// Whether one of a few numbers passes; all are looked at, several by one instruction.
#[allow(
    clippy::needless_bitwise_bool,
    reason = "to stop at the first would take a jump for each"
)]
fn any(products: &[f32], passes: impl Fn(f32) -> bool) -> bool {
    products.iter().fold(false, |any, &product| any | passes(product))
}

/// An f32 below a number, or −∞ (which is above no product).
fn below(number: f64) -> f32 {
    (number as f32).next_down()
}
