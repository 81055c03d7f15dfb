import { describe, expect, test } from "vitest";
import { schemaPlaces } from "./schema-places.ts";

const bounds = { maxDepth: 4, maxPlaces: 50 };
const paths = (schema: object, own = bounds): string[] =>
  schemaPlaces(schema as Record<string, unknown>, own).places.map(({ path }) => path.join("/"));

describe("schemaPlaces", () => {
  test("objects, lists and their items are places, what is required first", () => {
    const schema = {
      type: "object",
      properties: {
        note: { type: "string" },
        lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
      },
      required: ["lines"],
    };
    expect(paths(schema)).toEqual(["", "lines", "note", "lines/*", "lines/*/sku"]);
  });

  test("a value is required only when all that it lies in is required", () => {
    const order = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    const { places } = schemaPlaces({ properties: { a: order, b: order }, required: ["a"] }, bounds);
    const required = places.filter(({ isRequired }) => isRequired).map(({ path }) => path.join("/"));
    expect(required).toEqual(["", "a", "a/id"]);
  });

  test("what only one branch of several requires is not required, but `T | null` is T", () => {
    const needs = { properties: { x: { type: "string" } }, required: ["x"] };
    const isRequired = (schema: object): boolean | undefined =>
      schemaPlaces(schema as Record<string, unknown>, bounds).places.find(({ path }) => path[0] === "x")?.isRequired;
    expect(isRequired({ anyOf: [needs, { properties: { y: {} } }] })).toBe(false);
    expect(isRequired({ anyOf: [needs, { type: "null" }] })).toBe(true);
    expect(isRequired({ allOf: [needs] })).toBe(true);
  });

  test("one definition may stand at several places, and a ring of references ends at the bound", () => {
    const schema = {
      properties: { owner: { $ref: "#/$defs/user" }, buyer: { $ref: "#/$defs/user" } },
      $defs: { user: { properties: { id: { type: "string" }, friend: { $ref: "#/$defs/user" } } } },
    };
    const found = paths(schema);
    expect(found).toContain("owner/id");
    expect(found).toContain("buyer/id");
    expect(found).toContain("owner/friend/friend/id");
    expect(Math.max(...found.map((path) => path.split("/").length))).toBe(4);
    expect(schemaPlaces(schema, bounds).problems.map(({ code }) => code)).toEqual(["schema-cut"]);
  });

  test("what lies near the top comes first, through however many references it is said", () => {
    // Without the bound there are 1 + 2 + 2 + 21 places; `b/id` is the fifth, though its schema is three steps further away than `a/x0`.
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x${i}`, { type: "string" }]));
    const schema = {
      properties: { a: { properties: { inner: { properties: wide } } }, b: { $ref: "#/$defs/one" } },
      $defs: {
        one: { allOf: [{ $ref: "#/$defs/two" }] },
        two: { allOf: [{ properties: { id: { type: "string" } } }] },
      },
    };
    expect(paths(schema, { maxDepth: 4, maxPlaces: 6 })).toEqual(["", "a", "b", "a/inner", "b/id", "a/inner/x0"]);
  });

  test("a schema without end is cut, a reference to nothing is told, and neither throws", () => {
    const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, { type: "string" }]));
    const { places, problems } = schemaPlaces({ properties: { ...wide, last: {} }, required: ["last"] }, bounds);
    expect(places.length).toBe(50);
    expect(places[1]?.path).toEqual(["last"]);
    expect(problems.map(({ code }) => code)).toEqual(["schema-cut"]);
    expect(schemaPlaces({ $ref: "#/nowhere" }, bounds).problems.map(({ code }) => code)).toEqual(["unresolved-ref"]);
    const hostile = {
      get properties(): never {
        throw new Error("no");
      },
    };
    expect(schemaPlaces(hostile, bounds).problems.map(({ code }) => code)).toEqual(["schema-cut"]);
    expect(schemaPlaces({ type: 7, required: "x", properties: [], items: 3, anyOf: {} }, bounds).places.length).toBe(1);
  });
});
