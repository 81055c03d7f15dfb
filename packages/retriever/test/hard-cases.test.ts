import { createCatalog, type JsonSchema, type Tool } from "@setwise/core";
import { hardCase } from "@setwise/testkit";
import { expect, test } from "vitest";
import { buildIndex } from "../src/build-index.ts";
import { retrieve } from "../src/retrieve.ts";
import { tool } from "./tool.ts";

/* The parts of the hard cases that concern search. Reading the formats is not this package's work, so tools are made by hand. */

interface RawTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
}

const toTool = (raw: RawTool, server?: string): Tool =>
  tool(raw.name, raw.description ?? "", {
    inputSchema: raw.inputSchema ?? { type: "object" },
    ...(server === undefined ? {} : { server }),
  });

const ranking = (tools: readonly Tool[]): ((query: string) => string[]) => {
  const index = buildIndex(createCatalog(tools));
  return (query) => [...retrieve(index, query).ids].map((ordinal) => tools[ordinal]?.name ?? "");
};

test("01: words inside branches and references rank their tools first", () => {
  const { tools, queries } = hardCase("root-combinators").input as { tools: RawTool[]; queries: string[] };
  const rank = ranking(tools.map((raw) => toTool(raw)));
  expect(queries.map((query) => rank(query)[0])).toEqual(["attach_document", "api_impact", "create_ticket"]);
});

test("02: rings and depth come to an end, and what is in them is found", () => {
  const { tools, queries } = hardCase("circular-refs").input as { tools: RawTool[]; queries: string[] };
  let deep: JsonSchema = { type: "string" };
  for (let depth = 0; depth < 5000; depth++) deep = { type: "object", properties: { p: deep } };
  const all = [...tools, { name: "very_deep", description: "Deep.", inputSchema: deep }].map((raw) => toTool(raw));
  // The catalog's own counting of tokens is not what is tried here.
  const catalog = { tools: all, tokens: new Uint32Array(all.length), revision: "", ordinalOf: () => undefined };
  const index = buildIndex(catalog);
  const rank = (query: string): string[] => [...retrieve(index, query).ids].map((ordinal) => all[ordinal]?.name ?? "");
  expect(queries.map((query) => rank(query)[0])).toEqual(["search_orders", "move_folder"]);
  expect(rank("a plain field")[0]).toBe("dangling_ref");
  expect(rank("marker word")[0]).toBe("self_root");
  expect(rank("very deep")[0]).toBe("very_deep");
});

test("03: names are found by their own words, in any script", () => {
  const { servers } = hardCase("name-collisions").input as { servers: Record<string, RawTool[]> };
  const tools = Object.entries(servers).flatMap(([server, list]) => list.map((raw) => toTool(raw, server)));
  const rank = ranking(tools);
  const standards = ["代码规范检索", "代码规范更新"];
  expect(rank("coding standard").slice(0, 2)).toEqual(standards);
  expect(rank("代码规范").slice(0, 2)).toEqual(standards);
  expect(rank("代码规范更新")[0]).toBe("代码规范更新");
  expect(rank("🔧🔧")).toEqual(["🔧🔧"]);
  const long = `${"x".repeat(90)}y`;
  expect(rank(long)[0]).toBe(long);
});

test("05: tools without a description are found by the words of name and arguments", () => {
  const names = {
    get_weather: "Weather for a city.",
    get_forecast: "Weather forecast for a city.",
    book_table: "Book a restaurant table.",
    cancel_table: "Cancel a restaurant booking.",
    pause_render: "Pause rendering.",
    resume_render: "",
    server_time: "",
  };
  const rotated = tool("noDescription_butCamelCase_and_snake", "", { properties: { rotationDegrees: {} } });
  const rank = ranking([...Object.entries(names).map(([name, text]) => tool(name, text)), rotated]);
  expect(rank("what will the weather be in Oslo").slice(0, 2).sort()).toEqual(["get_forecast", "get_weather"]);
  const paused = rank("pause the render for now");
  expect(paused[0]).toBe("pause_render");
  expect(rank("current time on the server")[0]).toBe("server_time");
  expect(rank("rotation in degrees")[0]).toBe(rotated.name);
});

test("08: what can be answered has its tools among the first five, a name by itself its tool first", () => {
  interface Asked {
    readonly q: string;
    readonly answerable: boolean;
    readonly must?: readonly string[];
  }
  const { tools, queries } = hardCase("nothing-fits").input as { tools: RawTool[]; queries: Asked[] };
  const rank = ranking(tools.map((raw) => toTool(raw)));
  for (const { q, must } of queries.filter((query) => query.answerable)) {
    expect(rank(q).slice(0, 5)).toEqual(expect.arrayContaining([...(must ?? [])]));
  }
  expect(rank("grep")[0]).toBe("grep");
});

test("08: words in common are evidence, and there is little of it where nothing fits", () => {
  const { tools, queries } = hardCase("nothing-fits").input as {
    tools: RawTool[];
    queries: { q: string; answerable: boolean }[];
  };
  const index = buildIndex(createCatalog(tools.map((raw) => toTool(raw))));
  const coverage = (answerable: boolean): number[] =>
    queries
      .filter((query) => query.answerable === answerable)
      .map(({ q }) => retrieve(index, q).evidence.queryCoverage);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(coverage(false))).toBeLessThan(mean(coverage(true)) / 2);
});
