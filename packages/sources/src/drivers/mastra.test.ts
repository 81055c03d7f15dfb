import { expect, test } from "vitest";
import { z } from "zod";
import { readTools } from "../read-tools.ts";

/* The shape that Mastra's documentation prints for createTool; the class adds nothing that is read. */
const weatherTool = {
  id: "get-weather",
  description: "Fetches the current weather",
  inputSchema: z.object({ location: z.string().describe("City name") }),
  outputSchema: z.object({ weather: z.string() }),
  execute: async () => ({ weather: "sunny" }),
};

test("A Mastra tool's id is its name, whatever key it stands under, alone and in a list.", () => {
  for (const input of [{ weatherTool }, [weatherTool], weatherTool]) {
    const list = readTools(input);
    expect(list.formats).toEqual({ mastra: 1 });
    expect(list.tools[0]).toMatchObject({ id: "get-weather", name: "get-weather" });
    expect(list.tools[0]?.original).toBe(weatherTool);
  }
});

test("Both schemas are read, and Mastra's MCP annotations are kept.", () => {
  const [tool] = readTools([{ ...weatherTool, mcp: { annotations: { readOnlyHint: true } } }]).tools;
  expect(tool?.inputSchema).toMatchObject({ properties: { location: { description: "City name" } } });
  expect(tool?.outputSchema).toMatchObject({ properties: { weather: { type: "string" } } });
  expect(tool?.annotations).toEqual({ readOnlyHint: true });
});
