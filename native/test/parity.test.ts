import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Kernels, kernelInfo, openKernels, VectorIndex } from "../src/index.ts";
import { deficitSearchContract } from "./deficit-search-contract.ts";
import { builtAddon, implementations } from "./implementations.ts";
import { hyperedgeContract } from "./hyperedge-contract.ts";
import { hypergraphModelContract } from "./hypergraph-model-contract.ts";
import { hypergraphTrainerContract } from "./hypergraph-trainer-contract.ts";
import { marginalGainContract } from "./marginal-gain-contract.ts";
import { setDistributionContract } from "./set-distribution-contract.ts";
import { projectRowsContract } from "./project-rows-contract.ts";
import { searchCases, vectorIndexContract } from "./vector-index-contract.ts";

for (const { name, kernels, skipped } of implementations()) {
  if (kernels === undefined) {
    test(`the contract on the ${name} kernels`, ({ skip }) => skip(skipped));
    continue;
  }
  describe(`on the kernels ${name}`, () => {
    test("really runs them", () => {
      const [implementation, level = "none"] = name.split(":");
      expect({ implementation: kernels.implementation, simd: kernels.simd }).toEqual({ implementation, simd: level });
    });

    describe("the deficit search", () => deficitSearchContract(kernels));

    describe("the vector index", () => vectorIndexContract(kernels));

    describe("the search over sets", () => hyperedgeContract(kernels));

    describe("the hypergraph model", () => hypergraphModelContract(kernels));

    describe("the trainer of the model", () => hypergraphTrainerContract(kernels));

    describe("the ranking by marginal gain", () => marginalGainContract(kernels));

    describe("the distribution over sets", () => setDistributionContract(kernels));

    describe("the projection of rows", () => projectRowsContract(kernels));

    test.skipIf(kernels.implementation === "typescript")("gives the bits that TypeScript gives", () =>
      sameBits(kernels, openKernels("typescript")),
    );
  });
}

test("an addon that was built is the one that runs", ({ skip }) => {
  if (process.env["SETWISE_KERNELS"] === "typescript") skip("SETWISE_KERNELS=typescript");
  if (builtAddon() === undefined) skip("no addon was built here; run `npm run build:addon`");
  expect(kernelInfo()).toEqual({
    implementation: "native",
    simd: expect.stringMatching(/^(avx512|avx2|neon|scalar)$/),
  });
});

function sameBits(kernels: Kernels, others: Kernels): void {
  fc.assert(
    fc.property(
      searchCases(),
      fc.constantFrom("inner-product", "cosine"),
      ({ dimensions, vectors, queries, k, allow }, similarity) => {
        const [left, right] = [kernels, others].map((used) => {
          using index = new VectorIndex({ dimensions, vectors, similarity, kernels: used });
          const { ids, scores, count } = index.search(queries, k, allow === undefined ? {} : { allow });
          return { count, ids: [...ids], bits: [...new Uint32Array(scores.buffer)] };
        });
        expect(left).toEqual(right);
      },
    ),
    { numRuns: 300 },
  );
}
