import { dynamicTool, jsonSchema, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { z as mini } from "zod/mini";
import { z as zod3 } from "zod/v3";
import { exportTools } from "../export-tools.ts";
import { readTools } from "../read-tools.ts";

const city = {
  type: "object",
  properties: { city: { type: "string", description: "City name" } },
  required: ["city"],
} as const;

const tools = {
  weather: tool({
    description: "Weather for a city",
    inputSchema: z.object({ city: z.string().describe("City name") }),
  }),
  forecast: tool({ description: "Forecast", inputSchema: jsonSchema(city) }),
  anything: dynamicTool({
    description: "Runs what is loaded later",
    inputSchema: z.object({}),
    execute: async () => 1,
  }),
};

test("A record of real AI SDK tools gives names from its keys, schemas from their own export, and the caller's objects.", () => {
  const list = readTools(tools);
  expect(list.formats).toEqual({ "ai-sdk": 3 });
  expect(list.problems).toEqual([]);
  expect(list.tools.map((entry) => [entry.name, entry.description])).toEqual([
    ["weather", "Weather for a city"],
    ["forecast", "Forecast"],
    ["anything", "Runs what is loaded later"],
  ]);
  expect(list.tools[0]?.inputSchema).toMatchObject(city);
  expect(list.tools[1]?.inputSchema).toBe(city);
  expect(list.tools[0]?.original).toBe(tools.weather);
});

test("A description may be a function; one that needs arguments or throws is reported.", () => {
  const schema = jsonSchema(city);
  const list = readTools({
    plain: { description: () => "Said when asked", inputSchema: schema },
    needs: { description: (context: { user: string }) => `For ${context.user}`, inputSchema: schema },
    throws: {
      description: () => {
        throw new Error("not now");
      },
      inputSchema: schema,
    },
    later: { description: async () => "promised", inputSchema: schema },
  });
  expect(list.tools.map((entry) => entry.description)).toEqual(["Said when asked", "", "", ""]);
  expect(list.problems.map((problem) => [problem.code, problem.toolId])).toEqual([
    ["filled-in", "needs"],
    ["filled-in", "throws"],
    ["filled-in", "later"],
  ]);
});

test("Tools that the provider runs are passed through.", () => {
  const search = { type: "provider", id: "openai.web_search", args: {}, inputSchema: z.object({}) };
  const list = readTools({ search, ...tools });
  expect(list.hosted).toEqual([search]);
  expect(list.hosted[0]).toBe(search);
  expect(list.tools.length).toBe(3);
});

test("Zod 3 is read from its own definition, Zod Mini with the converter that is given.", () => {
  const record = {
    old: { inputSchema: zod3.object({ city: zod3.string().describe("City name") }) },
    small: { inputSchema: mini.object({ city: mini.string() }) },
  };
  const without = readTools(record);
  expect(without.tools[0]?.inputSchema).toEqual(city);
  expect(without.tools[1]?.inputSchema).toEqual({ type: "object" });
  expect(without.problems).toMatchObject([{ code: "filled-in", toolId: "small" }]);
  expect(without.problems[0]?.message).toContain("toJsonSchema");
  const converted = readTools(record, { toJsonSchema: z.toJSONSchema });
  expect(converted.tools[1]?.inputSchema).toMatchObject({ properties: { city: { type: "string" } } });
  expect(converted.problems).toEqual([]);
});

test("An asynchronous schema is reported, and the tool is kept.", () => {
  const list = readTools({
    slow: { inputSchema: jsonSchema(async () => city) },
    quick: { inputSchema: jsonSchema(() => city) },
  });
  expect(list.tools.map((entry) => entry.inputSchema)).toEqual([{ type: "object" }, city]);
  expect(list.problems).toMatchObject([{ code: "filled-in", toolId: "slow" }]);
  expect(list.problems[0]?.message).toContain("await");
});

test("Exported again, an AI SDK tool is the caller's own object under its name.", () => {
  const list = readTools({ ...tools, "odd.name": tools.weather });
  const { definitions, nameOf } = exportTools(list.tools, "ai-sdk");
  expect(definitions["weather"]).toBe(tools.weather);
  const renamed = list.tools[3];
  expect(renamed && definitions[nameOf(renamed) ?? ""]).toBe(tools.weather);
});

test("Any other tool becomes one that the AI SDK takes, with the schema as given.", async () => {
  const { tools: read } = readTools([{ name: "mail.send", description: "Sends", inputSchema: city }]);
  const { definitions } = exportTools(read, "ai-sdk");
  const { asSchema } = await import("ai");
  const [definition] = Object.values(definitions);
  expect(await asSchema(definition?.inputSchema as never).jsonSchema).toBe(city);
});
