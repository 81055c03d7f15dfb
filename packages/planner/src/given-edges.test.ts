import { createCatalog, SetwiseError } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { testTool } from "../test/graph-of.ts";
import { buildHypergraph } from "./build-hypergraph.ts";
import { type GivenEdge, readEdges, stepsOf } from "./given-edges.ts";
import { producersOf, type ToolHypergraph } from "./hypergraph.ts";

const catalog = createCatalog([
  testTool("turn_wifi_on"),
  testTool("find_user", ["name"], ["user_id"]),
  testTool("mail_user", ["user_id", "city"]),
]);
const built = (edges: readonly GivenEdge[]): ToolHypergraph => buildHypergraph(catalog, { edges });
const into = (graph: ToolHypergraph, id: string): readonly (readonly [string | undefined, number, string])[] =>
  producersOf(graph, graph.nodeOf(id) ?? -1).map(({ node, weight, kind }) => [graph.nodes[node]?.id, weight, kind]);

describe("given edges", () => {
  test("an edge between an output and an input is a link of its weight, above what is predicted", () => {
    const graph = built([
      { from: { tool: "find_user", output: "user_id" }, to: { tool: "mail_user", input: "/city" }, weight: 0.5 },
    ]);
    expect(into(graph, "mail_user#in/city")).toEqual([["find_user#out/user_id", 0.5, "data"]]);
  });

  test("an edge without an input is an effect that the other tool needs", () => {
    const graph = built([{ from: { tool: "turn_wifi_on" }, to: { tool: "mail_user" } }]);
    expect(into(graph, "mail_user#pre/turn_wifi_on")).toEqual([["turn_wifi_on#eff/called", 1, "effect"]]);
    expect(graph.nodes[graph.nodeOf("mail_user#pre/turn_wifi_on") ?? -1]?.required).toBe(true);
    // Inputs, preconditions, outputs, effects: in this order within a tool.
    const kinds = graph.nodes.filter(({ tool }) => tool === 2).map(({ kind }) => kind);
    expect(kinds).toEqual(["in", "in", "pre", "out"]);
  });

  test("an order edge asks for nothing", () => {
    const graph = built([{ from: { tool: "turn_wifi_on" }, to: { tool: "mail_user" }, kind: "order" }]);
    expect(graph.nodes[graph.nodeOf("mail_user#pre/turn_wifi_on") ?? -1]?.required).toBe(false);
  });

  test("a weight of 0 forbids what is predicted", () => {
    const forbidden = {
      from: { tool: "find_user", output: "user_id" },
      to: { tool: "mail_user", input: "user_id" },
      weight: 0,
    };
    expect(into(built([]), "mail_user#in/user_id").map(([id]) => id)).toContain("find_user#out/user_id");
    expect(into(built([forbidden]), "mail_user#in/user_id").map(([id]) => id)).not.toContain("find_user#out/user_id");
  });

  test("of two edges that contradict each other the last one counts, and it is told", () => {
    const edge = (weight: number): GivenEdge => ({
      from: { tool: "find_user", output: "user_id" },
      to: { tool: "mail_user", input: "city" },
      weight,
    });
    const graph = built([edge(0.9), edge(0.25)]);
    expect(into(graph, "mail_user#in/city")).toEqual([["find_user#out/user_id", 0.25, "data"]]);
    expect(graph.problems.map(({ code }) => code)).toEqual(["contradictory-edges"]);
    expect(built([edge(0.9), edge(0.9)]).problems).toEqual([]);
  });

  test.each([[["order", "effect"]], [["effect", "order"]]] as const)(
    "of the edges %j the order takes nothing back of the effect",
    (kinds) => {
      const graph = built(kinds.map((kind) => ({ from: { tool: "turn_wifi_on" }, to: { tool: "mail_user" }, kind })));
      expect(into(graph, "mail_user#pre/turn_wifi_on")).toEqual([["turn_wifi_on#eff/called", 1, "effect"]]);
      expect(graph.nodes[graph.nodeOf("mail_user#pre/turn_wifi_on") ?? -1]?.required).toBe(true);
      expect(graph.problems).toEqual([]);
    },
  );

  test("edges that name what is not there are left out, and it is told", () => {
    const graph = built([
      { from: { tool: "nobody" }, to: { tool: "mail_user" } },
      { from: { tool: "find_user" }, to: { tool: "nobody" } },
      { from: { tool: "find_user", output: "shoe" }, to: { tool: "mail_user", input: "city" } },
      { from: { tool: "find_user" }, to: { tool: "mail_user", input: "shoe" } },
    ]);
    expect(graph.problems.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => "unknown-port"));
    expect(graph.links).toEqual(built([]).links);
  });
});

describe("readEdges", () => {
  test("reads a list, and a dependency without an input", async () => {
    const edges = [{ from: { tool: "a", output: null }, to: { tool: "b", input: null }, kind: "effect" }];
    expect(await readEdges(JSON.stringify(edges), "edges.json")).toEqual(edges);
  });

  test("says what is wrong, and where", async () => {
    const code = async (text: string): Promise<string> => {
      try {
        await readEdges(text, "edges.json");
      } catch (error) {
        return SetwiseError.isInstance(error) ? `${error.code} ${error.message.slice(0, 45)}` : "another error";
      }
      return "none";
    };
    expect(await code("[")).toMatch(/^invalid-syntax edges.json/);
    expect(await code("{}")).toMatch(/^invalid-argument edges.json: edge list, as a whole/);
    expect(await code('[{"from":{"tool":"a"},"to":{"tool":"b"},"weight":2}]')).toMatch(
      /^invalid-argument edges.json: edge 0, weight/,
    );
    expect(await code('[{"from":{"tool":"a"},"to":{"tool":"b"},"kind":"x"}]')).toMatch(
      /^invalid-argument edges.json: edge 0, kind/,
    );
  });

  test("a pointer's positions are any item", () => {
    expect(stepsOf("/list/0/a~1b")).toEqual(["list", "*", "a/b"]);
    expect(stepsOf("a/b")).toEqual(["a/b"]);
    expect(stepsOf("")).toEqual([]);
  });
});
