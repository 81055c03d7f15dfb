import { createCatalog, SetwiseError } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { buildHypergraph } from "./build-hypergraph.ts";
import { graphToDot, graphToGraphml, graphToMermaid } from "./export-graph.ts";
import { graphFromJson, graphToJson } from "./graph-file.ts";

const catalog = createCatalog([
  testTool("find_user", ["name"], ["user_id"]),
  testTool("mail_user", ["user_id"]),
  testTool("turn_on"),
]);
const graph = buildHypergraph(catalog, {
  edges: [
    { from: { tool: "turn_on" }, to: { tool: "mail_user" } },
    { from: { tool: "find_user", output: "user_id" }, to: { tool: "mail_user", input: "user_id" }, weight: 0.75 },
  ],
});

describe("a graph as JSON", () => {
  test("what is written is read the same", async () => {
    const read = await graphFromJson(graphToJson(graph), catalog, "graph.json");
    expect(read.nodes).toEqual(graph.nodes);
    expect(read.links).toEqual(graph.links);
    expect(read.nodeOffsets).toEqual(graph.nodeOffsets);
    expect(read.nodeOf("mail_user#pre/turn_on")).toBe(graph.nodeOf("mail_user#pre/turn_on"));
    const empty = createCatalog([]);
    expect((await graphFromJson(graphToJson(buildHypergraph(empty)), empty, "graph.json")).nodes).toEqual([]);
  });

  test("other tools, another version, another form and contradictions are refused with a code each", async () => {
    const code = async (change: (data: Record<string, unknown>) => unknown, of = catalog): Promise<string> => {
      try {
        await graphFromJson(JSON.stringify(change(JSON.parse(graphToJson(graph)) as Record<string, unknown>)), of, "g");
      } catch (error) {
        return SetwiseError.isInstance(error) ? error.code : String(error);
      }
      return "none";
    };
    expect(await code((data) => data)).toBe("none");
    expect(await code((data) => data, createCatalog([testTool("other")]))).toBe("invalid-argument");
    expect(await code((data) => ({ ...data, version: 2 }))).toBe("unsupported-version");
    expect(await code((data) => ({ ...data, format: "x" }))).toBe("corrupt-file");
    expect(await code((data) => ({ ...data, links: [[0, 0, 0.5, 0]] }))).toBe("corrupt-file");
    expect(await code((data) => ({ ...data, links: [[99, 0, 0.5, 0]] }))).toBe("corrupt-file");
    expect(await code((data) => ({ ...data, nodes: (data["nodes"] as unknown[]).toReversed() }))).toBe("corrupt-file");
    expect(await code(() => null)).toBe("corrupt-file");
    expect(await code((data) => ({ ...data, version: 0 }))).toBe("corrupt-file");
    expect(await code((data) => ({ ...data, nodes: [], links: [] }))).toBe("corrupt-file");
    expect(await code((data) => ({ ...data, links: [...(data["links"] as []), ...(data["links"] as [])] }))).toBe(
      "corrupt-file",
    );
    const withNode = (at: number, change: object) => (data: Record<string, unknown>) => ({
      ...data,
      nodes: (data["nodes"] as object[]).map((node, place) => (place === at ? { ...node, ...change } : node)),
    });
    expect(await code(withNode(0, {}))).toBe("none");
    expect(await code(withNode(0, { id: "zz#in/q" }))).toBe("corrupt-file");
    expect(await code(withNode(1, { id: graph.nodes[0]?.id }))).toBe("corrupt-file");
    expect(await code(withNode(0, { path: Array.from({ length: 100_000 }, () => "a") }))).toBe("corrupt-file");
    expect(await code(withNode(0, { kind: "pre" }))).toBe("corrupt-file");
    expect(await code(withNode(1, { required: true }))).toBe("corrupt-file");
    await expect(graphFromJson("{", catalog, "g")).rejects.toThrow(/g: expected a graph as JSON/);
  });
});

describe("pictures", () => {
  const shown = graphOf(
    [testTool('a"b', [], ["x"]), testTool("c", ["x"]), testTool("d", ["x"])],
    [
      ['a"b#out/x', "c#in/x", 0.9],
      ['a"b#out/x', "d#in/x", 0.1],
    ],
  );

  test("Mermaid has tools as boxes and strong links as arrows, and no name can break it", () => {
    expect(graphToMermaid(shown)).toBe(
      ["flowchart LR", '  t0["a#34;b"]', '  t1["c"]', '  t2["d"]', '  t0 -->|"x → x"| t1', ""].join("\n"),
    );
    expect(graphToMermaid(graph)).toContain('t2 -.->|"called → turn_on"| t1');
  });

  test("DOT escapes quotes, and tools can be picked", () => {
    expect(graphToDot(shown, { tools: Uint32Array.of(0, 2), leastWeight: 0 })).toBe(
      [
        "digraph tools {",
        "  rankdir=LR;",
        '  t0 [shape=box, label="a\\"b"];',
        '  t2 [shape=box, label="d"];',
        '  t0 -> t2 [label="x → x"];',
        "}",
        "",
      ].join("\n"),
    );
  });

  test("GraphML holds all nodes and links, and no character that XML forbids", () => {
    const hostile = graphOf(
      [testTool("a<&\u0000\ud800b", [], ["x"]), testTool("c", ["x"])],
      [["a<&\u0000\ud800b#out/x", "c#in/x", 0.5]],
    );
    const text = graphToGraphml(hostile);
    expect(text).toContain("a&lt;&amp;\ufffd\ufffdb");
    expect(text.match(/<node /g)?.length).toBe(2 + hostile.nodes.length);
    expect(text).toContain(
      '<edge source="n1" target="n2"><data key="relation">data</data><data key="weight">0.5</data></edge>',
    );
    expect(text.includes("\u0000")).toBe(false);
  });
});
