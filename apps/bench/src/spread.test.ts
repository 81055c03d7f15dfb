import { expect, test } from "vitest";
import { spread } from "./spread.ts";

test("one seed is a mean, several are a mean with the standard deviation, none is a dash", () => {
  expect(spread([0.4213])).toBe("42.1");
  // Mean 50; squares 100 + 0 + 100 over two: 10.
  expect(spread([0.4, 0.5, 0.6])).toBe("50.0 ± 10.0");
  expect(spread([undefined])).toBe("–");
});
