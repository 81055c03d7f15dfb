import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  HypergraphTrainer,
  type HypergraphTrainerOptions,
  hysetNegatives,
  hysetSetStage,
  KernelError,
  openKernels,
  type TrainingEpoch,
} from "../src/index.ts";
import { planMatch, planSets } from "../src/hypergraph-trainer-options.ts";
import { leadingDirections, symmetricEigen } from "../src/leading-directions.ts";
import { Random } from "../src/typescript/hypergraph-trainer/random.ts";
import { learningRateFactor } from "../src/typescript/hypergraph-trainer/schedule.ts";
import { createTypescriptHypergraphTrainer } from "../src/typescript/hypergraph-trainer/trainer.ts";
import lossFixture from "./fixtures/hyset/loss.json" with { type: "json" };
import scheduleFixture from "./fixtures/hyset/schedule.json" with { type: "json" };
import { columnsOf, endsOf, learnable, type LossCase, numbers, setsOf } from "./hypergraph-trainer-cases.ts";
import { implementations } from "./implementations.ts";

test("the TypeScript steps are those of the authors to nine digits, in float64", () => {
  for (const item of lossFixture.cases as unknown as readonly LossCase[]) {
    const gold = item.batch.map(({ pool }) => pool[0]!.toSorted((a, b) => a - b));
    const start = columnsOf(item.params);
    // The kernel computes with what it is given; the face gives float32.
    const wide = (values: readonly number[]): Float32Array => Float64Array.from(values) as unknown as Float32Array;
    const problem = {
      queryDimensions: item.d_r,
      toolDimensions: item.d_z,
      tools: item.N,
      queries: item.batch.length,
      anchors: wide(start.embeddings),
      vectors: wide(item.batch.flatMap(({ r }) => r)),
      gold: { offsets: endsOf(gold.map((set) => set.length)), tools: Uint32Array.from(gold.flat()) },
      channels: [],
      queryWeights: new Float64Array(0),
      training: Uint32Array.from(gold.keys()),
    };
    const { stage, ...candidates } = planSets(
      { ...hysetSetStage, learningRate: item.lr, interactionRate: item.lr, regularisation: item.lambda, selfTraining: item.eta }, // prettier-ignore
      item.batch.length,
    );
    const plan = {
      seed: 1,
      threads: 1,
      maxSize: 5,
      interactions: "by-size",
      moments: [0.9, 0.999, 1e-8],
      matching: planMatch(undefined, 1),
      sets: stage,
      ...candidates,
    } as const;
    const given = {
      embeddings: wide(start.embeddings),
      projection: wide(start.projection),
      interactions: wide(start.interactions),
      small: new Float64Array(5),
    };
    const kernel = createTypescriptHypergraphTrainer(problem, plan, given, Float64Array);
    kernel.setRewards(Float64Array.from(item.batch, ({ rho }) => rho));
    for (const [number, step] of item.steps.entries()) {
      const queries = Uint32Array.from(step.items);
      const sets = setsOf(item, step);
      const scores = new Float64Array(sets.offsets.length - 1);
      kernel.setScores(queries, sets, scores);
      close(scores, step.F.flat());
      const chosen = new Uint32Array(queries.length);
      const results = new Float64Array(6);
      kernel.setStep(queries, sets, learningRateFactor(number, item.total_steps, item.warmup_ratio), chosen, results);
      close(results, [step.total, step.L_ret, step.L_self, step.reg, 0, 1]);
      const found = {
        embeddings: wide(start.embeddings),
        projection: wide(start.projection),
        interactions: wide(start.interactions),
        small: new Float64Array(5),
      };
      kernel.readWeights(found);
      const expected = columnsOf(step.after_projection);
      close(found.embeddings, expected.embeddings);
      close(found.projection, expected.projection);
      close(found.interactions, expected.interactions);
    }
  }
});

test("the learning rate is that of the authors", () => {
  for (const { total_steps: steps, warmup_ratio: warmup, scale } of scheduleFixture.cases) {
    for (const [step, expected] of scale.entries()) {
      expect(Math.abs(learningRateFactor(step, steps, warmup) - expected)).toBeLessThan(1e-15);
    }
  }
});

test("the paper's negatives are divided as its authors do", () => {
  for (const [total, expected] of Object.entries(scheduleFixture.quotas)) {
    const { uniform, inBatch, neighbours, own, size } = hysetNegatives(Number(total));
    expect([uniform, inBatch, neighbours, own, size]).toEqual([...expected, 0, 0]);
  }
});

