import { createCatalog, type Tool } from "@setwise/core";
import { buildHypergraph } from "@setwise/planner";
import { describe, expect, test } from "vitest";
import { fitLinkWeights } from "./fit-link-weights.ts";
import { halfOf } from "./link-gold.ts";
import { rankingQuality } from "./planner-graph-dependencies.ts";
import { linkPrecision } from "./planner-graph-links.ts";

const text = { type: "string" };
const tool = (id: string, takes: readonly string[]): Tool => ({
  id,
  name: id,
  description: "",
  inputSchema: { type: "object", properties: Object.fromEntries(takes.map((name) => [name, text])), required: takes },
  original: null,
});

describe("linkPrecision", () => {
  test("is the mean of the precision at each known pair", () => {
    const catalog = createCatalog([tool("qq", []), tool("ww", []), tool("ee", ["rr"])]);
    const edge = (from: string, weight: number) => ({ from: { tool: from }, to: { tool: "ee", input: "rr" }, weight });
    const graph = buildHypergraph(catalog, { edges: [edge("qq", 0.9), edge("ww", 0.5)] });
    const known = (...pairs: string[]) => ({ isKnown: () => false, isWhole: true, pairs: new Set(pairs) });
    expect(linkPrecision(graph, known("qq > ee"))).toBe(1);
    // Found at rank 2: 1/2. The other known pair has no link: (1/2 + 0) / 2.
    expect(linkPrecision(graph, known("ww > ee"))).toBe(0.5);
    expect(linkPrecision(graph, known("ww > ee", "ee > ee"))).toBe(0.25);
    const other = halfOf("ee") === "dev" ? "test" : "dev";
    expect(linkPrecision(graph, known("qq > ee"), other)).toBeNaN();
  });
});

describe("rankingQuality", () => {
  test("counts precision at each right tool, the share that was found, and whether all were", async () => {
    const catalog = createCatalog([tool("a", []), tool("b", []), tool("c", [])]);
    const queries = [{ id: "1", query: "q", tools: ["a", "c"] }];
    const none = () => Promise.resolve(new Float32Array(3));
    // Right at ranks 1 and 3: (1/1 + 2/3) / 2 = 5/6.
    const found = await rankingQuality(catalog, queries, none, () => [0, 1, 2]);
    expect(found.map).toBeCloseTo(5 / 6);
    expect([found.recall, found.complete]).toEqual([1, 1]);
    const half = await rankingQuality(catalog, queries, none, () => [1, 2]);
    expect([half.map, half.recall, half.complete]).toEqual([0.25, 0.5, 0]);
  });
});

describe("fitLinkWeights", () => {
  test("finds the log odds of each group, and the ridge keeps separable rows finite", () => {
    // Of rows with x = 0 a quarter is right: ln(1/3). Of those with x = 1 three quarters: ln(3), 2·ln(3) more.
    const values = Float32Array.from([0, 0, 0, 0, 1, 1, 1, 1].flatMap((x) => [1, x]));
    const labels = Uint8Array.of(1, 0, 0, 0, 1, 1, 1, 0);
    const weights = new Float32Array(8).fill(1);
    const [bias = 0, slope = 0] = fitLinkWeights({ columns: 2, values, labels, weights }, 1e-9);
    expect(bias).toBeCloseTo(-Math.log(3), 4);
    expect(slope).toBeCloseTo(2 * Math.log(3), 4);
    const separable = fitLinkWeights(
      { columns: 2, values, labels: Uint8Array.of(0, 0, 0, 0, 1, 1, 1, 1), weights },
      0.1,
    );
    expect(separable.every(Number.isFinite)).toBe(true);
  });
});
