import { type Catalog, createCatalog, type Encoder, type Tool } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { testTool } from "../test/graph-of.ts";
import { buildHypergraph } from "./build-hypergraph.ts";
import { graphFromJson, graphToJson } from "./graph-file.ts";
import { producersOf, type ToolHypergraph } from "./hypergraph.ts";
import { embedPorts } from "./port-vectors.ts";
import { changedTools, updateHypergraph } from "./update-hypergraph.ts";

const tools = [
  testTool("find_customer", ["name"], ["customer_id"]),
  testTool("list_orders", ["customer_id"], ["order_id"]),
  testTool("refund_order", ["order_id"], ["receipt"]),
  testTool("get_weather", ["city"], ["temperature"]),
];
const catalog = createCatalog(tools);
/** Links by the ids of their ends. */
const linksOf = (graph: ToolHypergraph): string[] =>
  graph.nodes.flatMap((node, place) =>
    producersOf(graph, place).map((found) => `${graph.nodes[found.node]?.id} > ${node.id} ${found.weight.toFixed(4)}`),
  );
const updated = (graph: ToolHypergraph, next: readonly Tool[]): ToolHypergraph =>
  updateHypergraph(graph, createCatalog(next));

describe("updateHypergraph", () => {
  test("a catalog that did not change, or only its order, keeps its links", () => {
    const graph = buildHypergraph(catalog);
    expect(linksOf(updated(graph, tools))).toEqual(linksOf(graph));
    const turned = updated(graph, tools.toReversed());
    expect(linksOf(turned).toSorted()).toEqual(linksOf(graph).toSorted());
    expect(turned.nodes.every((node) => turned.catalog.tools[node.tool]?.id === node.id.split("#")[0])).toBe(true);
  });

  test("a tool that goes takes its links along, and comes back with the same ones", () => {
    const graph = buildHypergraph(catalog);
    const without = updated(
      graph,
      tools.filter(({ id }) => id !== "list_orders"),
    );
    expect(linksOf(without).filter((link) => link.includes("list_orders"))).toEqual([]);
    expect(linksOf(updated(without, tools))).toEqual(linksOf(graph));
    // The old graph stays as it is.
    expect(linksOf(graph).some((link) => link.startsWith("list_orders#out/order_id > refund_order"))).toBe(true);
  });

  test("how many give the same is counted of the tools that are there, whichever graph came last", () => {
    const shop = [...tools, testTool("search_people", ["name"], ["customer_id"])];
    const both = buildHypergraph(createCatalog(shop));
    const one = updated(both, tools);
    // Words are as rare as they were with one tool more, so that the weights are those of a graph whose words are the same.
    const again = updated(updated(one, shop), tools);
    const weight = (graph: ToolHypergraph): string | undefined =>
      linksOf(graph).find((link) => link.startsWith("find_customer#out/customer_id > list_orders#in/customer_id"));
    expect(weight(one)).not.toBe(weight(both));
    expect(weight(again)).toBe(weight(one));
    expect(weight(updated(both, shop))).toBe(weight(both));
  });

  test("outputs that a tool only tells of stay such wherever it stands", () => {
    const telling = [...tools, testTool("find_user_id_by_email", ["email"])];
    const toldOf = ({ nodes }: ToolHypergraph): readonly string[] =>
      nodes.filter(({ told }) => told !== undefined).map(({ id, told }) => `${id} ${told}`);
    const graph = buildHypergraph(createCatalog(telling));
    expect(toldOf(graph)).toEqual(["find_user_id_by_email#out/user_id name"]);
    expect(toldOf(updated(graph, telling.toReversed()))).toEqual(toldOf(graph));
    expect(toldOf(updated(buildHypergraph(catalog), telling.toReversed()))).toEqual(toldOf(graph));
  });

  test("a new tool is linked from and to the others", () => {
    const graph = buildHypergraph(createCatalog(tools.slice(1)));
    const next = updated(graph, tools);
    expect(linksOf(next).some((link) => link.startsWith("find_customer#out/customer_id > list_orders#in"))).toBe(true);
    const last = updated(buildHypergraph(createCatalog(tools.slice(0, 2))), tools.slice(0, 3));
    expect(linksOf(last).some((link) => link.startsWith("list_orders#out/order_id > refund_order#in"))).toBe(true);
  });

  test("a changed tool is read anew: links to what it no longer gives are gone", () => {
    const graph = buildHypergraph(catalog);
    const next = updated(
      graph,
      tools.map((tool) => (tool.id === "list_orders" ? testTool("list_orders", ["customer_id"], ["total"]) : tool)),
    );
    expect(linksOf(next).filter((link) => link.includes("list_orders#out/order_id"))).toEqual([]);
    expect(linksOf(next).some((link) => link.startsWith("find_customer#out/customer_id > list_orders#in"))).toBe(true);
  });

  test("after many changes the graph still has the links of one built anew", () => {
    let graph = buildHypergraph(catalog);
    for (let round = 0; round < 12; round++) {
      graph = updated(
        graph,
        tools.map((tool, place) => (place === round % 4 ? { ...tool, description: `round ${round}` } : tool)),
      );
    }
    const final: Catalog = graph.catalog;
    const ids = (links: readonly string[]): string[] =>
      links.map((link) => link.split(" ").slice(0, 3).join(" ")).toSorted();
    expect(ids(linksOf(graph))).toEqual(ids(linksOf(buildHypergraph(final))));
  });

  test("edges that were given stay, and others may be given", () => {
    const edges = [{ from: { tool: "get_weather" }, to: { tool: "refund_order" } }];
    const graph = buildHypergraph(catalog, { edges });
    expect(updated(graph, tools).nodeOf("refund_order#pre/get_weather")).toBeDefined();
    expect(updateHypergraph(graph, catalog, { edges: [] }).nodeOf("refund_order#pre/get_weather")).toBeUndefined();
  });

  test("with vectors a new text must have one, and a refusal leaves the graph usable", async () => {
    const encoder: Encoder = {
      name: "test",
      dimensions: 4,
      // By their lengths: what they mean does not matter here.
      encode: (texts) =>
        Promise.resolve(
          Float32Array.from(texts.flatMap((text) => [0, 1, 2, 3].map((i) => Number(text.length % 4 === i)))),
        ),
    };
    const vectors = await embedPorts(tools, encoder);
    const graph = buildHypergraph(catalog, { vectors });
    const thing = testTool("new_thing", ["shoe"]);
    const next = createCatalog([...tools, thing]);
    expect(() => updateHypergraph(graph, next)).toThrow(/has no vector/);
    expect(changedTools(graph, next)).toEqual([thing]);
    const added = await embedPorts([thing], encoder);
    const grown = updateHypergraph(graph, next, { vectors: added });
    expect(grown.nodes.length).toBe(graph.nodes.length + 2);
    // What was built with vectors is built anew with those it has.
    const small = updateHypergraph(grown, createCatalog(tools.slice(0, 1)));
    expect(small.nodes.map(({ id }) => id)).toEqual(graph.nodes.filter(({ tool }) => tool === 0).map(({ id }) => id));
  });

  test("a graph that was read from a file is built anew", async () => {
    const read = await graphFromJson(graphToJson(buildHypergraph(catalog)), catalog, "graph.json");
    expect(linksOf(updated(read, tools.slice(0, 3)))).toEqual(
      linksOf(buildHypergraph(createCatalog(tools.slice(0, 3)))),
    );
  });
});

