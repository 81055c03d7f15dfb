import { schemaFields } from "@setwise/core";
import { expect, test } from "vitest";
import { readTools } from "../read-tools.ts";

const v3 = (paths: unknown, more = {}) =>
  readTools({ openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths, ...more });

test("One tool an operation: name, summary and description, tags, hints from the method, the operation by reference.", () => {
  const operation = {
    operationId: "getUser",
    summary: "Get a user",
    description: "Get a user by id.",
    tags: ["Users"],
  };
  const list = v3({ "/users/{id}": { get: operation, delete: { operationId: "deleteUser" }, "x-note": {} } });
  expect(list.tools).toMatchObject([
    {
      id: "getUser",
      description: "Get a user by id.",
      server: "Shop",
      tags: ["Users"],
      annotations: { readOnlyHint: true },
    },
    { id: "deleteUser", description: "", annotations: { destructiveHint: true, idempotentHint: true } },
  ]);
  expect(list.tools[0]?.original).toBe(operation);
});

test("A missing operationId is made from method and path, and made names are distinct.", () => {
  const list = v3({ "/users/{id}/posts": { get: {} }, "/users/by_id/posts": { get: {} }, "/": { post: {} } });
  expect(list.tools.map((tool) => tool.name)).toEqual(["get_users_by_id_posts", "get_users_by_id_posts_2", "post"]);
});

test("An operationId used twice is reported and both operations are told apart.", () => {
  const list = v3({
    "/a": { get: { operationId: "read" } },
    "/b": { get: { operationId: "read" } },
    "/c": { get: { operationId: "other" } },
  });
  expect(list.tools.map((tool) => tool.id)).toEqual(["read_get_a", "read_get_b", "other"]);
  expect(list.problems).toMatchObject([{ code: "name-collision" }]);
});

test("Parameters of path and operation, through references, and an object body become one object of arguments.", () => {
  const list = v3(
    {
      "/orders/{id}": {
        parameters: [
          { $ref: "#/components/parameters/Id" },
          { name: "trace", in: "header", schema: { type: "string" } },
        ],
        put: {
          parameters: [
            { name: "trace", in: "header", required: true, description: "Own", schema: { type: "integer" } },
            { name: "Authorization", in: "header", schema: {} },
            { name: "filter", in: "query", content: { "application/json": { schema: { type: "object" } } } },
          ],
          requestBody: { $ref: "#/components/requestBodies/Order" },
        },
      },
    },
    {
      components: {
        parameters: {
          Id: { name: "id", in: "path", required: true, description: "Order id", schema: { type: "string" } },
        },
        requestBodies: {
          Order: {
            required: true,
            content: { "text/xml": {}, "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
          },
        },
        schemas: {
          Order: {
            allOf: [
              { $ref: "#/components/schemas/Base" },
              {
                properties: { lines: { type: "array", items: { $ref: "#/components/schemas/Line" } } },
                required: ["lines"],
              },
            ],
          },
          Base: {
            type: "object",
            properties: { id: { type: "integer" }, note: { type: "string", nullable: true }, made: { readOnly: true } },
            required: ["note"],
          },
          Line: {
            type: "object",
            properties: { part: { $ref: "#/components/schemas/Line" }, sku: { type: "string", xml: { name: "s" } } },
          },
        },
      },
    },
  );
  expect(list.problems).toEqual([]);
  expect(list.tools[0]?.inputSchema).toEqual({
    type: "object",
    properties: {
      id: { type: "string", description: "Order id" },
      trace: { type: "integer", description: "Own" },
      filter: { type: "object" },
      body_id: { type: "integer" },
      note: { type: ["string", "null"] },
      lines: { type: "array", items: { $ref: "#/$defs/Line" } },
    },
    required: ["id", "trace", "note", "lines"],
    $defs: { Line: { type: "object", properties: { part: { $ref: "#/$defs/Line" }, sku: { type: "string" } } } },
  });
});

test("A body that is no object is the argument `body`, and a choice keeps its branches searchable.", () => {
  const body = (schema: unknown) => ({
    requestBody: { required: true, description: "What to do", content: { "application/json": { schema } } },
  });
  const list = v3(
    {
      "/list": { post: body({ type: "array", items: { type: "string" } }) },
      "/choice": { post: body({ oneOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] }) },
    },
    { components: { schemas: { A: { properties: { colour: {} } } } } },
  );
  expect(list.tools[0]?.inputSchema).toEqual({
    type: "object",
    properties: { body: { type: "array", items: { type: "string" }, description: "What to do" } },
    required: ["body"],
  });
  expect(schemaFields(list.tools[1]?.inputSchema ?? {}).fields.map((field) => field.name)).toEqual(["body", "colour"]);
});

