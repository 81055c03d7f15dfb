import { describe, expect, test } from "vitest";
import { copyShifted, stretchesOf } from "./stretches.ts";

const stretches = (before: readonly number[], numbers: readonly number[]): (readonly number[])[] =>
  stretchesOf(Uint32Array.from(before), Uint32Array.from(numbers), 10).map(({ old, now, count }) => [old, now, count]);

describe("stretchesOf", () => {
  test("covers a list by what stood one behind the other before, and by what is new", () => {
    expect(stretches([1, 2, 3, 4], [1, 2, 3, 4])).toEqual([[0, 0, 4]]);
    // One went, two new ones came, the last two are where they were.
    expect(stretches([1, 2, 3, 4], [2, 9, 8, 3, 4])).toEqual([
      [1, 0, 1],
      [-1, 1, 2],
      [2, 3, 2],
    ]);
    expect(stretches([1, 2, 3], [3, 1, 2])).toEqual([
      [2, 0, 1],
      [0, 1, 2],
    ]);
    expect(stretches([], [5, 6])).toEqual([[-1, 0, 2]]);
    expect(stretches([5, 6], [])).toEqual([]);
  });
});

describe("copyShifted", () => {
  test("copies to a place, all larger or smaller by as much", () => {
    const into = new Uint32Array(5);
    copyShifted(Uint32Array.of(7, 9), 0, into, 0);
    copyShifted(Uint32Array.of(7, 9), -3, into, 3);
    expect([...into]).toEqual([7, 9, 0, 4, 6]);
  });
});
