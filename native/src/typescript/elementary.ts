/**
 * exp and ln with one defining order of arithmetic: the functions of the engines differ in the last bit, these do not.
 *
 * exp: x = k·ln 2 + r with |r| ≤ ln 2 / 2, e^r = 1 + r + r²·h(r), h of degree 9 (Chebyshev interpolation on the interval;
 * the polynomial is within 2e-17 of e^r), then times 2^k. ln: x = 2^k·m with m in [√½, √2), s = (m − 1)/(m + 1),
 * ln m = 2·s·(1 + s²/3 + s⁴/5 + … + s²⁰/21). Both are within 2 units in the last place.
 */

/** Below this e^x is taken as 0; every larger one is a normal number. */
const smallestExponent = -708;
/** Above this e^x is taken as infinite. */
const largestExponent = 709;

/** ln 2 in two parts; the first has 21 zeros at its end, so that its product with k is exact. */
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;
/** Adding and taking away 1.5 · 2^52 rounds to the nearest integer, halves to even. */
export const rounder = 6_755_399_441_055_744;

const lowestPower = -1022;
/** 2^k for k from −1022 to 1023; doubling is exact, `Math.pow` need not be. */
const powersOfTwo: Float64Array = doubled();

/** 2^k for an integer k from −1022 to 1023. */
export function powerOfTwo(k: number): number {
  return powersOfTwo[k - lowestPower] ?? Number.NaN;
}

/** e^x: 0 below −708, infinite above 709, NaN for NaN. */
export function exp(x: number): number {
  if (x < smallestExponent) return 0;
  if (x > largestExponent) return Number.POSITIVE_INFINITY;
  const k = x * Math.LOG2E + rounder - rounder;
  const r = x - k * ln2High - k * ln2Low;
  let h = 2.510038549551032e-8 * r + 2.7620088445409746e-7;
  h = h * r + 2.7557268459997064e-6;
  h = h * r + 2.4801521295954376e-5;
  h = h * r + 0.00019841269863053618;
  h = h * r + 0.0013888888917213717;
  h = h * r + 0.008333333333330062;
  h = h * r + 0.04166666666662413;
  h = h * r + 0.16666666666666669;
  h = h * r + 0.5000000000000001;
  return (1 + (r + r * r * h)) * powerOfTwo(k);
}

const bits = new DataView(new ArrayBuffer(8));

/** The natural logarithm of a finite number of 2^-1022 or more; minus infinity for 0. */
export function ln(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  bits.setUint32(0, (high & 0xf_ffff) | (1023 << 20));
  let k = (high >>> 20) - 1023;
  let m = bits.getFloat64(0);
  if (m >= Math.SQRT2) {
    m *= 0.5;
    k += 1;
  }
  const s = (m - 1) / (m + 1);
  const square = s * s;
  let series = 1 / 21;
  for (let odd = 19; odd >= 1; odd -= 2) series = series * square + 1 / odd;
  return k * ln2High + (2 * s * series + k * ln2Low);
}

function doubled(): Float64Array {
  const powers = new Float64Array(2046);
  // The smallest normal number.
  powers[0] = 2.2250738585072014e-308;
  for (let i = 1; i < powers.length; i += 1) powers[i] = powers[i - 1]! * 2;
  return powers;
}
