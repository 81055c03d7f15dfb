import { seededRandom } from "@setwise/core";
import { expect, test } from "vitest";
import { calibrate, goldIn, type LabelledEvidence } from "./calibrate.ts";
import { scoreSets } from "./score-sets.ts";
import { calibrated, type SetEvidence } from "./set-scorer.ts";

const nothing = { offsets: new Uint32Array(1), members: new Uint32Array(0), gains: new Float64Array(0) };
const terms = { interactions: false, coUse: false, knownSets: false };

/** Queries whose sets are drawn from the distribution that these numbers make. */
function drawn(
  count: number,
  matchScale: number,
  sizeOffsets: readonly number[],
  emptyScore?: number,
): LabelledEvidence[] {
  const random = seededRandom(11);
  return Array.from({ length: count }, () => {
    const evidence: SetEvidence = {
      ids: Uint32Array.of(0, 1, 2, 3),
      logProbabilities: Float64Array.from({ length: 4 }, () => -3 * random()),
      interactions: new Float64Array(0),
      coUse: new Float64Array(0),
      known: nothing,
      moreRequests: 0,
    };
    const set = {
      matchScale,
      pairScale: 0,
      coUseScale: 0,
      knownSetScale: 0,
      sizeOffsets,
      requestSlopes: [0, 0],
      emptyScore,
    };
    const { best } = scoreSets(calibrated(evidence, set), { count: 20 });
    let left = random();
    const chosen = best.find(({ probability }) => (left -= probability) < 0) ?? best[0];
    return { evidence, gold: goldIn(evidence, chosen?.ids ?? new Uint32Array(0)) };
  });
}

test("the numbers that made the sets are found again", () => {
  const found = calibrate(drawn(3000, 1.5, [0, 1]), 2, terms);
  expect(found.matchScale).toBeGreaterThan(1.4);
  expect(found.matchScale).toBeLessThan(1.6);
  const [one = 0, two = 0] = found.sizeOffsets;
  expect(two - one).toBeGreaterThan(0.7);
  expect(two - one).toBeLessThan(1.3);
  expect(found.emptyScore).toBeUndefined();
});

test("a log that contradicts the ranking does not turn it round: the match scale stays above 0", () => {
  const found = calibrate(drawn(1000, -1, [0, 1]), 2, terms);
  expect(found.matchScale).toBeGreaterThan(0);
  expect(found.matchScale).toBeLessThan(0.1);
  // With the calibration of another model to begin with it is the same.
  const near = { ...found, matchScale: 1 };
  expect(calibrate(drawn(1000, -1, [0, 1]), 2, terms, near).matchScale).toBe(found.matchScale);
});

test("the score of the empty set is learned where there are requests that no tool serves", () => {
  const found = calibrate(drawn(1000, 1, [0, 0], 1), 2, terms);
  const [one = 0] = found.sizeOffsets;
  expect((found.emptyScore ?? 0) - one).toBeGreaterThan(0.6);
  expect((found.emptyScore ?? 0) - one).toBeLessThan(1.4);
});

test("without a query the numbers are those that they begin with", () => {
  expect(calibrate([], 2, terms)).toMatchObject({ matchScale: 1, sizeOffsets: [-4, -4] });
});

test("where the search begins changes nothing, with pairs and known sets as well", () => {
  const random = seededRandom(5);
  const coUse = Float64Array.from({ length: 16 }, (_, i) => [0, 1, 1, 0][((i % 4) ^ Math.floor(i / 4)) % 4]!);
  const known = { offsets: Uint32Array.of(0, 2, 3), members: Uint32Array.of(0, 1, 2), gains: Float64Array.of(1, 0.5) };
  const all = drawn(400, 1, [0, 0.5]).map(({ evidence, gold }): LabelledEvidence => {
    return { evidence: { ...evidence, coUse, known, moreRequests: random() < 0.5 ? 1 : 0 }, gold };
  });
  const every = { interactions: false, coUse: true, knownSets: true };
  const found = calibrate(all, 2, every);
  const near = { ...found, matchScale: 2, coUseScale: -1, knownSetScale: 2, sizeOffsets: [1, -1] };
  const again = calibrate(all, 2, every, near);
  expect(again.matchScale).toBeCloseTo(found.matchScale, 1);
  expect(again.coUseScale).toBeCloseTo(found.coUseScale, 1);
  expect(again.knownSetScale).toBeCloseTo(found.knownSetScale, 1);
});

test("where logged sets do not come again they count as nothing, and the other numbers are as likely as can be", () => {
  // The tools of every right set are those of no logged set, so that k would be below 0 if it could.
  const apart = { offsets: Uint32Array.of(0, 2, 4), members: Uint32Array.of(0, 1, 2, 3), gains: Float64Array.of(2, 2) };
  const all = drawn(400, 1, [0, 0.5]).map(({ evidence, gold }): LabelledEvidence => {
    const isLogged = gold.length === 2 && gold[0]! >> 1 === gold[1]! >> 1;
    return { evidence: { ...evidence, known: apart }, gold: isLogged ? gold.subarray(0, 1) : gold };
  });
  const without = calibrate(all, 2, terms);
  for (const knownSetScale of [0.01, 0.5, 3]) {
    const found = calibrate(all, 2, { ...terms, knownSets: true }, { ...without, knownSetScale });
    expect(found.knownSetScale).toBe(0);
    expect(found.matchScale).toBeCloseTo(without.matchScale, 1);
    expect(found.sizeOffsets[1]! - found.sizeOffsets[0]!).toBeCloseTo(
      without.sizeOffsets[1]! - without.sizeOffsets[0]!,
      1,
    );
  }
});
