import { expect, test } from "vitest";
import { isPlainJson } from "./plain-json.ts";

test("plain objects and arrays are plain JSON", () => {
  expect(isPlainJson({ a: [1, "b", true, null, { c: {} }], d: -1.5 })).toBe(true);
  expect(isPlainJson(Object.assign(Object.create(null), { a: 1 }))).toBe(true);
});

test.each([
  ["a function", { execute: () => 1 }],
  ["undefined", { a: undefined }],
  ["NaN", { a: Number.NaN }],
  ["a date", { a: new Date(0) }],
  ["a map", { a: new Map() }],
  ["a symbol key", { [Symbol("a")]: 1 }],
  ["a big number", { a: 1n }],
  ["an array with holes", { a: Array.from({ length: 2, 0: 1 }) }],
  ["a hole", [1, , 2]], // oxlint-disable-line no-sparse-arrays
  ["its own toJSON", { toJSON: 1 }],
  ["a text", "text"],
  ["nothing", null],
])("%s is not", (_, value) => {
  expect(isPlainJson(value)).toBe(false);
});

test("a getter is not called", () => {
  let called = false;
  const value = Object.defineProperty({}, "a", { enumerable: true, get: () => (called = true) });
  expect(isPlainJson(value)).toBe(false);
  expect(called).toBe(false);
});

test("rings, depth and size come to an end", () => {
  const ring: Record<string, unknown> = {};
  ring["self"] = ring;
  expect(isPlainJson(ring)).toBe(false);
  let deep: unknown = {};
  for (let depth = 0; depth < 5000; depth++) deep = { p: deep };
  expect(isPlainJson(deep)).toBe(false);
  expect(isPlainJson({ text: "x".repeat(1_000_001) })).toBe(false);
  expect(isPlainJson(Array.from({ length: 20_001 }, () => 1))).toBe(false);
});
