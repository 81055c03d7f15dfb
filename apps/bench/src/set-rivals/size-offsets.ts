import { goldIn, scoreEvidence, type SetCalibration } from "@setwise/set-scorer";
import type { LabelledPool } from "./rival.ts";

/** Rounds of scaling; the last ones change nothing in the third digit. */
const ROUNDS = 12;
/** Queries that are looked at, at most. */
const MOST = 400;
/** Of sizes that no query has, so many sets are seen. */
const UNSEEN = 0.1;

/**
 * The calibration with the size offsets of the largest likelihood, all other numbers staying as they are: each offset rises by ln(times the size was there / times it is expected), over and over
 * (iterative scaling), until both agree.
 */
export function withFittedOffsets(development: readonly LabelledPool[], start: SetCalibration): SetCalibration {
  const step = Math.max(1, Math.floor(development.length / MOST));
  const some = development.filter((_, place) => place % step === 0);
  const sizes = some.map(({ pool: { evidence }, gold }) => goldIn(evidence, gold).length);
  const seen = start.sizeOffsets.map((_, at) => Math.max(UNSEEN, sizes.filter((size) => size === at + 1).length));
  let sizeOffsets = start.sizeOffsets;
  for (let round = 0; round < ROUNDS; round++) {
    const expected = start.sizeOffsets.map(() => 0);
    for (const { pool } of some) {
      const scored = scoreEvidence(pool.evidence, { ...start, sizeOffsets }, { count: 1 });
      for (const at of expected.keys()) expected[at]! += scored.sizes[at + 1] ?? 0;
    }
    sizeOffsets = sizeOffsets.map((c, at) => c + Math.log(seen[at]! / Math.max(1e-9, expected[at]!)));
  }
  return { ...start, sizeOffsets };
}
