import { expect, test } from "vitest";
import { z } from "zod";
import { z as zod3 } from "zod/v3";
import { vendorSchema } from "./vendor-schema.ts";

const schemaOf = (value: unknown) => {
  const converted = vendorSchema(value);
  return "schema" in converted ? converted.schema : converted.reason;
};

test("JSON Schema comes back by reference.", () => {
  const schema = { type: "object", properties: {} };
  expect(schemaOf(schema)).toBe(schema);
});

test("Zod 4 is asked for what a caller may send: defaults are optional, dates are allowed.", () => {
  const schema = schemaOf(z.object({ a: z.string().default("x"), when: z.date().optional() })) as Record<
    string,
    unknown
  >;
  expect(schema).toMatchObject({ type: "object", properties: { a: { default: "x", type: "string" }, when: {} } });
  expect(schema).not.toHaveProperty("required");
});

test("A Standard Schema with a JSON Schema export, and ArkType's callable types, are asked for it.", () => {
  const exported = { type: "object", properties: { s: {} } };
  const standard = {
    "~standard": { version: 1, vendor: "any", validate: () => ({}), jsonSchema: { input: () => exported } },
  };
  expect(schemaOf(standard)).toBe(exported);
  const ark = Object.assign(() => "checked", {
    "~standard": { version: 1, vendor: "arktype" },
    toJsonSchema: () => exported,
  });
  expect(schemaOf(ark)).toBe(exported);
});

test("A function is asked for its schema; a Standard Schema that only validates is named.", () => {
  expect(schemaOf(() => ({ type: "object" }))).toEqual({ type: "object" });
  expect(schemaOf({ "~standard": { version: 1, vendor: "valibot" } })).toContain("valibot");
  for (const value of ["string", 3, [], null]) expect(schemaOf(value)).toContain("no object");
});

test("Zod 3's types, wrappers, unions and descriptions are read; lazy rings end.", () => {
  interface Tree {
    children: Tree[];
  }
  const tree: zod3.ZodType<Tree> = zod3.lazy(() => zod3.object({ children: zod3.array(tree) }));
  const schema = schemaOf(
    zod3
      .object({
        kind: zod3.enum(["a", "b"]).describe("Kind"),
        count: zod3.number().int().optional(),
        limit: zod3.number().default(10),
        either: zod3.union([zod3.string(), zod3.literal(1)]),
        maybe: zod3.nullable(zod3.boolean()),
        table: zod3.record(zod3.string()),
        tree,
      })
      .transform((value) => value),
  ) as { properties: Record<string, unknown> };
  expect(schema.properties).toMatchObject({
    kind: { type: "string", enum: ["a", "b"], description: "Kind" },
    count: { type: "number" },
    limit: { type: "number", default: 10 },
    either: { anyOf: [{ type: "string" }, { const: 1 }] },
    maybe: { anyOf: [{ type: "boolean" }, { type: "null" }] },
    table: { type: "object", additionalProperties: { type: "string" } },
    tree: { type: "object", properties: { children: { type: "array" } } },
  });
  expect(schema).toMatchObject({ required: ["kind", "either", "maybe", "table", "tree"] });
  expect(() => JSON.stringify(schema)).not.toThrow();
});
