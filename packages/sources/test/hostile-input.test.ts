import { SetwiseError } from "@setwise/core";
import { expect, test } from "vitest";
import { exportTools, joinToolLists, parseToolText, readTools } from "../src/index.ts";

const tool = (name: string, more = {}) => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object", properties: {} },
  ...more,
});

function codeOf(run: () => unknown): string {
  try {
    run();
    return "nothing thrown";
  } catch (error) {
    return SetwiseError.isInstance(error) ? error.code : String(error);
  }
}

test.each([
  ["a text", "hello"],
  ["a number", 7],
  ["null", null],
  ["nothing", undefined],
  ["a package.json", { name: "x", version: "1.0.0", description: "A package", dependencies: {} }],
  ["a list of people", [{ name: "Ada", age: 36 }]],
  ["some object", { a: 1, b: { c: 2 } }],
  ["a function", () => 1],
  ["a promise that nobody awaited", Promise.resolve([])],
  ["a Map", new Map([["a", { inputSchema: {} }]])],
])("%s is no tool list, and the error says what came.", (_, input) => {
  expect(codeOf(() => readTools(input, { source: "file.json" }))).toBe("not-a-tool-list");
  expect(() => readTools(input, { source: "file.json" })).toThrow(/^file\.json: Expected tools .* found /);
});

test.each([
  ["an empty array", []],
  ["an empty record", {}],
  ["an empty result", { tools: [] }],
  ["null tools", { tools: null }],
  ["only broken tools", [{ description: "no name", inputSchema: {} }]],
])("%s gives an empty list that says so.", (_, input) => {
  const list = readTools(input);
  expect(list.tools).toEqual([]);
  expect(list.problems.map((problem) => problem.code)).toContain("empty-list");
});

test("Documents, pages, records and configurations may stand in one array.", () => {
  const list = readTools([
    { openapi: "3.0.0", info: { title: "API" }, paths: { "/a": { get: {} } } },
    { tools: [tool("b")] },
    { c: { description: "C", inputSchema: {} } },
    [{ type: "function", function: { name: "d" } }],
    { mcpServers: { e: { command: "node" } } },
    { name: "git", description: "A server", tools: [tool("f")] },
    { tools: { g: { inputSchema: {} } } },
  ]);
  expect(list.tools.map((entry) => [entry.name, entry.server])).toEqual([
    ["get_a", "API"],
    ["b", undefined],
    ["c", undefined],
    ["d", undefined],
    ["f", "git"],
    ["g", undefined],
  ]);
  expect(list.mcpServers.map((server) => server.name)).toEqual(["e"]);
  expect(list.problems).toEqual([]);
});

test("Names long, Chinese, dotted, of emoji, of spaces, and prototype names all come in and go out.", () => {
  const names = [
    "n".repeat(300),
    "文档",
    "a.b.c",
    "🔧",
    "two words",
    "__proto__",
    "constructor",
    "toString",
    "ﬁne",
    "naïve",
  ];
  const list = readTools(names.map((name) => tool(name)));
  expect(list.tools.map((entry) => entry.id)).toEqual(names);
  for (const provider of ["openai", "gemini", "anthropic", "mcp", "ai-sdk"] as const) {
    const exported = exportTools(list.tools, provider);
    const given = list.tools.map((entry) => exported.nameOf(entry) ?? "");
    expect(new Set(given).size).toBe(names.length);
    for (const [position, name] of given.entries()) {
      expect(name).toMatch(provider === "mcp" ? /^[\w.-]{1,128}$/ : /^[\w-]{1,64}$/);
      expect(exported.toolOf(name)).toBe(list.tools[position]);
    }
  }
});

test("Prototype keys in records, schemas and properties stay data.", () => {
  const record = JSON.parse(
    '{"__proto__": {"inputSchema": {"type": "object"}}, "constructor": {"inputSchema": {"properties": {"__proto__": null}}}}',
  );
  const list = readTools(record);
  expect(list.tools.map((entry) => entry.name)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(list.tools[1]?.inputSchema["properties"])).toBe(Object.prototype);
  expect(JSON.stringify(list.tools[1]?.inputSchema)).toBe('{"properties":{"__proto__":{}}}');
  const branch = JSON.parse(
    '{"name": "a", "inputSchema": {"anyOf": [{"properties": {"__proto__": {"type": "string"}}}]}}',
  );
  const [definition] = exportTools(readTools([branch]).tools, "anthropic").definitions;
  expect(JSON.stringify(definition?.input_schema)).toContain('"__proto__":{"type":"string"}');
});

test("Getters that throw cost their tool, or only the part they stand in.", () => {
  const throwing = (fields: object, name: string) =>
    Object.defineProperty(fields, name, {
      enumerable: true,
      get() {
        throw new Error("no access");
      },
    });
  const list = readTools([
    throwing({ inputSchema: {} }, "name"),
    tool("b", { inputSchema: throwing({ type: "object" }, "properties") }),
    tool("c"),
  ]);
  expect(list.tools.map((entry) => entry.name)).toEqual(["b", "c"]);
  expect(list.tools[0]?.inputSchema).toEqual({ type: "object" });
  expect(list.problems.map((problem) => problem.code)).toEqual(["left-out", "filled-in"]);
});

