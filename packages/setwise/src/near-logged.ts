/*
 * P(nothing fits) of a selector with a model is that of the rules times the share that is left of it near the log: a request that is near to one that tools
 * served is not foreign. Chosen on train queries, see docs/decisions/2026-11-30-nothing-fits.md.
 */

/** From this cosine of the nearest logged request on nothing is left of a refusal … */
const NEAR = 0.7;
/** … and so much farther all of it. */
const WIDTH = 0.2;
/** Cosines of other encoders are not known: with those only the same request counts, whose cosine bytes can make a little less than 1. */
const SAME = 0.99;

/**
 * What is left of P(nothing fits), 0..1.
 *
 * @param cosine Of the nearest logged request that tools served; `undefined` where no model remembers any.
 * @param isMeasured Whether the constants are of this encoder.
 */
export function shareFarFromLog(cosine: number | undefined, isMeasured: boolean): number {
  if (cosine === undefined) return 1;
  if (!isMeasured) return cosine >= SAME ? 0 : 1;
  return Math.max(0, Math.min(1, (NEAR - cosine) / WIDTH));
}
