import { expect, test } from "vitest";
import { exportTools } from "../export-tools.ts";
import { readTools } from "../read-tools.ts";

/* Tools as the Messages API documentation prints them. */
const weather = {
  name: "get_weather",
  description: "Get the current weather in a given location",
  input_schema: {
    type: "object",
    properties: { location: { type: "string", description: "The city and state, e.g. San Francisco, CA" } },
    required: ["location"],
  },
  defer_loading: true,
};
const serverTools = [
  { type: "web_search_20250305", name: "web_search", max_uses: 5 },
  { type: "bash_20250124", name: "bash" },
  { type: "mcp_toolset", mcp_server_name: "docs" },
];

test("A tool is read, and tools that Anthropic runs pass through though they have names.", () => {
  const list = readTools([weather, { ...weather, name: "custom_weather", type: "custom" }, ...serverTools]);
  expect(list.formats).toEqual({ anthropic: 2 });
  expect(list.tools[0]?.inputSchema).toBe(weather.input_schema);
  expect(list.hosted).toEqual(serverTools);
});

test("A tool that needs no change comes back as the very object; a changed one keeps its other fields.", () => {
  const { tools } = readTools([weather, { ...weather, name: "weather.now" }]);
  const { definitions } = exportTools(tools, "anthropic");
  expect(definitions[0]).toBe(weather);
  expect(definitions[1]).toMatchObject({ defer_loading: true, input_schema: weather.input_schema });
});

test("Argument names that the API refuses are renamed, and what the model gives gets the tool's own names back.", () => {
  const properties = {
    $top: { type: "integer" },
    "filter[id]": {},
    "filter(id)": {},
    ok: { $ref: "#/properties/$top" },
    文: {},
  };
  const { tools } = readTools([
    { name: "list", inputSchema: { type: "object", properties, required: ["$top", "ok"] } },
  ]);
  const { definitions, problems, argumentsOf } = exportTools(tools, "anthropic");
  expect(definitions[0]?.input_schema).toEqual({
    type: "object",
    properties: {
      top: { type: "integer" },
      filter_id: {},
      filter_id_2: {},
      ok: { $ref: "#/$defs/part_1" },
      argument: {},
    },
    required: ["top", "ok"],
    $defs: { part_1: { type: "integer" } },
  });
  expect(problems).toMatchObject([{ code: "schema-relaxed", toolId: "list" }]);
  expect(argumentsOf("list", { top: 3, filter_id_2: "x", ok: 1 })).toEqual({ $top: 3, "filter(id)": "x", ok: 1 });
  const given = {};
  expect(argumentsOf("other", given)).toBe(given);
});
