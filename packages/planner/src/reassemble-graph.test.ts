import { createCatalog, type Tool } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { testTool } from "../test/graph-of.ts";
import { assembleGraph } from "./assemble-graph.ts";
import { buildHypergraph } from "./build-hypergraph.ts";
import { sourceOf } from "./graph-sources.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { type LinksByInput, predictLinks } from "./predict-links.ts";
import { countGivers } from "./port-world.ts";
import { updateHypergraph } from "./update-hypergraph.ts";

const names = ["customer_id", "order_id", "invoice_id", "city", "amount", "user_name"];
const at = (place: number): string => names[place % names.length]!;
/** A tool of a kind of its own; `version` says what it takes and gives, and how many of each. */
const toolOf = (number: number, version = 0): Tool =>
  testTool(
    `tool_${number}`,
    Array.from({ length: (number + version) % 3 }, (_, place) => at(number + place + version)),
    Array.from({ length: 1 + ((number * 5 + version) % 3) }, (_, place) => at(2 * number + place + version)),
    { description: `Version ${version} with ${at(number + version)}` },
  );
const tools = Array.from({ length: 30 }, (_, number) => toolOf(number));

/** What can be compared of a graph: all but its catalog. */
const contents = ({ nodes, nodeOffsets, links, problems }: ToolHypergraph): unknown => ({
  nodes,
  nodeOffsets,
  links,
  problems,
});
const updated = (graph: ToolHypergraph, next: readonly Tool[]): ToolHypergraph =>
  updateHypergraph(graph, createCatalog(next));

/** The same graph put together as a whole, and its links predicted anew, all of them. */
function recomputed(graph: ToolHypergraph): { readonly whole: ToolHypergraph; readonly anew: ToolHypergraph } {
  const source = sourceOf(graph)!;
  const { finder, toolNumbers } = source;
  const { world } = finder;
  countGivers(world, toolNumbers);
  const live = new Set(toolNumbers);
  const predicted: LinksByInput = [];
  const inputs = world.nodes.flatMap(({ kind, tool }, node) => (kind === "in" && live.has(tool) ? [node] : []));
  predictLinks(finder, inputs, predicted, (tool) => live.has(tool));
  return {
    whole: assembleGraph(graph.catalog, source).graph,
    anew: assembleGraph(graph.catalog, { ...source, predicted }).graph,
  };
}

function expectSame(graph: ToolHypergraph): void {
  const { whole, anew } = recomputed(graph);
  expect(contents(graph)).toEqual(contents(whole));
  expect(contents(graph)).toEqual(contents(anew));
  expect(graph.nodes.every(({ id }, place) => graph.nodeOf(id) === place)).toBe(true);
}

describe("reassembleGraph", () => {
  test("a chain of changes gives the graph that is put together as a whole, with all links predicted anew", () => {
    let graph = buildHypergraph(createCatalog(tools));
    let list = tools;
    for (let round = 1; round <= 12; round++) {
      const changed = (7 * round) % list.length;
      list = list.map((tool, place) => (place === changed ? toolOf(changed, round) : tool));
      graph = updated(graph, list);
      expectSame(graph);
    }
  });

  test("so do tools that come, go, change places, and nothing at all", () => {
    const steps: readonly (readonly Tool[])[] = [
      tools,
      [...tools.slice(0, 10), toolOf(40), toolOf(41), ...tools.slice(10)],
      tools.slice(3, 25),
      [...tools.slice(20), ...tools.slice(0, 20)],
      tools.toReversed(),
      tools.filter((_, place) => place % 4 !== 0),
      [toolOf(42), ...tools.slice(1, 29), toolOf(0, 3)],
      tools,
    ];
    let graph = buildHypergraph(createCatalog(tools));
    for (const step of steps) {
      graph = updated(graph, step);
      expectSame(graph);
    }
  });

  test("a branch from an older graph has its own links and counts, and leaves the others as they are", () => {
    const first = buildHypergraph(createCatalog(tools));
    const before = structuredClone(contents(first));
    const second = updated(first, [...tools.slice(0, 5), toolOf(50, 1), ...tools.slice(6)]);
    const third = updated(second, [...second.catalog.tools.slice(0, 12), toolOf(51, 2)]);
    const branch = updated(first, [toolOf(52, 1), ...tools.slice(2)]);
    const onward = updated(third, [...third.catalog.tools, toolOf(53)]);
    expect(first.links.from.length).toBeGreaterThan(100);
    for (const graph of [first, second, third, branch, onward]) expectSame(graph);
    expect(contents(first)).toEqual(before);
  });

  test("problems stand in the order of the tools, and that no tool says what it gives goes and comes", () => {
    const cut = (name: string): Tool =>
      testTool(name, [], [], { inputSchema: { type: "object", properties: { part: { $ref: "#/nowhere" } } } });
    const silent = [cut("a"), testTool("b", ["city"]), cut("c")];
    const codes = (graph: ToolHypergraph): readonly string[] =>
      graph.problems.map(({ code, toolId }) => `${code} ${toolId ?? ""}`);
    const graph = buildHypergraph(createCatalog(silent));
    const still = updated(graph, [cut("d"), ...silent.toReversed()]);
    expect(codes(still)).toEqual(["no-output-schemas ", "unresolved-ref d", "unresolved-ref c", "unresolved-ref a"]);
    const telling = updated(still, [...silent, toolOf(1)]);
    expect(codes(telling)).toEqual(["unresolved-ref a", "unresolved-ref c"]);
    expect(codes(updated(telling, silent))).toEqual(codes(graph));
    for (const made of [graph, still, telling]) expect(contents(made)).toEqual(contents(recomputed(made).whole));
  });
});
