import { expect, test } from "vitest";
import { schemaFields } from "./schema-fields.ts";

const names = (schema: Record<string, unknown>, options = {}) =>
  schemaFields(schema, options).fields.map((field) => `${field.depth}:${field.name}`);

test("Properties come shallow first, in order of appearance, with their descriptions.", () => {
  const { fields, problems } = schemaFields({
    type: "object",
    properties: {
      order: { type: "object", description: "The order", properties: { total: { type: "number" } } },
      note: { type: "string", description: "A remark" },
    },
  });
  expect(fields).toEqual([
    { name: "order", description: "The order", depth: 0 },
    { name: "note", description: "A remark", depth: 0 },
    { name: "total", description: "", depth: 1 },
  ]);
  expect(problems).toEqual([]);
});

test("Branches of the root count as the root's own arguments and a name is given once.", () => {
  const branch = (name: string) => ({ properties: { kind: { type: "string" }, [name]: { type: "string" } } });
  expect(names({ properties: { id: {} }, anyOf: [branch("a")], oneOf: [branch("b")], allOf: [branch("c")] })).toEqual([
    "0:id",
    "0:kind",
    "0:c",
    "0:a",
    "0:b",
  ]);
});

test("References, items and maps are followed, and an argument takes the description of what it refers to.", () => {
  const { fields } = schemaFields({
    properties: {
      buyer: { $ref: "#/$defs/a~1b" },
      lines: { type: "array", items: { $ref: "#line" } },
      labels: { additionalProperties: { properties: { colour: {} } } },
      either: { anyOf: [{ type: "null" }, { type: "string", description: "A web address" }] },
    },
    $defs: {
      "a/b": { description: "Who buys", properties: { email: { description: "Mail address" } } },
      line: { $anchor: "line", properties: { sku: {} } },
    },
  });
  // `colour` before `sku`: `lines` needs one step more, through its reference.
  expect(fields).toEqual([
    { name: "buyer", description: "Who buys", depth: 0 },
    { name: "lines", description: "", depth: 0 },
    { name: "labels", description: "", depth: 0 },
    { name: "either", description: "A web address", depth: 0 },
    { name: "email", description: "Mail address", depth: 1 },
    { name: "colour", description: "", depth: 1 },
    { name: "sku", description: "", depth: 1 },
  ]);
});

test("Rings of references are read once.", () => {
  expect(
    names({
      allOf: [{ $ref: "#/$defs/a" }],
      $defs: {
        a: { allOf: [{ $ref: "#/$defs/b" }], properties: { alpha: { $ref: "#" } } },
        b: { allOf: [{ $ref: "#/$defs/a" }], properties: { beta: {} } },
      },
    }),
  ).toEqual(["0:alpha", "0:beta"]);
});

test("A really cyclic object is read once.", () => {
  const folder: Record<string, unknown> = { properties: { label: {} } };
  (folder["properties"] as Record<string, unknown>)["parent"] = folder;
  expect(names({ properties: { root: folder } })).toEqual(["0:root", "1:label", "1:parent"]);
});

test("Two arguments that share a definition both take its description.", () => {
  const { fields } = schemaFields({
    properties: { from: { $ref: "#/$defs/day" }, to: { $ref: "#/$defs/day" } },
    $defs: { day: { description: "ISO day" } },
  });
  expect(fields.map((field) => field.description)).toEqual(["ISO day", "ISO day"]);
});

test("5,000 levels are cut at the stated depth with a note.", () => {
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < 5_000; level++) schema = { type: "object", properties: { p: schema } };
  const { fields, problems } = schemaFields(schema, { maxDepth: 3 });
  // Depths 0 to 3.
  expect(fields.length).toBe(4);
  expect(problems).toEqual([
    { code: "schema-cut", message: "Properties nested deeper than 3 levels are not searched." },
  ]);
});

test("Too many arguments, and too many branches without arguments, end with a note.", () => {
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, position) => [`p${position}`, {}]));
  expect(schemaFields({ properties }, { maxFields: 5 })).toMatchObject({
    fields: { length: 5 },
    problems: [{ code: "schema-cut" }],
  });
  const anyOf = Array.from({ length: 1_000 }, () => ({ minProperties: 1 }));
  expect(schemaFields({ anyOf }, { maxFields: 5 }).problems).toMatchObject([{ code: "schema-cut" }]);
});

test("A reference that names nothing is a note and its argument keeps its name.", () => {
  const { fields, problems } = schemaFields({
    properties: { thing: { $ref: "#/$defs/missing" }, other: { $ref: "https://example.com/x.json" }, plain: {} },
  });
  expect(fields.map((field) => field.name)).toEqual(["thing", "other", "plain"]);
  expect(problems.map((problem) => problem.code)).toEqual(["unresolved-ref", "unresolved-ref"]);
});

test("Prototype names are neither followed nor invented.", () => {
  const hostile = JSON.parse('{"properties":{"__proto__":{"description":"d"},"constructor":{"$ref":"#/constructor"}}}');
  const { fields, problems } = schemaFields(hostile);
  expect(fields.map((field) => field.name)).toEqual(["__proto__", "constructor"]);
  expect(problems.map((problem) => problem.code)).toEqual(["unresolved-ref"]);
});

test("Wrong shapes and getters that throw give no fields and no exception.", () => {
  expect(names({ properties: null, items: 3, anyOf: "x", allOf: [null, true, 1] })).toEqual([]);
  const throwing = {
    get properties(): never {
      throw new Error("no");
    },
  };
  expect(schemaFields(throwing)).toMatchObject({ fields: [], problems: [{ code: "schema-cut" }] });
});
