import type { Tool } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { isOpaque } from "./opaque-names.ts";
import { portId, portName } from "./ports.ts";
import { neverSaysRequired, toolPorts } from "./tool-ports.ts";

const tool = (inputSchema: Record<string, unknown>, outputSchema?: Record<string, unknown>): Tool => ({
  id: "shop/get",
  name: "get",
  description: "",
  inputSchema,
  ...(outputSchema === undefined ? {} : { outputSchema }),
  original: null,
});
const required = (inputSchema: Record<string, unknown>, assumeRequired = false): string[] =>
  toolPorts(tool(inputSchema), 0, { assumeRequired })
    .nodes.filter((node) => node.required)
    .map(({ id }) => id);

describe("toolPorts", () => {
  test("inputs and outputs have ids by JSON Pointer, slashes escaped", () => {
    const { nodes } = toolPorts(
      tool(
        { properties: { "a/b": { type: "integer" } } },
        { type: "object", properties: { list: { type: "array", items: { properties: { id: {} } } } } },
      ),
      3,
      { assumeRequired: false },
    );
    expect(nodes.map(({ id }) => id)).toEqual([
      "shop/get#in/a~1b",
      "shop/get#out/",
      "shop/get#out/list",
      "shop/get#out/list/*",
      "shop/get#out/list/*/id",
    ]);
    expect(nodes.map(({ type }) => type)).toEqual(["number", "object", "array", "object", undefined]);
    expect(nodes.every((node) => node.tool === 3)).toBe(true);
    expect(portName({ path: ["list", "*"] })).toBe("list");
    expect(portId("t", "pre", ["x~y"])).toBe("t#pre/x~0y");
  });

  test("ids that a tool's name tells of are outputs where no schema says what it gives", () => {
    const finder = { ...tool({ type: "object" }), name: "find_user_id_by_email" };
    const outputs = (of: Tool): string[] => toolPorts(of, 0, { assumeRequired: false }).nodes.map(({ id }) => id);
    expect(outputs(finder)).toEqual(["shop/get#out/", "shop/get#out/user_id"]);
    expect(outputs({ ...finder, outputSchema: { type: "string" } })).toEqual(["shop/get#out/"]);
  });

  test("a tool that does not say what it gives has one output, of which nothing is known", () => {
    const [output] = toolPorts(tool({ type: "object" }), 0, { assumeRequired: false }).nodes;
    expect(output).toMatchObject({ id: "shop/get#out/", isWildcard: true, required: false, path: [] });
  });

  test("what has a default, choices, or is yes or no is never a deficit", () => {
    const properties = {
      id: { type: "string" },
      size: { type: "number", default: 3 },
      kind: { enum: ["a", "b"] },
      version: { const: 1 },
      really: { type: "boolean" },
    };
    expect(required({ properties, required: Object.keys(properties) })).toEqual(["shop/get#in/id"]);
  });

  test("where no tool says what it requires, arguments without a default are required", () => {
    const schema = { properties: { a: {}, b: { default: 1 } } };
    expect(required(schema, false)).toEqual([]);
    expect(required(schema, true)).toEqual(["shop/get#in/a"]);
    expect(neverSaysRequired([tool(schema)])).toBe(true);
    expect(neverSaysRequired([tool(schema), tool({ properties: {}, required: [] })])).toBe(false);
  });

  test("of a required object its required values are deficits, and it is none itself", () => {
    const order = { type: "object", properties: { customer_id: { type: "string" } }, required: ["customer_id"] };
    expect(required({ properties: { order }, required: ["order"] })).toEqual(["shop/get#in/order/customer_id"]);
  });
});

describe("isOpaque", () => {
  const named = (name: string, more = {}): boolean =>
    isOpaque({ path: [name], format: undefined, type: "string", ...more });

  test.each(["id", "userId", "order_ids", "access_token", "apiKey", "verification_code", "UUID"])(
    "nobody knows a %s by heart",
    (name) => expect(named(name)).toBe(true),
  );
  test.each(["name", "country_code", "zip_code", "code", "idea", "keyword", "currencyCode"])(
    "a person can say a %s",
    (name) => expect(named(name)).toBe(false),
  );
  test("a format tells more than a name, and a flag is never opaque", () => {
    expect(named("reference", { format: "uuid" })).toBe(true);
    expect(named("has_id", { type: "boolean" })).toBe(false);
  });
});
