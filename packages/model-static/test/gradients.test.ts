import { mulberry32 } from "@setwise/testkit/random";
import { expect, test } from "vitest";
import { contrastLoss, distilLoss, type Loss } from "../scripts/losses.ts";
import { backToRows, similarities } from "../scripts/similarities.ts";
import type { Table, TokenizedTexts } from "../scripts/table.ts";
import { encodeBatch, tokenGradient } from "../scripts/token-gradient.ts";

const count = 4;
const chosen = [0, 1, 2, 3];
// Six tokens in four texts; token 1 stands twice in the first.
const texts: TokenizedTexts = { starts: Int32Array.of(0, 3, 5, 6, 9), ids: Int32Array.of(1, 1, 0, 2, 3, 4, 5, 0, 2) };
const others: TokenizedTexts = { starts: Int32Array.of(0, 1, 3, 5, 6), ids: Int32Array.of(0, 3, 4, 5, 1, 2) };
const random = mulberry32(7);
const table: Table = { dimensions: 3, rows: Float32Array.from({ length: 18 }, () => random() - 0.5) };
const teacher = similarities(Float32Array.from({ length: 8 }, random), Float32Array.from({ length: 8 }, random), count);

/** The change of a loss when each number of the table grows a little, over that little. */
function slopes(lossOf: (products: Float32Array) => Loss): number[] {
  const small = 1e-2;
  const valueWith = (index: number, change: number) => {
    const rows = table.rows.slice();
    rows[index]! += change;
    const moved = { dimensions: 3, rows };
    const [left, right] = [encodeBatch(texts, chosen, moved), encodeBatch(others, chosen, moved)];
    return lossOf(similarities(left.vectors, right.vectors, count)).value;
  };
  return Array.from(table.rows, (_, index) => (valueWith(index, small) - valueWith(index, -small)) / (2 * small));
}

/** What the first step of Adam goes by: it moves each number by the rate against the sign of its gradient. */
function signsOfStep(lossOf: (products: Float32Array) => Loss): number[] {
  const moved: Table = { dimensions: 3, rows: table.rows.slice() };
  const [left, right] = [encodeBatch(texts, chosen, moved), encodeBatch(others, chosen, moved)];
  const loss = lossOf(similarities(left.vectors, right.vectors, count));
  const [byLeft, byRight] = backToRows(loss.gradient, left.vectors, right.vectors, count);
  const gradient = tokenGradient(moved);
  gradient.add(left, byLeft);
  gradient.add(right, byRight);
  gradient.step(0.1);
  return Array.from(moved.rows, (value, index) => Math.sign(table.rows[index]! - value));
}

const losses: readonly (readonly [string, (products: Float32Array) => Loss])[] = [
  ["pairs", (products) => contrastLoss(products, count, { temperature: 0.5, same: () => false })],
  ["the teacher", (products) => distilLoss(products, teacher, count, { temperature: 0.5, same: (a, b) => a === b })],
];

for (const [name, lossOf] of losses)
  test(`the gradient of the loss of ${name} goes through the texts to the right rows`, () => {
    const measured = slopes(lossOf);
    const steep = [...measured.keys()].filter((index) => Math.abs(measured[index]!) > 1e-3);
    expect(steep.length).toBeGreaterThan(9);
    const signs = signsOfStep(lossOf);
    expect(steep.map((index) => signs[index])).toEqual(steep.map((index) => Math.sign(measured[index]!)));
  });

test("the gradient by similarities is that of the loss", () => {
  for (const [, lossOf] of losses) {
    const products = Float32Array.from({ length: count * count }, mulberry32(3));
    const { gradient } = lossOf(products);
    for (const [index, slope] of gradient.entries()) {
      const changed = (by: number) =>
        lossOf(products.map((value, place) => (place === index ? value + by : value))).value;
      expect(slope).toBeCloseTo((changed(0.01) - changed(-0.01)) / 0.02, 3);
    }
  }
});

test("pairs with an equal text neither attract nor repel each other", () => {
  const products = Float32Array.of(1, 0.9, 0.9, 1);
  const { value, gradient } = contrastLoss(products, 2, { temperature: 1, same: () => true });
  expect(value).toBe(0);
  expect([...gradient]).toEqual([0, 0, 0, 0]);
});
