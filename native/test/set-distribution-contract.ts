import fc from "fast-check";
import { expect, test } from "vitest";
import { enumerateHyperedges, KernelError, type Kernels, openKernels, setDistributions } from "../src/index.ts";

const logit = fc.oneof(fc.double({ min: -8, max: 8, noNaN: true }), fc.constantFrom(0, 1, -900, 900));
const offset = fc.oneof(fc.double({ min: -8, max: 8, noNaN: true }), fc.constant(-Infinity));

/** What every implementation of the distribution over sets without pair terms must do. */
export function setDistributionContract(kernels: Kernels): void {
  const distribution = (logits: readonly number[], offsets: readonly number[], pool?: number) =>
    setDistributions(Float64Array.from(logits), Float64Array.from(offsets), {
      kernels,
      ...(pool === undefined ? {} : { pool }),
    });

  test("gives two equal tools equal shares, worked out by hand", () => {
    // w = (1, 1), c = (0, 0, 0): Z = 1 + 2 + 1; sizes 1/4, 2/4, 1/4; each tool is in 2 of 4 sets, in 1 of 2 of size one.
    const { sizes, inclusion, inclusionBySize, logZ } = distribution([0, 0], [0, 0, 0]);
    expect([...sizes]).toEqual([0.25, 0.5, 0.25]);
    expect([...inclusion]).toEqual([0.5, 0.5]);
    expect([...inclusionBySize]).toEqual([0, 0.25, 0.25, 0, 0.25, 0.25]);
    expect(logZ[0]).toBeCloseTo(Math.log(4), 14);
  });

  test("agrees with listing every set", () => {
    const logits = [0.3, -1, 2, 0.1, 1.4];
    const offsets = [0.5, 1, -0.5, 0.25];
    const pairs = new Float64Array(2 * 25);
    const listed = enumerateHyperedges(Float64Array.from(logits), pairs, {
      maxSize: 3,
      sizeOffsets: Float64Array.from(offsets.slice(1)),
      emptyScore: offsets[0]!,
      distribution: true,
      kernels,
    }).distribution!;
    const { logZ, inclusion } = distribution(logits, offsets);
    expect(logZ[0]).toBeCloseTo(listed.logPartition, 12);
    for (const [tool, value] of listed.inclusion.entries()) expect(inclusion[tool]).toBeCloseTo(value, 12);
  });

  test("loses nothing where logits lie further apart than exp reaches", () => {
    // Only pairs are allowed: the two of 900, for a third of -900 is no rival.
    const { sizes, inclusion, logZ } = distribution([-900, 900, 900], [-Infinity, -Infinity, 0]);
    expect([...sizes]).toEqual([0, 0, 1]);
    expect([...inclusion]).toEqual([0, 1, 1]);
    expect(logZ[0]).toBe(1800);
    // A pair must be: exp(-900) alone would vanish.
    expect([...distribution([0, -900], [-Infinity, -Infinity, 0]).inclusion]).toEqual([1, 1]);
  });

  test("puts all on the empty set where no size is possible", () => {
    for (const [logits, offsets] of [
      [[], [-Infinity, 1]],
      [[1], [-Infinity, -Infinity]],
    ] as const) {
      const { sizes, logZ } = distribution(logits, offsets);
      expect([...sizes]).toEqual([1, 0]);
      expect(logZ[0]).toBe(-Infinity);
    }
  });

  test("answers several queries as each alone, and none", () => {
    const both = distribution([3, 1, 0, 2], [0, 1, -Infinity, 2], 2);
    const each = [distribution([3, 1], [0, 1]), distribution([0, 2], [-Infinity, 2])];
    for (const column of ["sizes", "inclusion", "inclusionBySize", "logZ"] as const)
      expect([...both[column]]).toEqual(each.flatMap((one) => [...one[column]]));
    expect(distribution([], [], 3).logZ).toHaveLength(0);
  });

  test("adds up: sizes to 1, and what tools are in to the expected size", () => {
    fc.assert(
      fc.property(
        fc.array(logit, { minLength: 1, maxLength: 12 }),
        fc.array(offset, { minLength: 1, maxLength: 7 }),
        (logits, offsets) => {
          const { sizes, inclusion } = distribution(logits, offsets);
          const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
          expect(sum(sizes)).toBeCloseTo(1, 9);
          expect(sum(inclusion)).toBeCloseTo(sum(sizes.map((size, m) => m * size)), 9);
        },
      ),
    );
  });

  test.skipIf(kernels.implementation === "typescript")("gives the bits that TypeScript gives", () => {
    fc.assert(
      fc.property(
        fc.array(logit, { maxLength: 24 }),
        fc.array(offset, { minLength: 1, maxLength: 7 }),
        (logits, offsets) => {
          const [left, right] = [kernels, openKernels("typescript")].map((used) =>
            Object.values(
              setDistributions(Float64Array.from(logits), Float64Array.from(offsets), { kernels: used }),
            ).map((column: Float64Array) => [...column]),
          );
          expect(left).toEqual(right);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("refuses what is no number, wrong lengths and types", () => {
    const refused = (call: () => unknown, message: RegExp): void => {
      expect(call).toThrow(message);
      expect(call).toThrow(KernelError);
    };
    refused(() => distribution([Number.NaN], [0]), /^logits: expected finite numbers/);
    refused(() => distribution([1], [0, Number.NaN]), /^sizeOffsets: expected finite numbers or -Infinity/);
    refused(() => distribution([1], [0, Infinity]), /^sizeOffsets: expected finite numbers or -Infinity/);
    refused(() => distribution([1], []), /^sizeOffsets: expected a length/);
    refused(() => distribution([1, 2, 3, 4], [0, 1, 2], 2), /^sizeOffsets: expected a length of 2 times/);
    refused(() => distribution([1, 2, 3], [0, 1], 2), /^logits: expected a length/);
    refused(() => distribution([1], [0], 0), /^pool: expected/);
    refused(() => setDistributions([1] as never, Float64Array.of(0)), /^logits: expected a Float64Array/);
  });
}
