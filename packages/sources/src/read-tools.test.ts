import { describe, expect, it } from "vitest";
import { readTools } from "./read-tools.ts";

describe("labelled queries", () => {
  it("are no tool list, though they name tools", () => {
    const lines = [
      { id: "1", query: "q", tools: ["a", "b"] },
      { id: "2", query: "r", tools: ["a"] },
    ];
    expect(() => readTools(lines, { source: "queries.jsonl" })).toThrow(/queries\.jsonl: Expected tools/);
    expect(() => readTools({ tools: ["a"] })).toThrow(/Expected tools/);
  });
});

describe("a document with a type", () => {
  it("is no hosted tool outside a list", () => {
    expect(() => readTools({ name: "x", version: "1.0.0", type: "module" })).toThrow(/Expected tools/);
    expect(readTools([{ type: "web_search" }]).hosted).toHaveLength(1);
  });
});
