import { expect, test } from "vitest";
import { countCoUse, coUseTable } from "./co-use.ts";

test("pairs that were together more often than by chance have the logarithm of how much, shrunk", () => {
  const sets = [[0, 1], [0, 1], [0, 2], [3]].map((set) => Uint32Array.from(set));
  const coUse = countCoUse(sets, 4);
  expect([...coUse.pairs]).toEqual([0, 1, 0, 2]);
  // Of four sets tool 0 is in 3, tool 1 in 2: 1.5 would be expected, 2 were; ln(3 / 2.5). Of tool 2: 0.75 and 1.
  expect(coUse.values[0]).toBeCloseTo(Math.log(3 / 2.5), 6);
  expect(coUse.values[1]).toBeCloseTo(Math.log(2 / 1.75), 6);
  const of = coUseTable(coUse);
  expect([of(1, 0), of(1, 2)]).toEqual([coUse.values[0], 0]);
});

test("pairs that chance alone would bring together have nothing, and dumps of sessions do not count", () => {
  const coUse = countCoUse(
    [Uint32Array.of(0, 1), Uint32Array.of(0, 1), Uint32Array.from({ length: 9 }, (_, at) => at)],
    9,
  );
  // Both tools are in all sets that count.
  expect([...coUse.values]).toEqual([0]);
});
