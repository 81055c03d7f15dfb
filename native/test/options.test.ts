import { describe, expect, test } from "vitest";
import {
  DeficitSearch,
  enumerateHyperedges,
  HypergraphModel,
  KernelError,
  rankByMarginalGain,
  scoreHyperedge,
  VectorIndex,
} from "../src/index.ts";
import { implementations } from "./implementations.ts";

/** The error of a call, which is one of ours. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (KernelError.isInstance(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

const zeros = (length: number): Float64Array => new Float64Array(length);
const ones = (length: number): Float32Array => new Float32Array(length).fill(1);

for (const { name, kernels } of implementations()) {
  if (kernels === undefined) continue;
  describe(`options on the kernels ${name}`, () => {
    const createModel = () =>
      new HypergraphModel({
        queryDimensions: 1,
        toolDimensions: 1,
        matchRows: ones(2),
        embeddings: ones(2),
        pairRows: ones(2),
        maxSize: 2,
        kernels,
      });
    const createIndex = () => new VectorIndex({ dimensions: 1, vectors: ones(3), kernels });
    const createSearch = () =>
      new DeficitSearch({
        inputs: Uint32Array.of(0, 0),
        producers: { offsets: Uint32Array.of(0), tools: new Uint32Array(0), weights: new Float32Array(0) },
        kernels,
      });

    test("that dispose of what is asked are read before it is opened", () => {
      const disposing = (what: { dispose(): void }, option: string): object => ({
        get [option]() {
          what.dispose();
          return undefined;
        },
      });
      const model = createModel;
      const refused = /^invalid-argument: This (index|model|search) was disposed/;
      for (const ask of [
        (options: (what: { dispose(): void }) => object) => {
          const index = createIndex();
          return index.search(ones(1), 1, options(index));
        },
        ...(["shortlist", "problem", "bestSets", "rank"] as const).map(
          (method) => (options: (what: { dispose(): void }) => object) => {
            const made = model();
            return made[method](ones(1), options(made));
          },
        ),
      ]) {
        expect(refusal(() => ask((what) => disposing(what, "allow")))).toMatch(refused);
      }
      const search = createSearch();
      const query = {
        terminals: Uint32Array.of(0),
        get count(): number {
          search.dispose();
          return 1;
        },
      };
      expect(refusal(() => search.search(query))).toMatch(refused);
    });

    test("that take memory away are read before lengths are", () => {
      const taking = (option: string, ...arrays: readonly ArrayBufferView[]): object => ({
        get [option]() {
          for (const { buffer } of arrays) structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
          return undefined;
        },
      });
      const [logits, pairScores] = [Float64Array.of(1, 2), zeros(4)];
      for (const call of [enumerateHyperedges, rankByMarginalGain]) {
        const [left, right] = [logits.slice(), pairScores.slice()];
        const both = Object.defineProperties(
          { maxSize: 2, kernels },
          Object.getOwnPropertyDescriptors(taking("kernels", right)),
        );
        expect(refusal(() => call(left, right, both))).toMatch(/^invalid-argument: pairScores: expected a length/);
      }
      const index = createIndex();
      const queries = ones(2);
      expect(index.search(queries, 1, taking("exclude", queries)).ids).toHaveLength(0);
      const model = createModel();
      const asked = ones(2);
      expect(model.bestSets(asked, taking("groups", asked)).scores).toHaveLength(0);
    });

    test("that are none, or of a type that nothing can be done with, are refused by name", () => {
      const none = null as never;
      const expectation = /^invalid-argument: (options|weights|query): expected an object, got null\.$/;
      for (const call of [
        () => new VectorIndex(none),
        () => new HypergraphModel(none),
        () => HypergraphModel.fromWeights(none),
        () => new DeficitSearch(none),
        () => createSearch().search(none),
        () => createIndex().search(ones(1), 1, none),
        () => createModel().bestSets(ones(1), none),
        () => createModel().rank(ones(1), none),
        () => createModel().shortlist(ones(1), none),
        () => enumerateHyperedges(zeros(1), zeros(4), none),
        () => rankByMarginalGain(zeros(1), zeros(4), none),
        () => scoreHyperedge(zeros(1), zeros(4), Uint32Array.of(0), none),
      ]) {
        expect(refusal(call)).toMatch(expectation);
      }
      const find = (options: object) => refusal(() => enumerateHyperedges(zeros(1), zeros(4), { kernels, ...options }));
      expect(find({ groups: 5 })).toBe("invalid-argument: groups: expected an array of Uint32Arrays, got Number.");
      expect(find({ groups: [[0]] })).toBe("invalid-argument: groups[0]: expected a Uint32Array, got an array.");
      for (const value of [5n, Symbol("five"), {}, "5"]) {
        expect(find({ tokens: Uint32Array.of(1), maxTokens: value })).toMatch(/^invalid-argument: maxTokens: expected/);
        expect(find({ emptyScore: value })).toMatch(/^invalid-argument: emptyScore: expected a number/);
        expect(find({ count: value })).toMatch(/^invalid-argument: count: expected an integer/);
        expect(find({ alignment: value })).toMatch(/^invalid-argument: alignment: expected sum or softmax/);
      }
      for (const value of ["typescript", {}, null, 5]) {
        expect(find({ kernels: value })).toMatch(/^invalid-argument: kernels: expected what openKernels gives/);
      }
      expect(find({ tokens: Uint32Array.of(1) })).toMatch(/^invalid-argument: tokens: give `maxTokens` as well/);
    });

    test("for answers that no memory holds are refused", () => {
      // A million times 65,536 sets, and times 100,000 rows: hundreds of gigabytes.
      const many = new Float32Array(1_000_000);
      const tooLarge = "too-large: The answer does not fit into memory; ask for less in one call.";
      expect(refusal(() => createModel().bestSets(many, { count: 65_536 }))).toBe(tooLarge);
      using index = new VectorIndex({ dimensions: 1, vectors: new Float32Array(100_000), kernels });
      expect(refusal(() => index.search(many, 100_000))).toBe(tooLarge);
    });
  });
}
