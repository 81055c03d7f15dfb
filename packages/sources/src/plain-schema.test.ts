import fc from "fast-check";
import { expect, test } from "vitest";
import { plainSchema } from "./plain-schema.ts";

test("A sound schema comes back itself, also with null where null is a value and a property called properties.", () => {
  const schema = {
    type: "object",
    properties: {
      properties: { type: "object", default: null, description: "Own" },
      b: { const: null, examples: [null] },
    },
  };
  expect(plainSchema(schema)).toEqual({ schema, notes: [] });
  expect(plainSchema(schema).schema).toBe(schema);
});

test("Null parts are read as empty, at any depth.", () => {
  const { schema, notes } = plainSchema({
    type: "object",
    properties: {
      a: null,
      b: { type: "object", properties: null, required: null },
      c: { anyOf: [null, { type: "string" }] },
    },
    required: null,
    $defs: null,
  });
  expect(schema).toEqual({
    type: "object",
    properties: { a: {}, b: { type: "object", properties: {} }, c: { anyOf: [{}, { type: "string" }] } },
  });
  expect(notes.map((note) => note.code)).toEqual(["filled-in"]);
});

test("Any JSON at all under any keyword comes back as JSON that can be written, and the given value is not touched.", () => {
  const keyword = fc.constantFrom("properties", "items", "anyOf", "$ref", "$defs", "required", "type", "default", "x");
  const { schema } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, "text", 1, true),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("schema"),
    ),
    schema: fc.dictionary(keyword, tie("value"), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(schema as fc.Arbitrary<Record<string, unknown>>, (given) => {
      const before = JSON.stringify(given);
      const plain = plainSchema(given).schema;
      expect(() => JSON.stringify(plain)).not.toThrow();
      expect(JSON.stringify(given)).toBe(before);
      expect(JSON.stringify(plainSchema(plain).schema)).toBe(JSON.stringify(plain));
    }),
  );
});