describe("an update finds what a graph built anew finds", () => {
  const producers = (graph: ToolHypergraph, input: string): number =>
    producersOf(graph, graph.nodeOf(input) ?? -1).length;
  const givers = (count: number, description = ""): readonly Tool[] =>
    Array.from({ length: count }, (_, i) => ({ ...testTool(`get_user_${i}`, ["name"], ["user_id"]), description }));
  const taker = testTool("list_orders", ["user_id"], ["order_list"]);

  test("where all of a hundred givers were read anew", () => {
    const graph = updated(buildHypergraph(createCatalog(givers(100))), [...givers(100, "It was changed."), taker]);
    expect(producers(graph, "list_orders#in/user_id")).toBe(24);
  });

  test("where the givers that were linked are gone", () => {
    const graph = updated(buildHypergraph(createCatalog([...givers(60), taker])), [...givers(60).slice(24), taker]);
    expect(producers(graph, "list_orders#in/user_id")).toBe(24);
  });

  test("where a graph grew from nothing", () => {
    const all = [...givers(2), taker];
    const graph = updated(buildHypergraph(createCatalog([])), all);
    expect(linksOf(graph)).toEqual(linksOf(buildHypergraph(createCatalog(all))));
  });

  test("where what an argument lies in is given by a new tool", () => {
    const parcel = { type: "object", properties: { tracking_id: { type: "string" } }, required: ["tracking_id"] };
    const ship: Tool = {
      ...testTool("ship_parcel", []),
      inputSchema: { type: "object", properties: { parcel }, required: ["parcel"] },
    };
    const find: Tool = {
      ...testTool("find_parcel", ["name"]),
      outputSchema: { type: "object", properties: { parcel: { type: "object" } } },
    };
    const others = [testTool("other", ["x"], ["y"]), testTool("another", ["v"], ["w"])];
    const graph = updated(buildHypergraph(createCatalog([ship, ...others])), [ship, ...others, find]);
    expect(producers(graph, "ship_parcel#in/parcel/tracking_id")).toBeGreaterThan(0);
  });
});

test("an update refuses the edges that building refuses, and vectors that are none, and the graph stays sound", async () => {
  const graph = buildHypergraph(catalog);
  const edge = { from: { tool: "find_customer" }, to: { tool: "list_orders", input: "customer_id" } };
  for (const edges of [[null], "abc", [{ ...edge, weight: 7 }], [{ ...edge, kind: "zz" }]]) {
    expect(() => updateHypergraph(graph, catalog, { edges: edges as never })).toThrow(
      expect.objectContaining({ code: "invalid-argument" }),
    );
  }
  const encoder: Encoder = {
    name: "test",
    dimensions: 2,
    encode: (texts) => Promise.resolve(Float32Array.from(texts.flatMap(() => [1, 0]))),
  };
  const meant = buildHypergraph(catalog, { vectors: await embedPorts(tools, encoder) });
  const added = testTool("close_ticket", ["ticket_id"], ["closed"]);
  const next = createCatalog([...tools, added]);
  const vectors = await embedPorts([added], encoder);
  const broken = { ...vectors, values: vectors.values.map(() => Number.NaN) };
  expect(() => updateHypergraph(meant, next, { vectors: broken })).toThrow(/must be finite/);
  expect(updateHypergraph(meant, next, { vectors }).catalog.tools).toHaveLength(5);
});
