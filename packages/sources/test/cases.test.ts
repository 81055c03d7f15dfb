import { readFileSync } from "node:fs";
import { schemaFields, SetwiseError } from "@setwise/core";
import { expect, test } from "vitest";
import { exportTools, joinToolLists, readTools, type ToolList } from "../src/index.ts";

/* The cases are faults that users reported elsewhere; `expect` in each file says in words what must hold. */

interface Case<T> {
  readonly input: T;
}

function load<T>(name: string): T {
  const file = new URL(`../../testkit/cases/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as Case<T>).input;
}

interface Fields {
  readonly name: string;
  readonly inputSchema: Record<string, unknown>;
}

const names = (schema: Record<string, unknown>): string[] => schemaFields(schema).fields.map((field) => field.name);

test("Case 1: tools with combinators at the root are all read, and their branches can be searched.", () => {
  const { tools } = load<{ tools: Fields[] }>("01-root-combinators");
  const given = structuredClone(tools);
  const list = readTools(tools);
  expect(list.problems).toEqual([]);
  expect(list.tools.map((tool) => names(tool.inputSchema))).toEqual([
    ["raw_text", "remote_url"],
    ["endpoint", "source_file", "depth"],
    // `title` stands behind a reference, so one step later.
    ["severity", "title"],
    ["page"],
  ]);
  expect(schemaFields(list.tools[0]?.inputSchema ?? {}).fields[1]?.description).toBe(
    "Address the document is fetched from",
  );
  expect(tools).toEqual(given);
});

test("Case 1: for Anthropic every root is one object, what is required follows the branches, and a note says so.", () => {
  const { tools } = load<{ tools: Fields[] }>("01-root-combinators");
  const list = readTools(tools);
  const { definitions, problems } = exportTools(list.tools, "anthropic");
  const schemas = definitions.map((definition) => definition.input_schema as Record<string, unknown>);
  for (const schema of schemas) {
    expect(schema["type"]).toBe("object");
    for (const keyword of ["anyOf", "oneOf", "allOf"]) expect(schema).not.toHaveProperty(keyword);
  }
  const [attach, impact, ticket, tickets] = schemas;
  expect(Object.keys(attach?.["properties"] as object)).toEqual(["raw_text", "remote_url"]);
  expect(attach).not.toHaveProperty("required");
  expect(Object.keys(impact?.["properties"] as object)).toEqual(["endpoint", "source_file", "depth"]);
  expect(impact).not.toHaveProperty("required");
  expect(Object.keys(ticket?.["properties"] as object)).toEqual(["title", "severity"]);
  expect(ticket?.["required"]).toEqual(["title", "severity"]);
  expect(JSON.stringify(tickets)).toBe(JSON.stringify(tools[3]?.inputSchema));
  expect(problems.map((problem) => [problem.code, problem.toolId])).toEqual([
    ["schema-relaxed", "attach_document"],
    ["schema-relaxed", "api_impact"],
    ["schema-relaxed", "create_ticket"],
  ]);
});

test("Case 1: for a target that allows such roots nothing changes, and the originals are still there.", () => {
  const { tools } = load<{ tools: Fields[] }>("01-root-combinators");
  const list = readTools(tools);
  exportTools(list.tools, "anthropic");
  const { definitions, problems } = exportTools(list.tools, "mcp");
  expect(problems).toEqual([]);
  for (const [position, definition] of definitions.entries()) expect(definition).toBe(tools[position]);
  for (const [position, tool] of list.tools.entries()) {
    expect(tool.original).toBe(tools[position]);
    expect(tool.inputSchema).toBe(tools[position]?.inputSchema);
  }
});

function case2(): { tools: Fields[]; deep: Fields } {
  const { tools, also } = load<{ tools: Fields[]; also: { generate: { name: string; depth: number } } }>(
    "02-circular-refs",
  );
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < also.generate.depth; level++) schema = { type: "object", properties: { p: schema } };
  return { tools, deep: { name: also.generate.name, inputSchema: schema } };
}

test("Case 2: rings of references come back as given and each name is found once.", () => {
  const { tools, deep } = case2();
  const list = readTools([...tools, deep]);
  expect(list.tools.length).toBe(6);
  for (const [position, { inputSchema }] of tools.entries()) {
    expect(list.tools[position]?.inputSchema).toBe(inputSchema);
    expect(() => JSON.stringify(inputSchema)).not.toThrow();
  }
  expect(list.tools.slice(0, 5).map((tool) => names(tool.inputSchema))).toEqual([
    ["root", "destination", "label", "children"],
    ["where", "field_name", "and", "not", "by_customer", "loyalty_tier", "orders_where"],
    ["alpha", "beta"],
    ["thing", "plain"],
    ["nested", "marker_word"],
  ]);
});

test("Case 2: the dangling reference and the cut are notes on their tools, and every schema can be written.", () => {
  const { tools, deep } = case2();
  const list = readTools([...tools, deep]);
  expect(list.problems.map((problem) => [problem.code, problem.toolId])).toEqual([
    ["unresolved-ref", "dangling_ref"],
    ["schema-cut", "very_deep"],
  ]);
  expect(list.problems[1]?.message).toContain("90 levels");
  expect(() => JSON.stringify(list.tools[5]?.inputSchema)).not.toThrow();
  expect(list.tools[5]?.original).toBe(deep);
});

test("Case 2: every provider gets all six tools, without an exception.", () => {
  const { tools, deep } = case2();
  const list = readTools([...tools, deep]);
  for (const provider of ["openai", "openai-responses", "anthropic", "gemini", "mcp", "langchain", "jsonl"] as const) {
    const { definitions } = exportTools(list.tools, provider);
    expect(definitions.length, provider).toBe(6);
    expect(() => JSON.stringify(definitions), provider).not.toThrow();
  }
  const ring = exportTools(list.tools, "openai").definitions[2]?.function.parameters as { properties: object };
  expect(Object.keys(ring.properties)).toEqual(["alpha", "beta"]);
});

test("Case 2: a really cyclic object becomes a schema with a $ref, and the caller's object stays as it was.", () => {
  const folder: Record<string, unknown> = { type: "object", properties: { label: { type: "string" } } };
  (folder["properties"] as Record<string, unknown>)["parent"] = folder;
  const tool = { name: "move", inputSchema: { type: "object", properties: { from: folder, to: folder } } };
  const list = readTools([tool]);
  expect(list.tools[0]?.inputSchema).toEqual({
    type: "object",
    properties: {
      from: { type: "object", properties: { label: { type: "string" }, parent: { $ref: "#/properties/from" } } },
      to: { $ref: "#/properties/from" },
    },
  });
  expect(list.problems.map((problem) => [problem.code, problem.toolId])).toEqual([["filled-in", "move"]]);
  expect((tool.inputSchema.properties.from["properties"] as Record<string, unknown>)["parent"]).toBe(folder);
});

const pattern = /^[a-zA-Z0-9_-]{1,64}$/;

function case3(): Record<string, Fields[]> {
  return load<{ servers: Record<string, Fields[]> }>("03-name-normalising-collisions").servers;
}

function exportedNames(list: ToolList): Map<string, string> {
  const exported = exportTools(list.tools, "openai");
  return new Map(list.tools.map((tool) => [`${tool.server}|${tool.name}`, exported.nameOf(tool) ?? ""]));
}

test("Case 3: twelve tools give twelve distinct acceptable names that lead back to their tool.", () => {
  const list = readTools(case3());
  expect(list.tools.length).toBe(12);
  expect(new Set(list.tools.map((tool) => tool.id)).size).toBe(12);
  const exported = exportTools(list.tools, "openai");
  const given = exported.definitions.map((definition) => definition.function.name);
  expect(new Set(given).size).toBe(12);
  for (const [position, name] of given.entries()) {
    expect(name).toMatch(pattern);
    expect(exported.toolOf(name)).toBe(list.tools[position]);
  }
  expect(given.slice(0, 2)).toEqual(["search-a", "search_a"]);
  // 60 and 63 letters fit as they are.
  expect(given.slice(4, 6)).toEqual([list.tools[4]?.name, list.tools[5]?.name]);
  expect(list.tools[8]).toMatchObject({ server: "文档", name: "代码规范检索" });
});

test("Case 3: names depend on nothing but server and name: not on the order, not on one more tool, not on how it is read.", () => {
  const servers = case3();
  const expected = exportedNames(readTools(servers));
  const shuffled = Object.fromEntries(
    Object.entries(servers)
      .toReversed()
      .map(([server, tools]) => [server, tools.toReversed()]),
  );
  expect(new Map([...exportedNames(readTools(shuffled))].sort())).toEqual(new Map([...expected].sort()));
  const joined = joinToolLists(Object.entries(servers).map(([server, tools]) => readTools({ tools }, { server })));
  expect(exportedNames(joined)).toEqual(expected);
  const more = exportedNames(readTools({ ...servers, other: [{ name: "one.more", inputSchema: { type: "object" } }] }));
  for (const [key, name] of expected) expect(more.get(key)).toBe(name);
});

test("Case 5: every form in one list is read, missing parts are filled in, and hosted entries pass through.", () => {
  const { tools } = load<{ tools: Record<string, unknown>[] }>("05-mixed-formats-and-missing-fields");
  const given = structuredClone(tools);
  const list = readTools(tools);
  expect(list.tools.map((tool) => tool.name)).toEqual([
    "get_weather",
    "get_forecast",
    "book_table",
    "cancel_table",
    "pause_render",
    "resume_render",
    "server_time",
    "noDescription_butCamelCase_and_snake",
  ]);
  expect(list.hosted).toEqual([tools[4], tools[5]]);
  expect(list.hosted[0]).toBe(tools[4]);
  for (const tool of list.tools) expect(tools.includes(tool.original as Record<string, unknown>)).toBe(true);
  expect(list.tools.slice(4).map((tool) => tool.description)).toEqual(["Pause rendering.", "", "", ""]);
  expect(list.tools[4]?.inputSchema).toEqual({ type: "object", properties: {} });
  expect(list.tools[5]?.inputSchema).toEqual({ type: "object" });
  expect(list.formats).toEqual({ openai: 1, "openai-responses": 1, anthropic: 1, mcp: 5 });
  expect(list.problems.map((problem) => [problem.code, problem.toolId ?? problem.position])).toEqual([
    ["hosted-tool", 4],
    ["hosted-tool", 5],
    ["filled-in", "pause_render"],
    ["filled-in", "resume_render"],
    ["filled-in", "resume_render"],
  ]);
  expect(tools).toEqual(given);
});

test.each([[42], [null], ["get_weather"], [undefined], [true]])(
  "Case 5: %j in the caller's list is an error that tells its position.",
  (entry) => {
    const { tools } = load<{ tools: Record<string, unknown>[] }>("05-mixed-formats-and-missing-fields");
    let error: unknown;
    try {
      readTools([...tools, entry]);
    } catch (thrown) {
      error = thrown;
    }
    expect(SetwiseError.isInstance(error) && [error.code, error.position]).toEqual(["not-a-tool", 10]);
  },
);
