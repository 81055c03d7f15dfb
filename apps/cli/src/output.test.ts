import { expect, it } from "vitest";
import { columnWidth } from "./output.ts";

it("finds the width of a column of very many names", () => {
  expect(columnWidth(Array.from({ length: 300_000 }, (_, number) => `n${number}`))).toBe(7);
  expect(columnWidth([])).toBe(0);
});
