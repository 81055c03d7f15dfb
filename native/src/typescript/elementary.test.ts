import { expect, test } from "vitest";
import { exp, ln } from "./elementary.ts";

test("exp and ln are within two units in the last place", () => {
  expect([exp(0), ln(1), exp(-708.1), exp(709.1), ln(0)]).toEqual([1, 0, 0, Infinity, -Infinity]);
  expect(exp(Number.NaN)).toBeNaN();
  for (let x = -708; x < 709; x += 0.37) {
    expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(4.5e-16);
    const y = Math.exp(x);
    expect(Math.abs(ln(y) - Math.log(y))).toBeLessThanOrEqual(4.5e-16 * Math.abs(Math.log(y)) + Number.MIN_VALUE);
  }
});
