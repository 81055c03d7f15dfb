import { expect, test } from "vitest";
import { facilityOrder } from "./facility-location.ts";
import { marginalOrder } from "./marginal-relevance.ts";
import { fitSizes, likeliestSize, predictedSize } from "./predicted-size.ts";
import { type LabelledPool, rivalFigures, type RivalPool } from "./rival.ts";
import { setFunction } from "./set-function.ts";
import { withFittedOffsets } from "./size-offsets.ts";
import { topK } from "./top-k.ts";

/** Tools 10, 11, 12 with p 0.5, 0.4, 0.1; the first two mean nearly the same. */
const pool = poolOf([0.5, 0.4, 0.1], [1, 0.9, 0, 0.9, 1, 0, 0, 0, 1]);

function poolOf(probabilities: readonly number[], similarity: readonly number[], moreRequests = 0): RivalPool {
  const empty = new Float64Array(0);
  return {
    similarity: Float64Array.from(similarity),
    evidence: {
      ids: Uint32Array.from(probabilities, (_, place) => 10 + place),
      logProbabilities: Float64Array.from(probabilities, Math.log),
      interactions: empty,
      coUse: empty,
      known: { offsets: new Uint32Array(1), members: new Uint32Array(0), gains: empty },
      moreRequests,
    },
  };
}

const labelled = (gold: readonly number[], of = pool): LabelledPool => ({ pool: of, gold: Uint32Array.from(gold) });

test("figures of a ranking and a set stand in the order of the columns", () => {
  const answer = { ranking: Uint32Array.of(10, 12, 11), set: Uint32Array.of(10, 12) };
  // Right are 10 and 11: all in three; gains 1 + 1/2 over 1 + 1/log2(3) = 1.5 / 1.6309; one of two tools shared: F1 2/4.
  const figures = rivalFigures(answer, Uint32Array.of(10, 11));
  expect(figures.map((figure) => Number(figure.toFixed(4)))).toEqual([1, 0.9197, 1, 1, 1, 0, 0.5]);
});

test("the first k by match takes the k that served development queries best", () => {
  const chooser = topK.fit([labelled([10, 11]), labelled([10, 11]), labelled([10])]);
  expect(chooser.constants).toBe("k 2");
  expect([...chooser.choose(pool).set]).toEqual([10, 11]);
});

test("marginal relevance puts a tool behind one that means nearly the same", () => {
  // rel: 1, (ln 0.4 − ln 0.1) / (ln 0.5 − ln 0.1) = 0.861, 0. At λ 0.5 the second gains 0.431 − 0.45, the third 0 − 0.
  expect(marginalOrder(pool, 0.5)).toEqual([0, 2, 1]);
  expect(marginalOrder(pool, 1)).toEqual([0, 1, 2]);
});

test("facility location takes next what covers most of what is likely", () => {
  // Alone: 0.5 + 0.36 against 0.45 + 0.4 and 0.1. Then the second covers 0.04 more, the third 0.1.
  expect(facilityOrder(pool, 0)).toEqual([0, 2, 1]);
  // With γ 1 the second gains 0.861 more, the third nothing.
  expect(facilityOrder(pool, 1)).toEqual([0, 1, 2]);
});

test("sizes are predicted from what goes with them", () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({ numbers: [1, at % 2], size: 1 + (at % 2) }));
  const weights = fitSizes(rows);
  expect(likeliestSize(weights, [1, 0])).toBe(1);
  expect(likeliestSize(weights, [1, 1])).toBe(2);
  const [one, two] = [pool, poolOf([0.5, 0.4, 0.1], [...pool.similarity], 1)];
  const development = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0 ? labelled([10], one) : labelled([10, 11], two),
  );
  const { choose } = predictedSize.fit(development);
  expect([...choose(one).set]).toEqual([10]);
  expect([...choose(two).set]).toEqual([10, 11]);
});

test("size offsets agree with the sizes of development sets", () => {
  const development = [...Array.from({ length: 3 }, () => labelled([10, 11])), labelled([10])];
  const start = { matchScale: 1, pairScale: 0, coUseScale: 0, knownSetScale: 0, emptyScore: undefined };
  const calibration = withFittedOffsets(development, { ...start, sizeOffsets: [0, 0, 0], requestSlopes: [0, 0, 0] });
  // e^c by elementary symmetric polynomials: 1 · e^c1 for one tool (p sums to 1), 0.29 · e^c2 for two; three to one: c2 − c1 = ln(3 / 0.29).
  const [one = 0, two = 0] = calibration.sizeOffsets;
  expect(two - one).toBeCloseTo(Math.log(3 / 0.29), 6);
});

test("a distribution over sets learns the size as well", () => {
  const none = { interactions: false, coUse: false, knownSets: false };
  const { choose } = setFunction("sets", none).fit(Array.from({ length: 20 }, () => labelled([10, 11])));
  expect([...choose(pool).set].sort()).toEqual([10, 11]);
});
