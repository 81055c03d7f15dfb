import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { isFloat32Array } from "./float32-array.ts";

test("columns of 32-bit floats are told from all else, also those of another realm", () => {
  expect(isFloat32Array(Float32Array.of(1))).toBe(true);
  expect(isFloat32Array(runInNewContext("Float32Array.of(1)"))).toBe(true);
  for (const other of [Float64Array.of(1), [1], new DataView(new ArrayBuffer(4)), {}, null, undefined, 1, "1"])
    expect(isFloat32Array(other)).toBe(false);
});

test("what only says that it is one is none", () => {
  expect(isFloat32Array({ [Symbol.toStringTag]: "Float32Array", length: 2 })).toBe(false);
});
