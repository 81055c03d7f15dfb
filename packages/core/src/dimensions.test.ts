import { expect, test } from "vitest";
import { isDimensions } from "./dimensions.ts";

test("a vector has from 1 to 65,536 whole dimensions", () => {
  for (const dimensions of [1, 384, 65_536]) expect(isDimensions(dimensions)).toBe(true);
  for (const other of [0, -1, 0.5, 65_537, Number.NaN, Infinity, "3", null, undefined])
    expect(isDimensions(other)).toBe(false);
});
