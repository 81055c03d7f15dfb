//! e^u for the weights of a distribution: quicker than [`crate::exp`] and as good as the sums they go into.
//!
//! u = k · ln 2 / 16 + r with |r| ≤ ln 2 / 32, e^u = 2^(k / 16) · (1 + r·(1 + r·(c₂ + r·(c₃ + r·(c₄ + r·c₅))))), where 2^(k / 16) is the double nearest to
//! 2^(j / 16), j = k mod 16, times a power of two. The polynomial (Chebyshev interpolation) is within 1.9e-14 of e^r; the rounding of
//! k · ln 2 / 16 adds 2.2e-16·|u|. No operation is fused.

#![allow(
    clippy::inline_always,
    reason = "an instruction set reaches these loops only when they are inlined into its functions"
)]

use super::eight::Eight;
use crate::elementary::ROUNDER;

/// Below this a weight is 0: of all sets that are looked at not even all together reach the last bit of the largest weight, 1.
pub(super) const SMALLEST: f64 = -700.0;

const SIXTEENTHS: f64 = 23.083_120_654_223_414;
const LN_2_SIXTEENTH: f64 = 0.043_321_698_784_996_58;
/// c₅, c₄, c₃, c₂.
const POLYNOMIAL: [f64; 4] = [
    0.008_333_426_427_593_6,
    0.041_667_318_327_550_18,
    0.166_666_666_661_206_77,
    0.499_999_999_961_780_7,
];

/// e^u for u up to 1 or so; 0 below −700 and for minus infinity.
#[inline(always)]
pub(super) fn weight<V: Eight>(u: V) -> V {
    let rounder = V::splat(ROUNDER);
    let shifted = u.times(V::splat(SIXTEENTHS)).plus(rounder);
    let r = u.minus(shifted.minus(rounder).times(V::splat(LN_2_SIXTEENTH)));
    let one = V::splat(1.0);
    let [c5, c4, c3, c2] = POLYNOMIAL;
    let p = V::splat(c5).times(r).plus(V::splat(c4)).times(r).plus(V::splat(c3));
    let p = p.times(r).plus(V::splat(c2));
    let p = p.times(r).plus(one).times(r).plus(one);
    p.times(shifted.power()).only(u.is_at_least(V::splat(SMALLEST)))
}