test("random numbers are those of the native trainer", () => {
  // The same six stand in `random.rs`, for Random::new(7, 1, 0, Purpose::Sets, 0).
  const random = new Random(7, 1, 0, 3, 0);
  expect(Array.from({ length: 6 }, () => random.below(1000))).toEqual([535, 913, 260, 931, 971, 272]);
});

const native = implementations().filter(({ kernels }) => kernels?.implementation === "native");

test.skipIf(native.length === 0)("native and TypeScript kernels draw the same and learn the same", () => {
  const train = (options: Partial<HypergraphTrainerOptions>): readonly [TrainingEpoch[], Float32Array] => {
    using trainer = new HypergraphTrainer({ ...learnable(), ...options });
    const epochs = [trainer.matchEpoch(), trainer.matchEpoch(), trainer.setEpoch(), trainer.setEpoch()];
    return [epochs, trainer.logits(Uint32Array.of(0, 50, 119))];
  };
  const forms: Partial<HypergraphTrainerOptions>[] = [
    {},
    { sets: { ...hysetSetStage, batch: 16, learningRate: 1e-3, negatives: hysetNegatives(31) } },
    { interactions: "shared", toolDimensions: 5, sets: { batch: 10, train: ["projection", "embeddings", "interactions", "featureWeights"] } }, // prettier-ignore
  ];
  for (const form of forms) {
    const [epochs, logits] = train({ ...form, kernels: native[0]!.kernels! });
    const [others, otherLogits] = train({ ...form, kernels: openKernels("typescript") });
    for (const [place, epoch] of epochs.entries()) {
      const other = others[place]!;
      expect(epoch.sets?.negatives).toEqual(other.sets?.negatives);
      expect(relative(epoch.loss, other.loss)).toBeLessThan(1e-4);
      expect(relative(epoch.retrieval, other.retrieval)).toBeLessThan(1e-4);
    }
    for (const [place, l] of logits.entries()) expect(Math.abs(l - otherLogits[place]!)).toBeLessThan(5e-3);
  }
  // All levels give the bits of the first.
  const bits = native.map(({ kernels }) => [...new Uint32Array(train({ kernels: kernels! })[1].buffer)]);
  for (const other of bits) expect(other).toEqual(bits[0]);
});

