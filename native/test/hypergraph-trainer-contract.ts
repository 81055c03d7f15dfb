import { describe, expect, test } from "vitest";
import {
  HypergraphModel,
  HypergraphTrainer,
  type HypergraphTrainerOptions,
  KernelError,
  type Kernels,
  scoreHyperedge,
  type TrainingEpoch,
} from "../src/index.ts";
import lossFixture from "./fixtures/hyset/loss.json" with { type: "json" };
import { columnsOf, learnable, listsOf, type LossCase, setsOf, trainerOf } from "./hypergraph-trainer-cases.ts";

/** What every implementation of the trainer must do. */
export function hypergraphTrainerContract(kernels: Kernels): void {
  const open = (options: Partial<HypergraphTrainerOptions> = {}): HypergraphTrainer =>
    new HypergraphTrainer({ ...learnable(options), kernels });
  const all = (trainer: HypergraphTrainer): string => {
    const { projection, embeddings, interactions, sizeOffsets, featureWeights } = trainer.weights();
    const reals = [projection, embeddings, interactions].map((values) => hexOf(values));
    return [...reals, hexOf(sizeOffsets), JSON.stringify(featureWeights)].join(" ");
  };

  test("the paper's losses and steps are those of its authors", () => {
    let steps = 0;
    for (const item of lossFixture.cases as unknown as readonly LossCase[]) {
      using trainer = trainerOf(item, kernels);
      for (const step of item.steps) {
        const sets = setsOf(item, step);
        const queries = Uint32Array.from(step.items);
        close(trainer.setScores(queries, sets), step.F.flat());
        const found = trainer.setStep(queries, sets, { rateFactor: step.lr / item.lr });
        expect(found.stopped).toBeUndefined();
        expect([...found.chosen]).toEqual(step.selected);
        close(
          [found.retrieval, found.selfTraining, found.regulariser, found.loss],
          [step.L_ret, step.L_self, step.reg, step.total],
        );
        const weights = trainer.weights();
        const expected = columnsOf(step.after_projection);
        close(weights.projection, expected.projection);
        close(weights.embeddings, expected.embeddings);
        close(weights.interactions, expected.interactions);
        steps += 1;
      }
    }
    expect(steps).toBe(12);
  });

  describe("an epoch", () => {
    test("of the match finds what queries call for, and tells how it went", () => {
      using trainer = open();
      const before = recall(trainer);
      const epochs = Array.from({ length: 12 }, () => trainer.matchEpoch());
      // 100 queries in batches of 16 are 7; 12 epochs of them 84 steps, of which the last has nearly no rate left.
      expect(epochs[0]).toMatchObject({ stage: "match", epoch: 1, batches: 7, ofBatches: 7, queries: 100, skipped: 0 });
      expect(epochs[11]).toMatchObject({ epoch: 12, steps: 84 });
      expect(epochs[11]!.learningRate).toBeLessThan(0.001);
      expect(epochs[11]!.retrieval).toBeLessThan(0.3 * epochs[0]!.retrieval);
      expect(epochs[11]!.loss).toBeCloseTo(epochs[11]!.retrieval + epochs[11]!.anchor, 9);
      expect(epochs[0]!.sets).toBeUndefined();
      expect(before).toBeLessThan(0.75);
      expect(recall(trainer)).toBeGreaterThan(0.95);
      const { telling, noise } = trainer.weights().featureWeights;
      expect(telling).toBeGreaterThan(noise!);
    });

    test("of the sets finds which go together, and how many", () => {
      using trainer = open();
      for (let epoch = 0; epoch < 12; epoch += 1) trainer.matchEpoch();
      const epochs = Array.from({ length: 6 }, () => trainer.setEpoch());
      expect(epochs[0]).toMatchObject({ stage: "sets", epoch: 1, batches: 7, ofBatches: 7, queries: 100 });
      const [first, last] = [epochs[0]!.sets!, epochs[5]!.sets!];
      expect(epochs[5]!.retrieval).toBeLessThan(0.5 * epochs[0]!.retrieval);
      expect(last.goldFirst).toBeGreaterThan(0.75);
      expect(last.goldFirst).toBeGreaterThan(first.goldFirst);
      for (const [source, asked] of Object.entries({ uniform: 8, inBatch: 12, neighbours: 10, own: 20, size: 14 })) {
        const counts = first.negatives[source as "uniform"];
        expect(counts.drawn + counts.missed).toBe(asked * 100);
        expect(counts.drawn).toBeGreaterThan(asked * 20);
      }
      // What grew holds all of gold, what shrank is held by it.
      expect(first.negatives.size.supersets + first.negatives.size.subsets).toBe(first.negatives.size.drawn);
      expect(first.negatives.own).toMatchObject({ supersets: 0, subsets: 0 });
    });

    test("beyond those that were planned is refused", () => {
      using trainer = open({ match: { epochs: 1, batch: 64 } });
      trainer.matchEpoch();
      expect(() => trainer.matchEpoch()).toThrow("epochs: expected no more epochs than were planned, got 2.");
    });

    test("ends where a number is not finite, with the weights from before it", () => {
      using trainer = open({ match: { epochs: 2, batch: 16, learningRate: 1e30, warmup: 0 } });
      const before = all(trainer);
      const epoch = trainer.matchEpoch();
      expect(epoch.stopped).toBe("not-finite");
      expect(epoch.batches).toBeLessThan(epoch.ofBatches);
      expect(all(trainer)).toBe(before);
    });

    test("leaves out queries without gold, and of the sets those with too many tools", () => {
      const { queries, ...options } = learnable();
      const { offsets, tools } = queries.gold;
      // The first query now has nothing: its two tools go to the second.
      const moved = offsets.slice();
      moved[1] = 0;
      using trainer = new HypergraphTrainer({
        ...options,
        queries: { ...queries, gold: { offsets: moved, tools } },
        kernels,
      });
      expect(trainer.matchEpoch()).toMatchObject({ queries: 99, skipped: 1 });
      // The second has five, and the largest set here is four.
      expect(trainer.setEpoch()).toMatchObject({ queries: 98, skipped: 2 });
    });
  });

  describe("one seed gives the same bits", () => {
    const trained = (options: Partial<HypergraphTrainerOptions>): string => {
      using trainer = open(options);
      trainer.matchEpoch();
      trainer.setEpoch();
      return all(trainer);
    };

    test("for any number of threads, and another seed others", () => {
      const expected = trained({ seed: 5, threads: 1 });
      expect(trained({ seed: 5, threads: 3 })).toBe(expected);
      expect(trained({ seed: 6, threads: 1 })).not.toBe(expected);
    });

    test("whether the event loop goes on or not, and tells the progress", async () => {
      using trainer = open();
      const progress: TrainingEpoch[] = [];
      let turns = 0;
      const timer = setInterval(() => (turns += 1), 0);
      const first = await trainer.matchEpochAsync({ onProgress: (epoch) => progress.push(epoch) });
      const second = await trainer.setEpochAsync();
      clearInterval(timer);
      expect(first).toMatchObject({ epoch: 1, batches: 7 });
      expect(second).toMatchObject({ epoch: 1, batches: 7 });
      expect(progress.map(({ batches }) => batches)).toEqual([2, 4, 6]);
      expect(turns).toBeGreaterThan(0);
      expect(all(trainer)).toBe(trained({}));
    });

    test("when it was stopped in between and went on", async () => {
      using trainer = open();
      const controller = new AbortController();
      const stopped = trainer.matchEpochAsync({
        signal: controller.signal,
        onProgress: () => controller.abort(new Error("enough")),
      });
      await expect(stopped).rejects.toThrow("enough");
      expect(trainer.matchEpoch()).toMatchObject({ epoch: 1, batches: 7, queries: 100 });
      trainer.setEpoch();
      expect(all(trainer)).toBe(trained({}));
    });

    test("when it goes on from a checkpoint, of which a part of an epoch is none", async () => {
      using first = open();
      first.matchEpoch();
      first.setEpoch();
      const controller = new AbortController();
      const stop = { signal: controller.signal, onProgress: () => controller.abort() };
      await expect(first.setEpochAsync(stop)).rejects.toThrow("aborted");
      const bytes = first.save();
      first.setEpoch();
      using second = open({ threads: 2 });
      second.restore(bytes);
      expect(second.setEpoch()).toMatchObject({ epoch: 2, steps: 14 });
      expect(all(second)).toBe(all(first));
    });
  });

  describe("a checkpoint", () => {
    test("that is damaged, cut short, of a later version or of another trainer is refused, and nothing changes", () => {
      using trainer = open();
      const bytes = trainer.save();
      trainer.matchEpoch();
      const before = all(trainer);
      const refusal = (changed: Uint8Array): string => codeOf(() => trainer.restore(changed));
      for (const place of [0, 30, 200, bytes.length - 1]) {
        const changed = bytes.slice();
        changed[place]! ^= 1;
        expect(refusal(changed)).toBe("corrupt-file");
      }
      expect(refusal(bytes.subarray(0, -4))).toBe("corrupt-file");
      expect(refusal(new Uint8Array(3))).toBe("corrupt-file");
      const later = bytes.slice();
      later[8] = 2;
      expect(refusal(later)).toBe("unsupported-version");
      using other = open({ seed: 9 });
      expect(codeOf(() => other.restore(bytes))).toBe("invalid-argument");
      using from = open({ weights: trainer.weights() });
      expect(codeOf(() => from.restore(bytes))).toBe("invalid-argument");
      expect(all(trainer)).toBe(before);
    });
  });

  describe("weights", () => {
    test("score sets as the model does that is made of them", () => {
      using trainer = open({ sets: { alignment: "softmax", epochs: 3, batch: 16 }, toolDimensions: 5 });
      trainer.matchEpoch();
      trainer.setEpoch();
      const { featureWeights, ...weights } = trainer.weights();
      expect(Object.keys(featureWeights)).toEqual(["telling", "noise"]);
      using model = HypergraphModel.fromWeights({ ...weights, alignment: "softmax", kernels });
      const { queries, queryDimensions } = learnable();
      const sets = [[3], [2, 9], [0, 1, 4], [5, 6, 7, 23]];
      const found = trainer.setScores(Uint32Array.of(3), listsOf([sets]));
      const problem = model.problem(queries.vectors.subarray(3 * queryDimensions, 4 * queryDimensions), {
        shortlist: 24,
        pool: 24,
      });
      // Features are no part of the model: their logits are added.
      const logits = Float64Array.from(trainer.logits(Uint32Array.of(3)));
      const expected = sets.map((set) => {
        const { sizeOffsets } = weights;
        return scoreHyperedge(logits, problem.pairScores, Uint32Array.from(set), {
          alignment: "softmax",
          maxSize: 4,
          sizeOffsets,
        }).score;
      });
      close(found, expected);
    });

    test("can be gone on from", () => {
      using first = open();
      first.matchEpoch();
      first.setEpoch();
      using second = open({ weights: first.weights() });
      expect(all(second)).toBe(all(first));
      expect(second.matchEpoch().retrieval).toBeLessThan(first.matchEpoch().retrieval * 1.5);
    });

    test("have a matrix for each size, one for all, or zeros", () => {
      const matrices = (interactions: "by-size" | "shared" | "none"): Float32Array[] => {
        using trainer = open({ interactions });
        trainer.setEpoch();
        const found = trainer.weights().interactions;
        return [0, 1, 2].map((size) => found.slice(size * 64, (size + 1) * 64));
      };
      const [two, three] = matrices("by-size");
      expect(two).not.toEqual(three);
      const shared = matrices("shared");
      expect(shared[1]).toEqual(shared[0]);
      expect(shared[0]!.some((value) => Math.abs(value) > 0.01)).toBe(true);
      expect(matrices("none")).toEqual([0, 1, 2].map(() => new Float32Array(64)));
    });
  });

  describe("a trainer", () => {
    test("that is running or was disposed answers nothing", async () => {
      const trainer = open();
      const running = trainer.matchEpochAsync();
      expect(() => trainer.weights()).toThrow("An epoch of this trainer is running; wait until it is done.");
      expect(() => trainer.matchEpoch()).toThrow("running");
      await running;
      const disposed = trainer.setEpochAsync();
      trainer.dispose();
      await expect(disposed).rejects.toThrow("This trainer was disposed; make a new one.");
      trainer.dispose();
      expect(() => trainer.save()).toThrow("This trainer was disposed; make a new one.");
    });

    test("learns from the rewards of what it chose", () => {
      const step = (reward: number): number[] => {
        using trainer = open({ sets: { selfTraining: 1, regularisation: 0 } });
        trainer.setRewards(new Float64Array(120).fill(reward));
        const found = trainer.setStep(Uint32Array.of(0), listsOf([[[0, 1], [2], [9]]]));
        return [found.loss - found.retrieval, found.selfTraining, found.chosen[0]!];
      };
      const [none, without, chosen] = step(0);
      expect([none, without]).toEqual([0, 0]);
      const [full, self] = step(1);
      expect(full).toBeCloseTo(self!, 9);
      const [half, weighed] = step(0.5);
      expect(half).toBeCloseTo(self! / 2, 9);
      expect(weighed).toBeCloseTo(self! / 2, 9);
      expect(chosen).toBeLessThan(3);
    });

    test("refuses sets that are none", () => {
      using trainer = open();
      const queries = Uint32Array.of(0);
      const refusal = (sets: number[][]): string => messageOf(() => trainer.setStep(queries, listsOf([sets])));
      expect(refusal([])).toBe("sets.queries: expected a gold set for each query, got none for query 0.");
      expect(refusal([[]])).toBe("sets: expected 1 to maxSize tools in each, got 0.");
      expect(refusal([[1, 2, 3, 4, 5]])).toBe("sets: expected 1 to maxSize tools in each, got 5.");
      expect(refusal([[24]])).toBe("sets: ordinal 24 names no row; there are 24 rows.");
      expect(refusal([[1], [2, 2]])).toBe("sets: expected distinct tools in each, got set 1.");
      const { offsets, members } = listsOf([[[1]]]);
      const broken = { queries: Uint32Array.of(0, 2), offsets, members };
      expect(messageOf(() => trainer.setScores(queries, broken))).toBe(
        "sets of queries: expected offsets that ascend from 0 to the number of entries, got others.",
      );
      expect(messageOf(() => trainer.logits(Uint32Array.of(120)))).toBe(
        "queries: expected numbers below 120, the queries, got 120.",
      );
    });
  });
}

/** The share of gold tools among the four best of the queries that are not trained on. */
function recall(trainer: HypergraphTrainer): number {
  const { queries, development } = learnable();
  const logits = trainer.logits(development!);
  let sum = 0;
  for (const [row, query] of development!.entries()) {
    const scores = logits.subarray(row * trainer.tools, (row + 1) * trainer.tools);
    const best = new Set([...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, 4));
    const gold = queries.gold.tools.subarray(queries.gold.offsets[query], queries.gold.offsets[query + 1]);
    sum += gold.filter((tool) => best.has(tool)).length / gold.length;
  }
  return sum / development!.length;
}

/** Equal to some parts in 10^5, which is what float32 leaves of a step. */
function close(found: ArrayLike<number>, expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  for (const [place, value] of expected.entries()) {
    expect(Math.abs(found[place]! - value)).toBeLessThan(2e-5 * Math.max(1, Math.abs(value)));
  }
}

function hexOf({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString("hex");
}

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (KernelError.isInstance(error)) return error.code;
    throw error;
  }
  return "none";
}

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (KernelError.isInstance(error)) return error.message;
    throw error;
  }
  return "none";
}
