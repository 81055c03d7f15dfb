import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { checkEncoderRows, wrongRow } from "./encoder-rows.ts";

const encoder = { name: "two", dimensions: 2 };
const refusalOf = (rows: unknown, texts = 1): string => {
  try {
    checkEncoderRows(rows, texts, encoder);
    return "none";
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid-argument" });
    return (error as Error).message;
  }
};

test("rows of length 1, within half precision, and rows of zeros are taken, also from another realm", () => {
  // 0.6² + 0.8² is 1; 0.9995 is half the tolerance away.
  expect(refusalOf(Float32Array.of(0.6, 0.8, 0, 0, 0.9995, 0), 3)).toBe("none");
  expect(refusalOf(runInNewContext("Float32Array.of(1, 0)"))).toBe("none");
  expect(refusalOf(new Float32Array(0), 0)).toBe("none");
});

test.each([
  [Float32Array.of(1), "must give 1 rows of 2 numbers, 2 in all, but gave 1 numbers"],
  [Float32Array.of(1, 0, 0), "but gave 3 numbers"],
  [[1, 0], "a value of the kind Array, no Float32Array"],
  [Float64Array.of(1, 0), "a value of the kind Float64Array"],
  [undefined, "a value of the kind Undefined"],
  [{ [Symbol.toStringTag]: "Float32Array", length: 2 }, "no Float32Array"],
  [Float32Array.of(Number.NaN, 0), "gave NaN for text 0"],
  [Float32Array.of(0, -Infinity), "gave -Infinity for text 0"],
  [Float32Array.of(3, 4), "gave a row of length 5 for text 0; each row must be of length 1"],
])("the encoder that gives %s is named, and what is wrong", (rows, message) => {
  expect(refusalOf(rows)).toContain(message);
  expect(refusalOf(rows)).toMatch(/^The encoder two /);
});

test("the first wrong row is told, with its length", () => {
  expect(wrongRow(Float32Array.of(1, 0, 0, 0, 0, 2, 9, 9), 2)).toEqual({ row: 2, length: 2 });
  expect(wrongRow(Float32Array.of(1, 0), 2)).toBeUndefined();
});

test.each([0, -1, 0.5, Number.NaN])("no rows have %d numbers each", (dimensions) => {
  expect(() => wrongRow(Float32Array.of(0, 0), dimensions)).toThrow(
    expect.objectContaining({ code: "invalid-argument" }),
  );
});

test("of the longest name a message shows the beginning", () => {
  const long = { name: "x".repeat(5_000_000), dimensions: 1 };
  let message = "";
  try {
    checkEncoderRows(Float32Array.of(2), 1, long);
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain(`${"x".repeat(200)}…`);
  expect(message.length).toBeLessThan(1_000);
});
