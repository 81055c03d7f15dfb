import { expect, test } from "vitest";
import { exportTools } from "../export-tools.ts";
import { readTools } from "../read-tools.ts";

/* Tools as the function calling guide and the tool search guide of the OpenAI API print them. */
const parameters = {
  type: "object",
  properties: { location: { type: "string", description: "City and country e.g. Bogotá, Colombia" } },
  required: ["location"],
  additionalProperties: false,
};
const chat = {
  type: "function",
  function: { name: "get_weather", description: "Get current temperature.", parameters, strict: true },
};
const flat = {
  type: "function",
  name: "get_weather",
  description: "Get current temperature.",
  parameters,
  strict: true,
};
const namespace = {
  type: "namespace",
  name: "crm",
  description: "CRM tools for customer lookup and order management.",
  tools: [
    {
      type: "function",
      name: "get_customer_profile",
      description: "Fetch a customer profile by customer ID.",
      parameters,
    },
    { type: "function", name: "list_open_orders", description: "List open orders.", defer_loading: true, parameters },
  ],
};
const custom = { type: "custom", name: "code_exec", description: "Executes arbitrary Python code." };
const hosted = [
  { type: "web_search" },
  { type: "file_search", vector_store_ids: ["vs_1"] },
  { type: "mcp", server_label: "docs", server_url: "https://mcp.example.com/mcp", allowed_tools: ["a"] },
  { type: "code_interpreter", container: { type: "auto" } },
  { type: "tool_search" },
];

test("The nested and the flat form are read, with the schema by reference.", () => {
  for (const [form, entry] of [
    ["openai", chat],
    ["openai-responses", flat],
  ] as const) {
    const list = readTools([entry]);
    expect(list.formats).toEqual({ [form]: 1 });
    expect(list.tools[0]).toMatchObject({ name: "get_weather", description: "Get current temperature." });
    expect(list.tools[0]?.inputSchema).toBe(parameters);
  }
});

test("A namespace is the server of its tools, each of which is the caller's own object.", () => {
  const list = readTools([flat, namespace]);
  expect(list.tools.map((tool) => [tool.id, tool.server])).toEqual([
    ["get_weather", undefined],
    ["get_customer_profile", "crm"],
    ["list_open_orders", "crm"],
  ]);
  expect(list.tools[2]?.original).toBe(namespace.tools[1]);
});

test("Hosted entries pass through by reference; a custom tool has a name and is ranked.", () => {
  const list = readTools([...hosted, custom]);
  expect(list.hosted.every((entry, position) => entry === hosted[position])).toBe(true);
  expect(list.hosted.length).toBe(hosted.length);
  expect(list.tools.map((tool) => tool.name)).toEqual(["code_exec"]);
});

test("A whole request body is read by its tools.", () => {
  expect(readTools({ model: "any", messages: [], tools: [chat] }).tools.map((tool) => tool.name)).toEqual([
    "get_weather",
  ]);
});

test("Nothing is changed without need: each form comes back as the very object, custom tools and missing schemas too.", () => {
  const bare = { type: "function", function: { name: "ping" } };
  expect(exportTools(readTools([chat, bare]).tools, "openai").definitions).toEqual([chat, bare]);
  const { definitions } = exportTools(readTools([flat, custom, namespace]).tools, "openai-responses");
  expect(definitions[0]).toBe(flat);
  expect(definitions[1]).toBe(custom);
  expect(definitions[3]).toBe(namespace.tools[1]);
});

test("A changed name or schema keeps the other fields of the entry.", () => {
  const dotted = { ...flat, name: "weather.get", defer_loading: true, parameters: { anyOf: [parameters] } };
  const [definition] = exportTools(readTools([dotted]).tools, "openai-responses").definitions;
  expect(definition).toMatchObject({
    type: "function",
    strict: true,
    defer_loading: true,
    parameters: { type: "object" },
  });
  expect(definition?.name).toMatch(/^weather_get_[a-z0-9]{8}$/);
});

test("A null description or schema, which the API refuses, is not handed back.", () => {
  const nulls = { type: "function", function: { name: "a", description: null, parameters: null, strict: false } };
  const { definitions } = exportTools(readTools([nulls]).tools, "openai");
  expect(definitions[0]).toEqual({
    type: "function",
    function: { name: "a", parameters: { type: "object", properties: {} }, strict: false },
  });
});

test("Written from another form: flat with strict off, nested without it.", () => {
  const { tools } = readTools([{ name: "a", description: "A", inputSchema: parameters }]);
  expect(exportTools(tools, "openai-responses").definitions).toEqual([
    { type: "function", name: "a", description: "A", parameters, strict: false },
  ]);
  expect(exportTools(tools, "openai").definitions).toEqual([
    { type: "function", function: { name: "a", description: "A", parameters } },
  ]);
});

test("More than 128 tools, and a long description, are said to be more than the provider takes.", () => {
  const many = Array.from({ length: 129 }, (_, position) => ({
    name: `t${position}`,
    description: position === 0 ? "x".repeat(1_025) : "",
    inputSchema: parameters,
  }));
  expect(exportTools(readTools(many).tools, "openai").problems.map((problem) => problem.code)).toEqual([
    "provider-limit",
    "provider-limit",
  ]);
});
