import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverage, setDistribution } from "./set-distribution.ts";

/** The same by listing every set. */
function enumerate(
  logits: readonly number[],
  offsets: readonly number[],
): { sizes: number[]; inclusion: number[]; logZ: number } {
  const sizes = offsets.map(() => 0);
  const inclusion = logits.map(() => 0);
  let z = 0;
  for (let mask = 0; mask < 2 ** logits.length; mask++) {
    const members = logits.map((_, t) => t).filter((t) => (mask >> t) & 1);
    const offset = offsets[members.length];
    if (offset === undefined) continue;
    const weight = Math.exp(members.reduce((sum, t) => sum + (logits[t] as number), offset));
    z += weight;
    sizes[members.length] = (sizes[members.length] as number) + weight;
    for (const t of members) inclusion[t] = (inclusion[t] as number) + weight;
  }
  return { sizes: sizes.map((size) => size / z), inclusion: inclusion.map((value) => value / z), logZ: Math.log(z) };
}

const number = fc.double({ min: -8, max: 8, noNaN: true });

describe("setDistribution", () => {
  it("agrees with listing every set", () => {
    fc.assert(
      fc.property(
        fc.array(number, { maxLength: 9 }),
        fc.array(number, { minLength: 1, maxLength: 6 }),
        (logits, offsets) => {
          const expected = enumerate(logits, offsets);
          const actual = setDistribution(Float64Array.from(logits), Float64Array.from(offsets));
          expect(actual.logZ).toBeCloseTo(expected.logZ, 9);
          for (const [m, size] of expected.sizes.entries()) expect(actual.sizes[m]).toBeCloseTo(size, 9);
          for (const [t, value] of expected.inclusion.entries()) expect(actual.inclusion[t]).toBeCloseTo(value, 9);
        },
      ),
    );
  });

  it("gives two equal tools equal shares, worked out by hand", () => {
    // w = (1, 1), c = (0, 0, 0): Z = 1 + 2 + 1; sizes 1/4, 2/4, 1/4; each tool is in 2 of 4 sets.
    const { sizes, inclusion, logZ } = setDistribution(Float64Array.of(0, 0), Float64Array.of(0, 0, 0));
    expect([...sizes]).toEqual([0.25, 0.5, 0.25]);
    expect([...inclusion]).toEqual([0.5, 0.5]);
    expect(logZ).toBeCloseTo(Math.log(4), 12);
  });

  it("stays finite where exp alone would overflow or vanish", () => {
    for (const far of [2000, -2000]) {
      const { sizes, inclusion } = setDistribution(Float64Array.of(far, far), Float64Array.of(-Infinity, 0, 0));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(1, 12);
      expect(inclusion[0]).toBe(inclusion[1]);
    }
  });

  it("puts all probability on the empty set when there are no tools, or no size is allowed", () => {
    expect([...setDistribution(new Float64Array(0), Float64Array.of(-Infinity, 1)).sizes]).toEqual([1, 0]);
    expect([...setDistribution(Float64Array.of(1), Float64Array.of(-Infinity, -Infinity)).sizes]).toEqual([1, 0]);
  });
});

describe("coverage", () => {
  it("is the share of the sets that lie within the first k", () => {
    fc.assert(
      fc.property(
        fc.array(number, { maxLength: 8 }),
        fc.array(number, { minLength: 1, maxLength: 5 }),
        (unsorted, offsets) => {
          const logits = unsorted.toSorted((a, b) => b - a);
          const whole = enumerate(logits, offsets).logZ;
          const values = coverage(Float64Array.from(logits), Float64Array.from(offsets));
          for (let k = 0; k <= logits.length; k++)
            expect(values[k]).toBeCloseTo(Math.exp(enumerate(logits.slice(0, k), offsets).logZ - whole), 9);
        },
      ),
    );
  });

  it("stays finite where logits lie further apart than exp reaches", () => {
    // Only pairs: nothing is covered before the second, all from there on.
    const values = coverage(Float64Array.of(900, -900, -2000), Float64Array.of(-Infinity, -Infinity, 0));
    expect([...values].map((value) => Math.round(1e9 * value) / 1e9)).toEqual([0, 0, 1, 1]);
  });
});
