import { describe, expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { contextGraph, type ContextGraphRequest } from "./context-graph.ts";
import { neededTools } from "./needed-tools.ts";
import { rankWithNeeds } from "./rank-with-needs.ts";

const graph = graphOf(
  [
    testTool("get_token", [], ["token"]),
    testTool("find_user", ["name", "token"], ["user_id"]),
    testTool("mail_user", ["user_id", "text"]),
    testTool("read_news", ["topic"], ["text"]),
    testTool("read_text", [], ["text"]),
  ],
  [
    ["get_token#out/token", "find_user#in/token", 0.9],
    ["find_user#out/user_id", "mail_user#in/user_id", 0.8],
    ["read_text#out/text", "mail_user#in/text", 0.9],
  ],
);
const relevance = Float32Array.of(0.1, 0.2, 0.9, 0.5, 0.4);
const tools = (request: Partial<ContextGraphRequest>): readonly (readonly [number, string])[] => {
  const found = contextGraph(graph, { relevance, budget: 3, ...request });
  return Array.from(found.tools, (tool, place): [number, string] => [tool, found.origins[place] ?? ""]);
};

describe("contextGraph", () => {
  test("seeds, then who brings what they need, then the next by relevance", () => {
    expect(tools({ seeds: 1, budget: 4 })).toEqual([
      [2, "seed"],
      [1, "producer"],
      [0, "producer"],
      [3, "filling"],
    ]);
  });

  test("hops are counted, and only inputs that nobody can say are followed", () => {
    expect(tools({ seeds: 1, hops: 1 })).toEqual([
      [2, "seed"],
      [1, "producer"],
      [3, "filling"],
    ]);
    expect(tools({ seeds: 1, hops: 0 })).toEqual([
      [2, "seed"],
      [3, "filling"],
      [4, "filling"],
    ]);
  });

  test("stronger producers come first when there is room for one: weight times relevance", () => {
    // find_user 0.8 · 0.2 = 0.16, get_token 0.9 · 0.1 = 0.09.
    expect(tools({ seeds: 1, budget: 2 })).toEqual([
      [2, "seed"],
      [1, "producer"],
    ]);
  });

  test("tools of nodes that fit the request are seeds as well", () => {
    const nodeRelevance = new Float32Array(graph.nodes.length);
    nodeRelevance[graph.nodeOf("get_token#out/token") ?? -1] = 0.7;
    expect(tools({ seeds: 1, hops: 0, nodeRelevance })).toEqual([
      [2, "seed"],
      [0, "seed"],
      [3, "filling"],
    ]);
  });

  test("a budget beyond the catalog, of 0, and a list of permitted tools hold", () => {
    expect(tools({ budget: 50 }).length).toBe(5);
    expect(tools({ budget: 0 })).toEqual([]);
    expect(tools({ allow: Uint32Array.of(2, 3), budget: 5 }).map(([tool]) => tool)).toEqual([2, 3]);
  });
});

describe("neededTools", () => {
  test("depth first, the strongest first, with the product of the weights", () => {
    const found = neededTools(graph, 2);
    expect(found.map(({ tool }) => tool)).toEqual([2, 4, 1, 0]);
    // mail_user needs find_user with .8, which needs get_token with .9.
    expect(found.at(-1)?.strength).toBeCloseTo(0.72);
  });

  test("depth, number and threshold end it, and a ring is no trap", () => {
    expect(neededTools(graph, 2, { depth: 1 }).map(({ tool }) => tool)).toEqual([2, 4, 1]);
    expect(neededTools(graph, 2, { most: 2 }).map(({ tool }) => tool)).toEqual([2, 4]);
    expect(neededTools(graph, 2, { leastWeight: 0.85 }).map(({ tool }) => tool)).toEqual([2, 4]);
    const ring = graphOf(
      [testTool("a", ["x"], ["y"]), testTool("b", ["y"], ["x"])],
      [
        ["a#out/y", "b#in/y"],
        ["b#out/x", "a#in/x"],
      ],
    );
    expect(neededTools(ring, 0).map(({ tool }) => tool)).toEqual([0, 1]);
  });
});

describe("rankWithNeeds", () => {
  test("what two likely tools need comes before either, the rest by relevance", () => {
    const shared = graphOf(
      [
        testTool("login", [], ["token"]),
        testTool("a", ["token"]),
        testTool("b", ["token"]),
        testTool("c"),
        testTool("d"),
      ],
      [
        ["login#out/token", "a#in/token"],
        ["login#out/token", "b#in/token"],
      ],
    );
    const scores = Float32Array.of(0, 1, 1, 0.3, 0.4);
    expect(Array.from(rankWithNeeds(shared, scores, { seeds: 2 }))).toEqual([0, 1, 2, 4, 3]);
    // With one seed its needs stand behind it: both are certain, and it was found first.
    expect(Array.from(rankWithNeeds(shared, scores, { seeds: 1 }))).toEqual([1, 0, 2, 4, 3]);
  });

  test("the likeliest tool is complete within the room, before anything of the next one", () => {
    // read_news needs no tool; then mail_user with what it needs most, as far as there is room.
    const scores = Float32Array.of(0, 0, 0.5, 1, 0);
    const ranked = Array.from(rankWithNeeds(graph, scores, { seeds: 2, room: 3 }));
    expect(ranked.slice(0, 3)).toEqual([3, 2, 4]);
  });

  test("without any relevance tools stay in their order", () => {
    expect(Array.from(rankWithNeeds(graph, new Float32Array(5)))).toEqual([0, 1, 2, 3, 4]);
  });
});
