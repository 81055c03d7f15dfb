import { Validator } from "@cfworker/json-schema";
import type { JsonSchema } from "@setwise/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptsValue } from "./accepts-value.ts";

describe("acceptsValue", () => {
  it.each<[JsonSchema, unknown, string]>([
    [{ type: "integer" }, 1, "yes"],
    [{ type: "integer" }, 1.5, "no"],
    [{ type: ["string", "null"] }, null, "yes"],
    [{ enum: ["a", "b"] }, "c", "no"],
    [{ type: "string", pattern: "^a" }, "b", "maybe"],
    [{ type: "string", pattern: "^a" }, 1, "no"],
    [{ $ref: "#/$defs/x" }, 1, "maybe"],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, true, "no"],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1, "no"],
    [{ type: "object", required: ["a"] }, {}, "no"],
    [{ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }, { b: 1 }, "no"],
    [{ type: "array", items: { type: "string" }, minItems: 2 }, ["a"], "no"],
    [{ exclusiveMinimum: 0 }, 0, "no"],
  ])("says of %j and %j: %s", (schema, value, expected) => {
    expect(acceptsValue(schema, value)).toBe(expected);
  });

  it("never says yes or no where a validator says the opposite", () => {
    const leaf = fc.constantFrom<JsonSchema>(
      { type: "string" },
      { type: "string", minLength: 2 },
      { type: "integer", minimum: 1 },
      { type: "number", maximum: 3 },
      { type: "boolean" },
      { enum: ["a", 1] },
      { const: null },
    );
    const schema = fc.oneof(
      leaf,
      fc.tuple(leaf, leaf).map(([a, b]): JsonSchema => ({ anyOf: [a, b] })),
      fc.tuple(leaf, leaf).map(([a, b]): JsonSchema => ({ oneOf: [a, b] })),
      fc.tuple(leaf, leaf).map(([a, b]): JsonSchema => ({ allOf: [a, b] })),
      leaf.map((items): JsonSchema => ({ type: "array", items, maxItems: 2 })),
      leaf.map((a): JsonSchema => ({
        type: "object",
        properties: { a },
        required: ["a"],
        additionalProperties: false,
      })),
    );
    const plain = fc.constantFrom<unknown>("", "a", "abc", 0, 1, 2.5, 7, true, null);
    const value = fc.oneof(plain, fc.array(plain, { maxLength: 3 }), fc.dictionary(fc.constantFrom("a", "b"), plain));
    fc.assert(
      fc.property(schema, value, (given, tried) => {
        expect(acceptsValue(given, tried)).toBe(new Validator(given, "2020-12").validate(tried).valid ? "yes" : "no");
      }),
      { numRuns: 1000, seed: 3 },
    );
  });
});
