import { expect, test } from "vitest";
import { seededRandom } from "./seeded-random.ts";

test("the sequence of a seed is that of the published generator, in 2^-32", () => {
  const numbersOf = (seed: number) => Array.from({ length: 3 }, seededRandom(seed));
  // The C of the published generator, compiled, with the states 1 and 4294967295: z ^ (z >> 14), three times.
  expect(numbersOf(1).map((value) => value * 2 ** 32)).toEqual([2_693_262_067, 11_749_833, 2_265_367_787]);
  expect(numbersOf(-1).map((value) => value * 2 ** 32)).toEqual([3_850_105_811, 813_802_916, 3_073_704_848]);
});
