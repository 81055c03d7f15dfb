import { describe, expect, it } from "vitest";
import { createCatalog } from "./catalog.ts";
import type { Tool } from "./tool.ts";

const tool = (id: string, description = ""): Tool => ({
  id,
  name: id,
  description,
  inputSchema: { type: "object" },
  original: { id },
});

describe("createCatalog", () => {
  it("gives each tool its place, its cost and the caller's own object", () => {
    const tools = [tool("a"), tool("b", "Sends a mail.")];
    const catalog = createCatalog(tools, { tokenCounter: { name: "length", count: (text) => text.length } });
    expect([catalog.ordinalOf("a"), catalog.ordinalOf("b"), catalog.ordinalOf("c")]).toEqual([0, 1, undefined]);
    // The definition of a: {"name":"a","description":"","parameters":{"type":"object"}} has 60 characters.
    expect([...catalog.tokens]).toEqual([60, 60 + "Sends a mail.".length]);
    expect(catalog.tools[1]?.original).toBe(tools[1]?.original);
  });

  it("has the same revision for the same definitions, and another for any change or order", () => {
    const revision = (...tools: Tool[]): string => createCatalog(tools).revision;
    expect(revision(tool("a"), tool("b"))).toBe(revision(tool("a"), { ...tool("b"), original: "another object" }));
    const all = [
      revision(tool("a"), tool("b")),
      revision(tool("b"), tool("a")),
      revision(tool("a", "x"), tool("b")),
      revision(tool("a")),
    ];
    expect(new Set(all).size).toBe(4);
  });

  it("refuses two tools with one id", () => {
    expect(() => createCatalog([tool("a"), tool("a")])).toThrow(/"a" occurs twice/);
  });

  it("names the tool whose schema is cyclic or too deep", () => {
    const ring: Record<string, unknown> = { type: "object" };
    ring["self"] = ring;
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 50_000; level++) deep = { items: deep };
    for (const inputSchema of [ring, deep]) {
      expect(() => createCatalog([{ ...tool("odd"), inputSchema }])).toThrow(
        /"odd" has a schema that is cyclic or too deep/,
      );
    }
  });

  it("cannot be changed", () => {
    const catalog = createCatalog([tool("a")]);
    expect(() => (catalog.tools as Tool[]).push(tool("b"))).toThrow(TypeError);
  });
});
