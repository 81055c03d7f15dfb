/**
 * e^u for the weights of a distribution: quicker than `exp` and as good as the sums they go into.
 *
 * u = k · ln 2 / 16 + r with |r| ≤ ln 2 / 32, e^u = 2^(k / 16) · (1 + r·(1 + r·(c₂ + r·(c₃ + r·(c₄ + r·c₅))))), where 2^(k / 16) is the double
 * nearest to 2^(j / 16), j = k mod 16, times a power of two. The polynomial (Chebyshev interpolation) is within 1.9e-14 of e^r; the
 * rounding of k · ln 2 / 16 adds 2.2e-16·|u|.
 */
import { powerOfTwo, rounder } from "../elementary.ts";

/** Below this a weight is 0: of all sets that are looked at not even all together reach the last bit of the largest weight, 1. */
const smallest = -700;
const sixteenths = 23.083120654223414;
const ln2Sixteenth = 0.04332169878499658;

/** 2^(j / 16), rounded to the nearest. */
const roots: Float64Array = Float64Array.of(
  1,
  1.0442737824274138,
  1.0905077326652577,
  1.1387886347566916,
  1.189207115002721,
  1.241857812073484,
  1.2968395546510096,
  1.3542555469368927,
  Math.SQRT2,
  1.4768261459394993,
  1.5422108254079407,
  1.6104903319492543,
  1.681792830507429,
  1.7562521603732995,
  1.8340080864093424,
  1.9152065613971474,
);

/** e^u for u up to 1 or so; 0 below −700 and for minus infinity. */
export function weight(u: number): number {
  if (!(u >= smallest)) return 0;
  const k = u * sixteenths + rounder - rounder;
  const r = u - k * ln2Sixteenth;
  let p = (0.0083334264275936 * r + 0.04166731832755018) * r + 0.16666666666120677;
  p = p * r + 0.4999999999617807;
  p = (p * r + 1) * r + 1;
  const j = k & 15;
  return p * (roots[j]! * powerOfTwo((k - j) / 16));
}
