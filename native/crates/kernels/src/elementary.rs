//! exp and ln with one defining order of arithmetic: the functions of the platforms differ in the last bit, these do not.
//!
//! exp: x = k·ln 2 + r with |r| ≤ ln 2 / 2, e^r = 1 + r + r²·h(r), h of degree 9 (Chebyshev interpolation on the interval;
//! the polynomial is within 2e-17 of e^r), then times 2^k. ln: x = 2^k·m with m in [√½, √2), s = (m − 1)/(m + 1),
//! ln m = 2·s·(1 + s²/3 + s⁴/5 + … + s²⁰/21). No operation is fused. Both are within 2 units in the last place.

/// Below this e^x is taken as 0; every larger one is a normal number.
pub(crate) const SMALLEST_EXPONENT: f64 = -708.0;
/// Above this e^x is taken as infinite.
pub(crate) const LARGEST_EXPONENT: f64 = 709.0;

/// ln 2 in two parts; the first has 21 zeros at its end, so that its product with k is exact.
pub(crate) const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
pub(crate) const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// Adding and taking away 1.5 · 2^52 rounds to the nearest integer, halves to even.
pub(crate) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// h, highest degree first.
#[rustfmt::skip]
pub(crate) const EXP_POLYNOMIAL: [f64; 10] = [
    2.510_038_549_551_032e-8, 2.762_008_844_540_974_6e-7, 2.755_726_845_999_706_4e-6, 2.480_152_129_595_437_6e-5,
    0.000_198_412_698_630_536_18, 0.001_388_888_891_721_371_7, 0.008_333_333_333_330_062, 0.041_666_666_666_624_13,
    0.166_666_666_666_666_69, 0.500_000_000_000_000_1,
];

/// e^x: 0 below −708, infinite above 709, NaN for NaN.
#[inline]
pub fn exp(x: f64) -> f64 {
    // Without a branch, so that the compiler can make loops of it wide.
    let rounded = x * std::f64::consts::LOG2_E + ROUNDER;
    let k = rounded - ROUNDER;
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    let mut h = EXP_POLYNOMIAL[0];
    for coefficient in &EXP_POLYNOMIAL[1..] {
        h = h * r + coefficient;
    }
    // The rounder leaves k in the lowest bits.
    let power = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    let value = (1.0 + (r + (r * r) * h)) * power;
    let value = if x < SMALLEST_EXPONENT { 0.0 } else { value };
    if x > LARGEST_EXPONENT { f64::INFINITY } else { value }
}

/// The natural logarithm of a finite number of 2^-1022 or more; minus infinity for 0.
pub fn ln(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    let bits = x.to_bits();
    let mut k = f64::from((bits >> 52) as i32 - 1023);
    let mut m = f64::from_bits(bits & ((1 << 52) - 1) | (1023 << 52));
    if m >= std::f64::consts::SQRT_2 {
        m *= 0.5;
        k += 1.0;
    }
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut series = 1.0 / 21.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        series = series * square + 1.0 / odd;
    }
    k * LN_2_HIGH + (2.0 * s * series + k * LN_2_LOW)
}

#[cfg(test)]
mod tests {
    use super::{exp, ln};

    #[test]
    fn exp_and_ln_are_within_two_units_in_the_last_place() {
        assert_eq!([exp(0.0), ln(1.0)].map(f64::to_bits), [1.0_f64, 0.0].map(f64::to_bits));
        assert!(exp(f64::NAN).is_nan());
        assert_eq!((exp(-708.1), exp(709.1)), (0.0, f64::INFINITY));
        assert!(ln(0.0) < f64::MIN);
        let mut x: f64 = -708.0;
        while x < 709.0 {
            assert!((exp(x) / x.exp() - 1.0).abs() < 4.5e-16, "e^{x}");
            let y = x.exp();
            assert!(
                (ln(y) - y.ln()).abs() <= 4.5e-16 * y.ln().abs().max(f64::MIN_POSITIVE),
                "ln {y}"
            );
            x += 0.37;
        }
    }
}
