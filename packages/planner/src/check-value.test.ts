import { expect, test } from "vitest";
import { checkValue } from "./check-value.ts";

const order = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "integer" },
    state: { enum: ["open", "closed"] },
    items: { type: "array", items: { $ref: "#/$defs/item" } },
  },
  $defs: { item: { type: "object", required: ["sku"], properties: { sku: { type: "string" } } } },
};

test("a value that its schema describes has no problem, nor has one without a schema", () => {
  expect(checkValue(order, { id: 1, state: "open", items: [{ sku: "a" }], more: true })).toEqual([]);
  expect(checkValue({}, [1, "a", null])).toEqual([]);
});

test.each([
  [[], "", 'expected "object", but it is []'],
  [{}, "", 'the property "id" is missing'],
  [{ id: "7" }, "/id", 'expected "integer", but it is "7"'],
  [{ id: 1, state: "lost" }, "/state", 'expected one of ["open", "closed"], but it is "lost"'],
  [{ id: 1, items: [{ sku: "a" }, {}] }, "/items/1", 'the property "sku" is missing'],
])("%j breaks its schema at %j", (value, pointer, message) => {
  expect(checkValue(order, value)).toEqual([{ pointer, message }]);
});

test("of several forms one must fit in type", () => {
  const schema = { anyOf: [{ type: "string" }, { type: "object", required: ["id"] }] };
  expect(checkValue(schema, "x")).toEqual([]);
  expect(checkValue(schema, 5)).toHaveLength(1);
});

test("null stands for nothing, not for a wrong type", () => {
  expect(checkValue(order, { id: 1, state: null, items: null })).toEqual([]);
});

test("a type that nobody knows is none to break", () => {
  expect(checkValue({ properties: { id: { type: "uuid" } } }, { id: "u1" })).toEqual([]);
});

test("schemas without an end and values without an end come to one", () => {
  const ring: Record<string, unknown> = { type: "object", properties: {} };
  (ring["properties"] as Record<string, unknown>)["next"] = ring;
  let deep: Record<string, unknown> = {};
  for (let depth = 0; depth < 50_000; depth++) deep = { next: deep };
  expect(checkValue(ring, deep)).toEqual([]);
  expect(checkValue({ allOf: [{ $ref: "#" }, { $ref: "#" }] }, {})).toEqual([]);
  expect(
    checkValue(
      { type: "array", items: { type: "string" } },
      Array.from({ length: 100_000 }, () => 1),
    ),
  ).toHaveLength(10);
});

test("a schema with more parts than a call can take arguments is looked at from its beginning", () => {
  const allOf = [{ type: "object" }, { required: ["id"] }, ...Array.from({ length: 130_000 }, () => ({}))];
  expect(checkValue({ allOf }, {})).toEqual([{ pointer: "", message: 'the property "id" is missing' }]);
  const names = Array.from({ length: 30_000 }, (_, at) => `k${at}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const value = Object.fromEntries(names.map((name) => [name, "v"]));
  expect(checkValue({ properties }, value)).toEqual([]);
  expect(checkValue({ properties }, { ...value, k1: 5 })).toHaveLength(1);
});

test("many choices for many items are looked at within one budget, the rest is taken on trust", () => {
  let looks = 0;
  const choice = (): unknown => {
    looks++;
    return "other";
  };
  const choices: unknown[] = Array.from({ length: 1_000 });
  for (const place of choices.keys()) Object.defineProperty(choices, place, { get: choice });
  choices.push("hit");
  const list = Array.from({ length: 20_000 }, () => "hit");
  expect(checkValue({ items: { enum: choices } }, list)).toEqual([]);
  // All of them would be twenty million looks.
  expect(looks).toBeLessThanOrEqual(500_000);
});