describe("leading directions", () => {
  test("of rows along the axes are the axes, longest first", () => {
    const rows = Float32Array.of(0, 3, 0, 0, -3, 0, 1, 0, 0, 0, 0, 2);
    const found = leadingDirections(rows, 3, 2);
    expect([...found].map((value) => Math.abs(value))).toEqual([0, 0, 1, 0, 0, 1]);
  });

  test("are eigenvectors of length 1, each across the others, whatever the matrix", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer(), (n, seed) => {
        const half = numbers(n * n, seed);
        const matrix = Float64Array.from(
          { length: n * n },
          (_, i) => half[i]! + half[(i % n) * n + Math.floor(i / n)]!,
        );
        const { values, vectors } = symmetricEigen(matrix.slice(), n);
        for (let a = 0; a < n; a += 1) {
          for (let row = 0; row < n; row += 1) {
            let sum = 0;
            for (let k = 0; k < n; k += 1) sum += matrix[row * n + k]! * vectors[k * n + a]!;
            expect(Math.abs(sum - values[a]! * vectors[row * n + a]!)).toBeLessThan(1e-12 * n * n);
          }
          for (let b = 0; b <= a; b += 1) {
            let product = 0;
            for (let k = 0; k < n; k += 1) product += vectors[k * n + a]! * vectors[k * n + b]!;
            expect(Math.abs(product - Number(a === b))).toBeLessThan(1e-12 * n);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("refusals name the argument", () => {
  const refusal = (change: object): string => {
    try {
      new HypergraphTrainer({ ...learnable(), ...change }).dispose();
    } catch (error) {
      if (KernelError.isInstance(error)) return error.message;
      throw error;
    }
    return "none";
  };
  const { queries } = learnable();
  const withGold = (change: object): object => ({ queries: { ...queries, gold: { ...queries.gold, ...change } } });
  const short = queries.gold.offsets.slice(1);
  const far = queries.gold.tools.with(0, 24);
  test.each([
    [{ toolDimensions: 9 }, "toolDimensions: expected an integer from 1 to 8, got 9."],
    [{ toolVectors: new Float32Array(0) }, "tools: expected an integer from 1 to 1048576, got 0."],
    [{ toolVectors: new Float32Array(8).fill(Number.NaN) }, "toolVectors: the number at position 0 is NaN or infinite; every number must be finite."], // prettier-ignore
    [{ maxSize: 9 }, "maxSize: expected an integer from 1 to 8, got 9."],
    [{ interactions: "all" }, 'interactions: expected by-size or shared or none, got "all".'],
    [{ scale: 0 }, "scale: expected a finite number above 0, got 0."],
    [{ seed: -1 }, "seed: expected an integer from 0 to 4294967295, got -1."],
    [{ threads: 0 }, "threads: expected an integer from 1 to 64, got 0."],
    [{ development: Uint32Array.of(120) }, "development: expected numbers below 120, the queries, got 120."], // prettier-ignore
    [{ match: { epochs: 0 } }, "match.epochs: expected an integer from 1 to 1000000, got 0."],
    [{ match: { learningRate: Number.NaN } }, "match.learningRate: expected a finite number of 0 or more, got NaN."],
    [{ match: { warmup: 2 } }, "match.warmup: expected a number from 0 to 1, got 2."],
    [{ match: { train: ["all"] } }, 'match.train: expected projection or embeddings or interactions or sizeOffsets or featureWeights, got "all".'], // prettier-ignore
    [{ sets: { alignment: "mean" } }, 'sets.alignment: expected sum or softmax, got "mean".'],
    [{ sets: { negatives: { own: 2000 } } }, "sets.negatives.own: expected an integer from 0 to 1024, got 2000."],
    [{ sets: { negatives: { own: 600, size: 600 } } }, "sets.negatives together: expected an integer from 0 to 1024, got 1200."], // prettier-ignore
    [{ sets: { selfTraining: -1 } }, "sets.selfTraining: expected a finite number of 0 or more, got -1."],
    [
      withGold({ offsets: short }),
      "queries.gold.offsets: expected a length of 121 (one a query, and the end), got 120.",
    ],
    [withGold({ offsets: queries.gold.offsets.with(5, 0) }), "queries.gold.offsets: expected offsets that ascend from 0, got 0."], // prettier-ignore
    [{ queries: { ...queries, vectors: queries.vectors.with(3, Number.NaN) } }, "queries.vectors: the number at position 3 is NaN or infinite; every number must be finite."], // prettier-ignore
    [withGold({ tools: far }), "queries.gold: expected tools below 24, got 24."],
    [{ queries: { ...queries, weights: new Float64Array(120).fill(-1) } }, "queries.weights: expected finite numbers of 0 or more, got -1."], // prettier-ignore
    [{ weights: { projection: new Float32Array(3) } }, "weights.projection: expected a length of 64 (as weights() gives it), got 3."], // prettier-ignore
  ])("%j", (change, expected) => {
    expect(refusal(change)).toBe(expected);
  });

  test("of a feature with two values for a tool", () => {
    const feature = {
      offsets: Uint32Array.of(0, ...new Uint32Array(120).fill(2)),
      tools: Uint32Array.of(3, 3),
      values: Float32Array.of(1, 2),
    };
    expect(refusal({ queries: { ...queries, features: { words: feature } } })).toBe(
      "queries.features.words: query 0 has two values for tool 3.",
    );
  });
});

test("gold tools may come in any order and twice", () => {
  const trained = (offsets: readonly number[], tools: readonly number[]): number => {
    using trainer = new HypergraphTrainer({
      queryDimensions: 2,
      toolVectors: Float32Array.of(1, 0, 0, 1, 1, 1),
      queries: {
        vectors: Float32Array.of(1, 0, 0, 1),
        gold: { offsets: Uint32Array.from(offsets), tools: Uint32Array.from(tools) },
      },
    });
    return trainer.matchEpoch().loss;
  };
  expect(trained([0, 4, 5], [2, 0, 2, 0, 1])).toBe(trained([0, 2, 3], [0, 2, 1]));
});

/** Equal to nine digits. */
function close(found: ArrayLike<number>, expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  for (const [place, value] of expected.entries()) {
    expect(Math.abs(found[place]! - value)).toBeLessThan(1e-9 * Math.max(1e-3, Math.abs(value)));
  }
}

function relative(found: number, expected: number): number {
  return Math.abs(found - expected) / Math.max(Math.abs(expected), 1e-3);
}
