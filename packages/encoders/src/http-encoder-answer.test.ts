import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "./http-encoder-answer.ts";

test("whatever JSON a server sends, the answer is rows of length 1 or 0, or a short reason", () => {
  const number = fc.oneof(fc.double(), fc.constantFrom(0, 1e300, -1e-320));
  const embedding = fc.oneof(fc.array(number, { maxLength: 4 }), fc.base64String({ maxLength: 24 }), fc.jsonValue());
  const item = fc.record({ index: fc.oneof(fc.nat(3), fc.jsonValue()), embedding }, { requiredKeys: [] });
  const list = fc.array(fc.oneof(item, embedding), { maxLength: 3 });
  const answer = fc.oneof(list, fc.record({ data: list }), fc.jsonValue());
  const dimensions = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
  fc.assert(
    fc.property(answer, fc.nat(3), dimensions, (value, texts, known) => {
      const read = readAnswer(value, { texts, dimensions: known });
      if ("fault" in read) {
        expect(read.fault).toMatch(/^[^\n]{5,80}$/);
        return;
      }
      expect(read.rows.length).toBe(texts * read.dimensions);
      if (known !== undefined) expect(read.dimensions).toBe(known);
      for (let row = 0; row < texts; row++) {
        const length = Math.hypot(...read.rows.subarray(row * read.dimensions, (row + 1) * read.dimensions));
        if (length !== 0) expect(length).toBeCloseTo(1, 5);
      }
    }),
    { numRuns: 3000 },
  );
});

test("an answer nested a hundred thousand times is refused like any other", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(readAnswer(deep, { texts: 1, dimensions: 1 })).toEqual({
    fault: "a list in place of a number in embedding 0",
  });
});