test("Swagger 2: body, form fields, types in the parameter itself, a version that YAML reads as a number.", () => {
  const list = readTools({
    swagger: 2,
    info: { title: "Pets" },
    paths: {
      "/pets": {
        post: {
          operationId: "addPet",
          parameters: [{ in: "body", name: "pet", required: true, schema: { $ref: "#/definitions/Pet" } }],
        },
        put: {
          operationId: "upload",
          parameters: [
            { in: "formData", name: "photo", type: "file", required: true },
            {
              in: "query",
              name: "sizes",
              type: "array",
              items: { type: "integer" },
              collectionFormat: "csv",
              description: "Sizes",
            },
            { in: "query", name: "limit", type: "integer", maximum: "50", exclusiveMinimum: true, minimum: 0 },
          ],
        },
      },
    },
    definitions: { Pet: { type: "object", required: ["name"], properties: { name: { type: "string" } } } },
  });
  expect(list.tools.map((tool) => tool.inputSchema)).toEqual([
    { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    {
      type: "object",
      properties: {
        photo: { type: "string", format: "binary" },
        sizes: { type: "array", items: { type: "integer" }, description: "Sizes" },
        limit: { type: "integer", maximum: 50, exclusiveMinimum: 0 },
      },
      required: ["photo"],
    },
  ]);
});

test("The first successful JSON answer that is an object is the output schema.", () => {
  const answer = (schema: unknown) => ({
    responses: { 404: {}, 201: { content: { "application/json": { schema } } } },
  });
  const list = v3({
    "/a": { get: answer({ type: "object", properties: { id: {} } }) },
    "/b": { get: answer({ type: "string" }) },
  });
  expect(list.tools[0]?.outputSchema).toEqual({ type: "object", properties: { id: {} } });
  expect(list.tools[1]).not.toHaveProperty("outputSchema");
});

test("References to files and addresses are never followed, only reported.", () => {
  const list = v3({
    "/a": {
      post: {
        parameters: [{ $ref: "./secret.yaml#/a" }],
        requestBody: {
          content: { "application/json": { schema: { properties: { x: { $ref: "file:///etc/passwd" } } } } },
        },
      },
    },
  });
  expect(list.tools.length).toBe(1);
  expect(list.problems.map((problem) => problem.code)).toEqual(["unresolved-ref", "unresolved-ref"]);
});

test("Broken paths and operations are left out, rings of references end, and a document without operations says so.", () => {
  const list = v3({
    "/a": null,
    "/b": { get: 3 },
    "/c": { $ref: "#/paths/~1d" },
    "/d": { $ref: "#/paths/~1c" },
    "/e": { get: {} },
  });
  expect(list.tools.map((tool) => tool.name)).toEqual(["get_e"]);
  expect(list.problems.map((problem) => problem.code)).toEqual(["left-out", "left-out", "left-out", "left-out"]);
  expect(readTools({ openapi: "3.0.0" }).problems.map((problem) => problem.code)).toContain("empty-list");
});

test("Definitions far off are left open, so that no tool carries a whole document, and every reference still resolves.", () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 100 }, (_, position) => [
      `S${position}`,
      { properties: { next: { $ref: `#/components/schemas/S${position + 1}` } } },
    ]),
  );
  const list = v3(
    {
      "/a": {
        post: {
          requestBody: {
            content: { "application/json": { schema: { properties: { first: { $ref: "#/components/schemas/S0" } } } } },
          },
        },
      },
    },
    { components: { schemas: { ...schemas, S100: {} } } },
  );
  const definitions = list.tools[0]?.inputSchema["$defs"] as Record<string, unknown>;
  // 60 carried in full, and the one they lead to left open.
  expect(Object.keys(definitions).length).toBe(61);
  expect(definitions["S60"]).toEqual({});
  expect(list.problems.map((problem) => problem.code)).toEqual(["schema-cut"]);
});

test("A document that a library has dereferenced into cyclic objects is read.", () => {
  const node: Record<string, unknown> = { type: "object", properties: { label: { type: "string" } } };
  (node["properties"] as Record<string, unknown>)["child"] = node;
  const list = v3({ "/a": { post: { requestBody: { content: { "application/json": { schema: node } } } } } });
  expect(() => JSON.stringify(list.tools[0]?.inputSchema)).not.toThrow();
  // The body's own two arguments, and those of `child`, whose child refers back to it.
  expect(schemaFields(list.tools[0]?.inputSchema ?? {}).fields.map((field) => field.name)).toEqual([
    "label",
    "child",
    "label",
    "child",
  ]);
});

test("Thousands of paths, parameters and definitions that become one name are read in one pass.", () => {
  // 15 signs a number, which all become the same in a name.
  const signs = (number: number): string =>
    number.toString(2).padStart(15, "0").replaceAll("0", "-").replaceAll("1", "+");
  const numbers = Array.from({ length: 20_000 }, (_, number) => number);
  const paths = Object.fromEntries(numbers.map((number) => [`/a${signs(number)}`, { get: {} }]));
  expect(v3(paths).tools.at(-1)?.name).toBe("get_a_20000");
  const parameters = numbers.map((number) => ({ name: "p", in: [number], schema: { type: "string" } }));
  expect(Object.keys(v3({ "/a": { get: { parameters } } }).tools[0]?.inputSchema["properties"] ?? {})).toHaveLength(
    20_000,
  );
});
