import { createCatalog, type Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { cleanLog } from "./clean-log.ts";

const tool = (id: string, name = id): Tool => ({
  id,
  name,
  description: id,
  inputSchema: { type: "object" },
  original: undefined,
});
const catalog = createCatalog([
  tool("a"),
  tool("b"),
  tool("server/c", "c"),
  ...Array.from({ length: 40 }, (_, at) => tool(`t${at}`)),
]);
const kinds = (log: Parameters<typeof cleanLog>[0]): Record<string, number> =>
  Object.fromEntries(cleanLog(log, catalog).problems.map(({ kind, count }) => [kind, count]));

test("the same request 10,000 times is one that counts four times", () => {
  const { queries, lines } = cleanLog(
    Array.from({ length: 10_000 }, () => ({ query: "Send  it", tools: ["b", "a"] })),
    catalog,
  );
  expect(queries).toEqual([{ text: "Send  it", tools: Uint32Array.of(0, 1), weight: 4 }]);
  expect(lines).toBe(10_000);
});

test("of contradictory sets the one that was logged most often counts, the later where they are equal", () => {
  const log = [
    { query: "x", tools: ["a"] },
    { query: "X ", tools: ["b"] },
    { query: "y", tools: ["b"] },
    { query: "y", tools: ["a"] },
    { query: "y", tools: ["b"] },
  ];
  expect(cleanLog(log, catalog).queries.map(({ tools }) => [...tools])).toEqual([[1], [1]]);
  expect(kinds(log)).toMatchObject({ contradictory: 2, repeated: 3 });
});

test("names are taken where they are unique, unknown tools leave, and a request all of whose tools do", () => {
  const log = [
    { query: "x", tools: ["c", "gone"] },
    { query: "y", tools: ["gone"] },
  ];
  expect(cleanLog(log, catalog).queries.map(({ tools }) => [...tools])).toEqual([[2]]);
  expect(kinds(log)["unknown-tool"]).toBe(2);
});

test("sets of forty and lines without text are left out, requests without a tool stay", () => {
  const log = [
    { query: "all", tools: catalog.tools.map(({ id }) => id) },
    { query: " ", tools: ["a"] },
    { query: "hello", tools: [] },
    { query: "x", tools: ["a"] },
  ];
  expect(cleanLog(log, catalog).queries.map(({ text }) => text)).toEqual(["hello", "x"]);
  expect(kinds(log)).toMatchObject({ "too-large-set": 1, "no-text": 1, "no-tool": 1, "never-used": 42 });
});

test("sets that are larger than any that is scored are told of", () => {
  const six = { query: "six things", tools: ["a", "b", "c", "t1", "t2", "t3"] };
  const five = { query: "five things", tools: ["a", "b", "t1", "t2", "t3"] };
  expect(cleanLog([six, five], catalog).queries).toHaveLength(2);
  expect(kinds([six, five])["unscored-set"]).toBe(1);
  expect(kinds([five])).not.toHaveProperty("unscored-set");
});

test.each([
  ["no list", null],
  ["a line that is null", [null]],
  ["a line without its keys", [{}]],
  ["a query that is a number", [{ query: 3, tools: ["a"] }]],
  ["tools that are a text", [{ query: "x", tools: "a" }]],
  ["a tool that is null", [{ query: "x", tools: ["a", null] }]],
])("%s is refused as what it is", (_, log) => {
  expect(() => cleanLog(log as Parameters<typeof cleanLog>[0], catalog)).toThrow(
    expect.objectContaining({ code: "invalid-argument" }),
  );
});

test("a log of which nothing is left is refused, with why", () => {
  expect(() => cleanLog([{ query: "x", tools: ["gone"] }], catalog)).toThrow('the catalog lacks ("gone")');
  expect(() => cleanLog([], catalog)).toThrow("of 0 lines none can be used");
});