test("A description of 200 kB is kept and reported.", () => {
  const list = readTools([tool("a", { description: "x".repeat(200_000) })]);
  expect(list.tools[0]?.description.length).toBe(200_000);
  expect(list.problems).toMatchObject([{ code: "text-cut", toolId: "a" }]);
});

test("Two tools alike keep both places, under ids that do not depend on the order.", () => {
  const one = tool("search", { description: "One" });
  const two = tool("search", { description: "Two" });
  const ids = (input: unknown[]) => new Map(readTools(input).tools.map((entry) => [entry.original, entry.id]));
  const forward = ids([one, two, tool("other")]);
  const backward = ids([two, one]);
  expect(forward.get(one)).toMatch(/^search#[0-9a-f]{8}$/);
  expect(forward.get(one)).toBe(backward.get(one));
  expect(forward.get(two)).toBe(backward.get(two));
  const alike = readTools([one, { ...one }]);
  expect(new Set(alike.tools.map((entry) => entry.id)).size).toBe(2);
  expect(alike.problems.map((problem) => problem.code)).toEqual(["name-collision"]);
  const exported = exportTools(alike.tools, "openai");
  expect(exported.nameOf(alike.tools[0] as never)).not.toBe(exported.nameOf(alike.tools[1] as never));
});

test("A tool named like another's id does not take it.", () => {
  const list = joinToolLists([
    readTools([tool("a")], { server: "s" }),
    readTools([tool("a")], { server: "t" }),
    readTools([tool("s/a")]),
  ]);
  expect(new Set(list.tools.map((entry) => entry.id)).size).toBe(3);
  expect(list.tools[2]?.id).toBe("s/a");
});

test("After joining, problems name their tools by the ids that hold then.", () => {
  const broken = tool("a", { inputSchema: null });
  const list = joinToolLists([readTools([broken], { server: "s" }), readTools([tool("a")], { server: "t" })]);
  expect(list.problems.map((problem) => [problem.code, problem.toolId])).toEqual([
    ["filled-in", "s/a"],
    ["name-collision", undefined],
  ]);
  expect(Object.keys(list.tools[0] ?? {})[0]).toBe("id");
});

test("A list that contains itself, or nests without end, is read once and to a bound.", () => {
  const ring: unknown[] = [tool("a")];
  ring.push(ring, ring);
  expect(readTools(ring).tools.map((entry) => entry.name)).toEqual(["a"]);
  let deep: unknown = [tool("b")];
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(() => readTools([tool("a"), deep])).not.toThrow();
});

test("Schemas that multiply themselves are written once each.", () => {
  let schema: Record<string, unknown> = { type: "object", properties: { leaf: { type: "string" } } };
  for (let level = 0; level < 60; level++) schema = { type: "object", properties: { a: schema, b: schema } };
  const list = readTools([tool("bomb", { inputSchema: schema })]);
  expect(JSON.stringify(list.tools[0]?.inputSchema).length).toBeLessThan(40_000);
  for (const provider of ["openai", "gemini", "anthropic"] as const) {
    expect(JSON.stringify(exportTools(list.tools, provider).definitions).length).toBeLessThan(500_000);
  }
});

test("Branches that refer to each other many times over come to an end on the way out.", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `d${level}`,
      { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
    ]),
  );
  const list = readTools([
    tool("branches", {
      inputSchema: { type: "object", $ref: "#/$defs/d0", $defs: { ...$defs, d40: { properties: { x: {} } } } },
    }),
  ]);
  for (const provider of ["openai", "gemini"] as const) expect(() => exportTools(list.tools, provider)).not.toThrow();
});

test("Values that are no JSON are left out of a schema.", () => {
  const loop: Record<string, unknown> = {};
  loop["loop"] = loop;
  const list = readTools([
    tool("a", {
      inputSchema: { type: "object", properties: { n: { type: "integer", default: 3n, examples: [loop], const: 1 } } },
    }),
  ]);
  expect(list.tools[0]?.inputSchema).toEqual({ type: "object", properties: { n: { type: "integer", const: 1 } } });
  expect(list.problems.map((problem) => problem.code)).toEqual(["filled-in"]);
});

test("Aliases of a YAML document are shared objects, and the tools that use them are all read.", async () => {
  const text = [
    "- &t",
    "  name: a",
    "  inputSchema: &s {type: object, properties: {q: {type: string}}}",
    "- {name: b, inputSchema: *s}",
    "- *t",
  ].join("\n");
  const list = readTools(await parseToolText(text));
  expect(list.tools.map((entry) => entry.name)).toEqual(["a", "b", "a"]);
});

test("100,000 tools, all alike in name or all to be renamed, are read and exported.", () => {
  const alike = readTools(
    Array.from({ length: 100_000 }, (_, position) => tool("same", { description: String(position) })),
  );
  expect(new Set(alike.tools.map((entry) => entry.id)).size).toBe(100_000);
  const dotted = readTools(Array.from({ length: 100_000 }, (_, position) => tool(`do.it.${position}`)));
  const exported = exportTools(dotted.tools, "openai");
  expect(new Set(exported.definitions.map((definition) => definition.function.name)).size).toBe(100_000);
}, 60_000);
