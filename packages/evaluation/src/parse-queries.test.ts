import { describe, expect, it } from "vitest";
import { parseQueries } from "./parse-queries.ts";

describe("parseQueries", () => {
  it("reads one query a line and ignores what it does not know", () => {
    const text =
      '{"id":"1","query":"q","tools":["a"],"plan":{"calls":["a"]}}\n\n{"id":"2","query":"r","tools":[],"candidates":["b"]}\n';
    expect(parseQueries(text)).toEqual([
      { id: "1", query: "q", tools: ["a"] },
      { id: "2", query: "r", tools: [], candidates: ["b"] },
    ]);
  });

  it("names the line that is not JSON", () => {
    expect(() => parseQueries('{"id":"1","query":"q","tools":[]}\n{"id":', { source: "q.jsonl" })).toThrow(
      /Line 2 of q\.jsonl is not JSON/,
    );
  });

  it("names the field that is wrong", () => {
    expect(() => parseQueries('{"id":"1","query":"q","tools":"a"}')).toThrow(/Line 1 is not a labelled query.*"tools"/);
  });
});
