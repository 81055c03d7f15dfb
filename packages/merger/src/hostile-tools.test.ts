import { createCatalog, type JsonSchema, type Tool } from "@setwise/core";
import { describe, expect, it } from "vitest";
import { text, tool } from "../test/tool.ts";
import { foldSchemas } from "./fold-schemas.ts";
import { mergeTools } from "./merge-tools.ts";

const idsOf = (tools: readonly Tool[]): readonly string[] => tools.map(({ id }) => id);

describe("hostile tools", () => {
  it("1: rings of references are folded only with their like", async () => {
    const ring: JsonSchema = {
      type: "object",
      properties: { node: { $ref: "#/$defs/node" } },
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
    };
    const a = tool("get_tree", "Get a tree of nodes", {}, { inputSchema: ring });
    const b = tool("fetch_tree", "Get a tree of nodes", {}, { inputSchema: ring });
    const c = tool("retrieve_tree", "Get a tree of nodes", { node: text });
    const merged = await mergeTools(createCatalog([a, b, c]));
    expect(merged.clusters.map(({ members }) => members)).toEqual([["get_tree", "fetch_tree"]]);
    expect(merged.catalog.tools[0]?.inputSchema).toBe(ring);
  });

  it("2: 2,000 identical tools become one", async () => {
    const tools = Array.from({ length: 2000 }, (_, place) =>
      tool(`copy-${place}`, "Count the words", { text }, { name: "count_words" }),
    );
    const merged = await mergeTools(createCatalog(tools));
    expect(merged.catalog.tools).toHaveLength(1);
    expect(merged.report.judged).toBe(0);
    expect(merged.resolve({ tool: "copy-1999", arguments: { text: "a" } }).status).toBe("resolved");
  });

  it("3: a schema nested 100,000 deep overflows nothing and is folded with nothing", async () => {
    let deep: JsonSchema = { type: "string" };
    for (let level = 0; level < 100_000; level++) deep = { type: "array", items: deep };
    const schema: JsonSchema = { type: "object", properties: { deep } };
    const a = tool("count_items", "Count items", {}, { inputSchema: schema });
    // A catalog refuses it; what folds schemas must stand it too.
    expect(foldSchemas([a, { ...a, id: "count_items_2" }]).mappings).toHaveLength(2);
    expect(() => createCatalog([a])).toThrow(expect.objectContaining({ code: "invalid-argument" }));
  });

  it("4: arguments named like parts of every object are plain arguments", async () => {
    const properties = Object.fromEntries(["__proto__", "constructor", "toString"].map((name) => [name, text]));
    Object.defineProperty(properties, "__proto__", { value: text, enumerable: true });
    const a = tool("count_words", "Count the words", properties, { required: [] });
    const b = tool("word_count", "Count the words", { text, ...properties }, { required: [] });
    const { resolve, clusters } = await mergeTools(createCatalog([a, b]));
    expect(clusters).toHaveLength(1);
    const given = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, unknown>;
    const resolved = resolve({ tool: "count_words", arguments: given });
    expect(resolved.status === "resolved" && Object.entries(resolved.arguments)).toEqual(Object.entries(given));
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it("5: properties and schemas of the wrong kind are no arguments", async () => {
    const of = (id: string, properties: unknown): Tool =>
      tool(id, "Count the words", {}, { inputSchema: { type: "object", properties, required: "text" } });
    const merged = await mergeTools(createCatalog([of("a", null), of("b", []), of("c", { text: 7 }), of("d", "text")]));
    expect(merged.catalog.tools.length).toBeGreaterThan(0);
    for (const id of ["a", "b", "c", "d"]) expect(merged.newIdOf(id)).toBeDefined();
  });

  it("6: a pattern that never ends is not run", async () => {
    const evil: JsonSchema = { type: "string", pattern: "^(a+)+$" };
    const a = tool("count_words", "Count the words", { text: evil });
    const b = tool("word_count", "Count the words", { text: evil });
    const { resolve, clusters } = await mergeTools(createCatalog([a, b]));
    expect(clusters).toHaveLength(1);
    expect(resolve({ tool: "word_count", arguments: { text: `${"a".repeat(50)}!` } }).status).toBe("resolved");
  });

  it("7: texts of a million characters, of no letters and of foreign letters are read as far as they tell", async () => {
    const long = "word ".repeat(200_000);
    const tools = [
      tool("a", long, { text }),
      tool("b".repeat(10_000), long, { text }),
      tool("···", "???", { text }),
      tool("搜索", "搜索网页", { 关键词: text }),
      tool("查找", "搜索网页", { 关键词: text }),
      tool(" / ", "", {}),
    ];
    const merged = await mergeTools(createCatalog(tools));
    expect(merged.report.before.tools).toBe(6);
    expect(merged.newIdOf("···")).toBe("···");
  });

  it("8: 300 tools of 300 arguments each come to an end, and only copies of schemas are folded", async () => {
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, place) => [`argument_${place}`, text]));
    const tools = Array.from({ length: 300 }, (_, place) =>
      tool(`set_values_${"x".repeat(place % 7)}${place}`, `Set the values ${place}`, properties),
    );
    const merged = await mergeTools(createCatalog(tools));
    expect(merged.report.before.tools).toBe(300);
  });

  it("9: contradictory pins over 200 tools in a ring leave them all apart", async () => {
    const tools = Array.from({ length: 200 }, (_, place) => tool(`t${place}`, `Number ${place}`, { text }));
    const pins = tools.map(
      ({ id }, place) => ({ a: id, b: `t${(place + 1) % 200}`, decision: place === 0 ? "different" : "same" }) as const,
    );
    const merged = await mergeTools(createCatalog(tools), { pins });
    expect(merged.clusters).toEqual([]);
    expect(merged.report.problems.map(({ code }) => code)).toEqual(["contradictory-pins"]);
  });

  it("10: a judge that says that all are the same cannot make a call impossible", async () => {
    const tools = [
      tool(
        "count_words_a",
        "Count the words",
        {},
        { inputSchema: { type: "object", oneOf: [{ required: ["x"] }, { required: ["y"] }] } },
      ),
      tool("count_words_b", "Count the words", { x: { type: "string", pattern: "^x" } }),
      tool("count_words_c", "Count the words", { x: { type: "string", pattern: "^y" } }),
      tool("count_words_d", "Count the words", { x: text }),
    ];
    const merged = await mergeTools(createCatalog(tools), {
      judge: { name: "yes", judge: async () => ({ same: true, reason: "Yes." }) },
    });
    expect(idsOf(merged.catalog.tools)).toEqual(["count_words_a", "count_words_b", "count_words_c", "count_words_d"]);
    expect(merged.rejected.some(({ reason }) => reason.includes("no one schema"))).toBe(true);
  });

  it("A judge that throws leaves the decision to the words and is named", async () => {
    const tools = [
      tool("word_count", "Count the words in a text", { text }),
      tool("count_words", "Counts the words of a given text", { text }),
    ];
    const judge = { name: "broken", judge: async () => Promise.reject(new Error("out of order")) };
    const merged = await mergeTools(createCatalog(tools), { judge });
    expect(merged.clusters).toHaveLength(1);
    expect(merged.report.problems).toEqual([
      expect.objectContaining({ code: "judge-fell-back", message: expect.stringContaining("broken") }),
    ]);
  });
});
