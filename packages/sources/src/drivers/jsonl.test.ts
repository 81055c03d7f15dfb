import { expect, test } from "vitest";
import { exportTools } from "../export-tools.ts";
import { parseToolText } from "../parse-tool-text.ts";
import { readTools } from "../read-tools.ts";

const lines = [
  '{"id": "shop.refund", "name": "refund", "description": "Refunds an order", "parameters": {"type": "object", "properties": {"order": {}}}, "returns": {"type": "object"}, "category": "Shop", "server": "shop"}',
  '{"id": "bank.refund", "name": "refund", "description": "Refunds a payment", "category": ""}',
].join("\n");

test("Lines are read with their own ids, though names are alike.", async () => {
  const list = readTools(await parseToolText(`${lines}\n\n`));
  expect(list.formats).toEqual({ jsonl: 2 });
  expect(list.problems).toEqual([]);
  expect(list.tools.map((tool) => [tool.id, tool.name, tool.server, tool.tags])).toEqual([
    ["shop.refund", "refund", "shop", ["Shop"]],
    ["bank.refund", "refund", undefined, undefined],
  ]);
  expect(list.tools[0]?.outputSchema).toEqual({ type: "object" });
  expect(list.tools[1]?.inputSchema).toEqual({ type: "object" });
});

test("An id that meets another tool's name stays with the line that brought it.", () => {
  const list = readTools([
    { name: "refund", description: "MCP", inputSchema: { type: "object" } },
    { id: "refund", name: "refund order", description: "a line" },
  ]);
  expect(list.tools[1]?.id).toBe("refund");
  expect(list.tools[0]?.id).toMatch(/^refund#[0-9a-f]{8}$/);
});

test("A list of parameters, as API directories write it, is read as a schema.", () => {
  const [tool] = readTools([
    {
      id: "movies",
      name: "Fetch Movies",
      description: "",
      parameters: [
        { name: "year", type: "STRING", description: "Year", required: true, default: "2018" },
        { name: "genre", type: "ENUM", description: "", required: false },
      ],
    },
  ]).tools;
  expect(tool?.inputSchema).toEqual({
    type: "object",
    properties: { year: { type: "string", description: "Year", default: "2018" }, genre: { description: "" } },
    required: ["year"],
  });
});

test("What is written as lines is read back as the same tools.", () => {
  const { tools } = readTools(
    {
      tools: [
        {
          name: "a.b",
          description: "A",
          inputSchema: { type: "object", anyOf: [{}] },
          outputSchema: { type: "object" },
        },
      ],
    },
    { server: "s" },
  );
  const { definitions, toolOf, nameOf } = exportTools(tools, "jsonl");
  const { original: _original, ...rest } = readTools(definitions).tools[0] ?? { original: undefined };
  expect({ ...rest, original: tools[0]?.original }).toEqual(tools[0]);
  expect(tools[0] && toolOf(nameOf(tools[0]) ?? "")).toBe(tools[0]);
});
