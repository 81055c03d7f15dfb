import { expect, test } from "vitest";
import { exportTools } from "../export-tools.ts";
import { readTools } from "../read-tools.ts";

const tool = (name: string) => ({ name, description: `Does ${name}`, inputSchema: { type: "object" } });
const names = (input: unknown, options = {}) => readTools(input, options).tools.map(({ name }) => name);

test("One tool, a bare array, a result, a JSON-RPC answer and several pages are all read.", () => {
  const page = { tools: [tool("a"), tool("b")], nextCursor: "2" };
  const last = { tools: [tool("c")] };
  expect(names(tool("a"))).toEqual(["a"]);
  expect(names([tool("a"), tool("b")])).toEqual(["a", "b"]);
  expect(names(last)).toEqual(["c"]);
  expect(names({ jsonrpc: "2.0", id: 1, result: last })).toEqual(["c"]);
  expect(names([page, last])).toEqual(["a", "b", "c"]);
  expect(names([[tool("a")], [tool("b"), [tool("c")]], last])).toEqual(["a", "b", "c", "c"]);
});

test("A cursor that leads to a page nobody gave is reported, on the last page only.", () => {
  const page = { tools: [tool("a")], nextCursor: "2" };
  expect(readTools(page).problems).toMatchObject([{ code: "server-failed" }]);
  expect(readTools([page, { tools: [tool("b")], nextCursor: "3" }]).problems).toMatchObject([
    { code: "server-failed" },
  ]);
  expect(readTools([page, { tools: [tool("b")] }]).problems).toEqual([]);
});

test("Title, hints and output schema are kept; nulls in their place mean nothing.", () => {
  const [first, second] = readTools([
    { ...tool("a"), title: "Nice", outputSchema: { type: "object" }, annotations: { readOnlyHint: true, other: 1 } },
    { ...tool("b"), outputSchema: null, annotations: null, title: null },
  ]).tools;
  expect(first).toMatchObject({ annotations: { title: "Nice", readOnlyHint: true }, outputSchema: { type: "object" } });
  expect(first?.annotations).not.toHaveProperty("other");
  expect(second).not.toHaveProperty("annotations");
  expect(second).not.toHaveProperty("outputSchema");
});

test("The server comes from the option, the result, or the record the lists stand in; the innermost wins.", () => {
  const list = { tools: [tool("a")] };
  expect(readTools(list, { server: "github" }).tools[0]?.server).toBe("github");
  expect(readTools({ serverInfo: { name: "git" }, ...list }, { server: "x" }).tools[0]?.server).toBe("git");
  expect(readTools({ one: [tool("a")], two: list }).tools.map((entry) => entry.id)).toEqual(["one/a", "two/a"]);
});

test("A server's error answer is a problem beside the other pages, and broken entries of a server leave the rest alone.", () => {
  const list = readTools([
    { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "gone" } },
    { tools: [null, 3, tool("a"), { description: "nameless", inputSchema: {} }] },
  ]);
  expect(list.tools.map(({ name }) => name)).toEqual(["a"]);
  expect(list.problems.map((problem) => problem.code)).toEqual(["server-failed", "left-out", "left-out", "left-out"]);
});

test("Exported to MCP a tool is the caller's object, or carries what MCP knows.", () => {
  const given = tool("a");
  expect(exportTools(readTools([given]).tools, "mcp").definitions[0]).toBe(given);
  const chat = { type: "function", function: { name: "b", parameters: { type: "object" } } };
  expect(exportTools(readTools([chat]).tools, "mcp").definitions).toEqual([
    { name: "b", inputSchema: { type: "object" } },
  ]);
});
