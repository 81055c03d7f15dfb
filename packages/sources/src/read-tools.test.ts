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
