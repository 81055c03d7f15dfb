import { expect, test } from "vitest";
import { providerRules } from "./provider-rules.ts";
import { providerSchema } from "./provider-schema.ts";

const relax = (schema: Record<string, unknown>, provider: keyof typeof providerRules = "anthropic") =>
  providerSchema(schema, providerRules[provider]);

test("A schema that is accepted comes back itself.", () => {
  const schema = { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } }, $defs: {} };
  expect(relax(schema)).toEqual({ schema, changes: [] });
  expect(relax(schema).schema).toBe(schema);
  expect(relax(schema, "openai").schema).toBe(schema);
});

test("What every branch requires stays required; constants of a discriminator become one enum.", () => {
  const branch = (kind: string, own: string) => ({
    properties: { kind: { type: "string", const: kind }, [own]: { type: "string" } },
    required: ["kind", own],
  });
  const { schema } = relax({ type: "object", oneOf: [branch("card", "number"), branch("bank", "iban")] });
  expect(JSON.parse(JSON.stringify(schema))).toEqual({
    type: "object",
    properties: {
      kind: { type: "string", enum: ["card", "bank"] },
      number: { type: "string" },
      iban: { type: "string" },
    },
    required: ["kind"],
  });
});

test("An argument that differs between branches becomes a choice, and one that differs within allOf must meet both.", () => {
  const one = { properties: { x: { type: "string" } } };
  const two = { properties: { x: { type: "number" } } };
  expect(relax({ anyOf: [one, two] }).schema["properties"]).toEqual({
    x: { anyOf: [{ type: "string" }, { type: "number" }] },
  });
  expect(relax({ allOf: [one, two] }).schema["properties"]).toEqual({
    x: { allOf: [{ type: "string" }, { type: "number" }] },
  });
});

test("A reference at the root is resolved, conditions are united, other keywords of the root stay.", () => {
  const { schema } = relax({
    $ref: "#/$defs/root",
    description: "Kept",
    if: { properties: { a: {} } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, in data that is never awaited
    then: { properties: { b: {} }, required: ["b"] },
    $defs: { root: { properties: { a: { type: "string" } }, required: ["a"] } },
  });
  expect(schema).toEqual({
    description: "Kept",
    type: "object",
    properties: { a: { type: "string" }, b: {} },
    required: ["a"],
    $defs: { root: { properties: { a: { type: "string" } }, required: ["a"] } },
  });
});

test("A root of another type becomes an object, and a root without a type gets one.", () => {
  expect(relax({ type: "string" }).schema).toEqual({ type: "object" });
  expect(relax({ properties: {} }).schema).toEqual({ properties: {}, type: "object" });
  expect(relax({ properties: {} }).changes.length).toBe(1);
});

test("A reference into a branch that was merged still leads to its target; one that led nowhere is freed.", () => {
  const given = {
    anyOf: [{ properties: { from: { type: "string" }, to: { $ref: "#/anyOf/0/properties/from" } } }],
    properties: { lost: { $ref: "#/$defs/none", description: "Kept" } },
  };
  const { schema, changes } = relax(given);
  expect(schema).toEqual({
    type: "object",
    properties: { lost: { description: "Kept" }, from: { type: "string" }, to: { $ref: "#/$defs/part_1" } },
    $defs: { part_1: { type: "string" } },
  });
  expect(changes.length).toBe(2);
});

test("OpenAI gets properties and items where they are missing, without a word, as nothing changes by it.", () => {
  expect(relax({ type: "object" }, "openai")).toEqual({ schema: { type: "object", properties: {} }, changes: [] });
  const { schema, changes } = relax(
    {
      type: "object",
      properties: { list: { type: "array" }, pair: { type: "array", items: [{ type: "string" }, {}] } },
    },
    "openai",
  );
  expect(schema["properties"]).toEqual({
    list: { type: "array", items: {} },
    pair: { type: "array", items: { anyOf: [{ type: "string" }, {}] } },
  });
  expect(changes.length).toBe(1);
});

test("For Gemini references are written out, rings end, null becomes nullable, and other enums go to the description.", () => {
  const { schema, changes } = relax(
    {
      type: "object",
      additionalProperties: false,
      properties: {
        folder: { $ref: "#/$defs/folder" },
        size: { anyOf: [{ type: "integer", enum: [1, 2] }, { type: "null" }], description: "Size" },
        kind: { const: "a", title: "Kind" },
        when: { type: ["string", "null"], format: "date" },
        both: { allOf: [{ properties: { x: { type: "string" } } }, { properties: { y: {} } }] },
        choice: { oneOf: [{ type: "string" }, { type: "number" }] },
      },
      required: ["folder", "gone"],
      $defs: {
        folder: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/folder" } } } },
      },
    },
    "gemini",
  );
  expect(schema).toEqual({
    type: "object",
    properties: {
      folder: { type: "object", properties: { children: { type: "array", items: { type: "object" } } } },
      size: { type: "integer", description: "Size", nullable: true },
      kind: { type: "string", enum: ["a"] },
      when: { type: "string", nullable: true },
      both: { type: "object", properties: { x: { type: "string" }, y: { type: "string" } } },
      choice: { anyOf: [{ type: "string" }, { type: "number" }] },
    },
    required: ["folder"],
  });
  expect(changes.length).toBe(2);
});

test("An argument with thousands of different schemas may be anything.", () => {
  const branch = (number: number) => ({
    properties: { a: { type: "object", description: `${number}`.repeat(400), properties: { b: { type: "string" } } } },
  });
  const branches = (count: number) => ({ anyOf: Array.from({ length: count }, (_, number) => branch(number)) });
  expect(relax(branches(3)).schema["properties"]).toMatchObject({ a: { anyOf: [{}, {}, {}] } });
  expect(relax(branches(1_900)).schema["properties"]).toEqual({ a: {} });
});

test("Thousands of arguments that become one name are renamed in one pass.", () => {
  const names = Array.from(
    { length: 20_000 },
    (_, number) => `a${number.toString(2).replaceAll("0", "$").replaceAll("1", "!")}`,
  );
  const { schema } = relax({ type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) });
  expect(Object.keys(schema["properties"] as object)).toHaveLength(20_000);
});
