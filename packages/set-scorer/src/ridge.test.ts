import { expect, test } from "vitest";
import { ridgeRegression } from "./ridge.ts";
import { textResidual, textRows } from "./text-rows.ts";

test("ridge regression of λ = 1: of x = (1, 0), (0, 2) and y = 3, 4 it is 3 / 2 and 8 / 5", () => {
  const shape = { rows: Uint32Array.of(0, 1), width: 2, targetWidth: 1 };
  const found = ridgeRegression(Float32Array.of(1, 0, 0, 2), Float32Array.of(3, 4), shape);
  expect(found[0]).toBeCloseTo(1.5, 6);
  expect(found[1]).toBeCloseTo(1.6, 6);
});

test("a tool of which no seen one tells anything stays where its text is, with length 1", () => {
  const vectors = Float32Array.of(1, 0, 0, 1);
  const embeddings = Float32Array.of(0.6, 0.8, 9, 9);
  const matrix = textResidual(vectors, embeddings, { seen: Uint32Array.of(0), dimensions: 2, toolDimensions: 2 });
  const [first, second, third, fourth] = textRows(matrix, vectors, 2);
  // Half of what was learned of tool 0, since λ is 1: (1 − 0.2, 0.4) by its length √0.8.
  expect(first).toBeCloseTo(0.8 / Math.sqrt(0.8), 6);
  expect(second).toBeCloseTo(0.4 / Math.sqrt(0.8), 6);
  expect([third, fourth]).toEqual([0, 1]);
});

test("a tool's row is its text times the matrix, at length 1, and zeros where the text has no known word", () => {
  const matrix = Float32Array.of(1, 10, 2, 20, 3, 30, 4, 40, 5, 50);
  // 1 + 4 + 9 + 16 + 25 = 55, and ten times that: (55, 550) / (55 √101).
  const [one, other, ...none] = textRows(matrix, Float32Array.of(1, 2, 3, 4, 5, 0, 0, 0, 0, 0), 5);
  expect(one).toBeCloseTo(1 / Math.sqrt(101), 6);
  expect(other).toBeCloseTo(10 / Math.sqrt(101), 6);
  expect(none).toEqual([0, 0]);
});
