import { expect, test } from "vitest";
import { exportTools } from "../export-tools.ts";
import { readTools } from "../read-tools.ts";

/* The shape of the function calling guide of the Gemini API. */
const schedule = {
  name: "schedule_meeting",
  description: "Schedules a meeting.",
  parameters: {
    type: "object",
    properties: { topic: { type: "string", description: "The topic" } },
    required: ["topic"],
  },
};

test("Function declarations are read out of a Gemini tool; what Gemini runs itself passes through.", () => {
  const search = { googleSearch: {} };
  const list = readTools([{ functionDeclarations: [schedule] }, search]);
  expect(list.formats).toEqual({ gemini: 1 });
  expect(list.tools[0]?.inputSchema).toBe(schedule.parameters);
  expect(list.hosted[0]).toBe(search);
});

test("A schema of plain keywords is exported as given, and a tool without arguments has no parameters.", () => {
  const { tools } = readTools([
    schedule,
    { name: "ping", description: "Pings", inputSchema: { type: "object", properties: {} } },
  ]);
  const { definitions, problems } = exportTools(tools, "gemini");
  expect(definitions[0]?.parameters).toBe(schedule.parameters);
  expect(definitions[1]).toEqual({ name: "ping", description: "Pings" });
  expect(problems).toEqual([]);
});
