import { createCatalog } from "@setwise/core";
import { expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { buildHypergraph } from "./build-hypergraph.ts";
import { DeficitExpansion, type DeficitExpansionOptions } from "./expand-deficit.ts";
import type { GivenEdge } from "./given-edges.ts";
import { neededTools } from "./needed-tools.ts";
import { planTools } from "./plan-tools.ts";

const tools = [testTool("a", [], ["x_id"]), testTool("b", ["x_id"])];
const graph = graphOf(tools, [["a#out/x_id", "b#in/x_id"]]);
const refused = expect.objectContaining({ code: "invalid-argument" });
const edge = { from: { tool: "a", output: "x_id" }, to: { tool: "b", input: "x_id" } };

test.each([
  [null],
  [{}],
  [{ ...edge, weight: Number.NaN }],
  [{ ...edge, weight: 5 }],
  [{ ...edge, kind: "x" }],
  [{ ...edge, from: { tool: "" } }],
  [{ ...edge, to: { tool: "b", input: 5 } }],
])("a graph is not built with the edge %j", (wrong) => {
  const edges = [edge, wrong] as unknown as GivenEdge[];
  expect(() => buildHypergraph(createCatalog(tools), { edges })).toThrow(refused);
});

test.each([
  ["leastWeight NaN", { leastWeight: Number.NaN }],
  ["floor -1", { floor: -1 }],
  ["floor NaN", { floor: Number.NaN }],
  ["among 99", { among: Uint32Array.of(99) }],
  ["alsoRequired 9999", { alsoRequired: Uint32Array.of(9999) }],
] satisfies [string, DeficitExpansionOptions][])("an expansion is not made with %s", (_, options) => {
  expect(() => new DeficitExpansion(graph, options)).toThrow(refused);
});

test("what a tool needs is not told of a tool that is not there", () => {
  expect(() => neededTools(graph, 99)).toThrow(refused);
});

test("a plan takes sixty-four sub-tasks and no more", () => {
  const expansion = new DeficitExpansion(graph);
  const subTask = { goal: "g", ids: Uint32Array.of(1), scores: Float32Array.of(1) };
  const subTasks = Array.from({ length: 65 }, () => subTask);
  expect(() => planTools(expansion, { query: "q", subTasks })).toThrow(refused);
  expect(planTools(expansion, { query: "q", subTasks: subTasks.slice(1) }).calls.length).toBeGreaterThan(0);
});
