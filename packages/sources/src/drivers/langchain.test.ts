import { DynamicTool, tool } from "@langchain/core/tools";
import { expect, test } from "vitest";
import { z } from "zod";
import { exportTools } from "../export-tools.ts";
import { readTools } from "../read-tools.ts";

const search = tool(async () => "", {
  name: "search",
  description: "Searches",
  schema: z.object({ query: z.string() }),
});
const plain = tool(async () => "", {
  name: "plain",
  description: "JSON schema",
  schema: { type: "object", properties: { page: { type: "integer" } } },
});
const text = new DynamicTool({ name: "text", description: "Takes a text", func: async () => "" });

test("Real LangChain tools are read with Zod and JSON schemas, in a list and in a record.", () => {
  const list = readTools([search, plain, text]);
  expect(list.formats).toEqual({ langchain: 3 });
  expect(list.problems).toEqual([]);
  expect(list.tools.map((entry) => Object.keys(entry.inputSchema["properties"] ?? {}))).toEqual([
    ["query"],
    ["page"],
    ["input"],
  ]);
  expect(list.tools[0]?.original).toBe(search);
  expect(readTools({ first: search, second: plain }).tools.map((entry) => entry.name)).toEqual(["search", "plain"]);
});

test("A LangChain tool that needs no change is given back, any other form becomes name, description, schema.", () => {
  expect(exportTools(readTools([search]).tools, "langchain").definitions[0]).toBe(search);
  const schema = { type: "object", properties: {} };
  expect(
    exportTools(readTools([{ name: "a", description: "A", inputSchema: schema }]).tools, "langchain").definitions,
  ).toEqual([{ name: "a", description: "A", schema }]);
});
