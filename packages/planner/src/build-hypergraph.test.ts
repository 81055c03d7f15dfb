import { createCatalog, type Tool } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { buildHypergraph } from "./build-hypergraph.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import { producersOf, type ToolHypergraph } from "./hypergraph.ts";

const text = { type: "string" };
function tool(name: string, takes: readonly string[], gives?: readonly string[], description = ""): Tool {
  const object = (names: readonly string[]): Record<string, unknown> => ({
    type: "object",
    properties: Object.fromEntries(names.map((key) => [key, text])),
    required: names,
  });
  const outputSchema = gives === undefined ? {} : { outputSchema: object(gives) };
  return { id: name, name, description, inputSchema: object(takes), ...outputSchema, original: null };
}
const shop = [
  tool("find_customer", ["name"], ["customer_id", "email"]),
  tool("list_orders", ["customer_id"], ["order_id", "total"]),
  tool("refund_order", ["order_id"], ["receipt"]),
  tool("get_weather", ["city"], ["temperature", "humidity"]),
];
const best = (graph: ToolHypergraph, id: string): string | undefined => {
  const [first] = producersOf(graph, graph.nodeOf(id) ?? -1);
  return first === undefined ? undefined : graph.nodes[first.node]?.id;
};

describe("buildHypergraph", () => {
  test("an id comes from the tool that gives one of its name", () => {
    const graph = buildHypergraph(createCatalog(shop));
    expect(best(graph, "list_orders#in/customer_id")).toBe("find_customer#out/customer_id");
    expect(best(graph, "refund_order#in/order_id")).toBe("list_orders#out/order_id");
    expect(producersOf(graph, graph.nodeOf("get_weather#in/city") ?? -1)).toEqual([]);
    expect(graph.problems).toEqual([]);
  });

  test("links into a node are sorted, weigh 0 to 1, and never come from its own tool", () => {
    const graph = buildHypergraph(createCatalog(shop));
    for (const [place, node] of graph.nodes.entries()) {
      let last = 1;
      for (let link = graph.links.offsets[place] ?? 0; link < (graph.links.offsets[place + 1] ?? 0); link++) {
        const weight = graph.links.weights[link] ?? 0;
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThanOrEqual(last);
        expect(graph.nodes[graph.links.from[link] ?? 0]?.tool).not.toBe(node.tool);
        last = weight;
      }
    }
  });

  test("a session comes from the login of the same service", () => {
    const catalog = createCatalog([
      tool("ebay_user_login", ["user_name", "password"]),
      tool("etsy_user_login", ["user_name", "password"]),
      tool("etsy_review_item", ["session_id"], undefined, "Review an item on Etsy."),
      tool("ebay_delete_item", ["session_id"], undefined, "Delete an item on eBay."),
    ]);
    const graph = buildHypergraph(catalog);
    expect(best(graph, "etsy_review_item#in/session_id")).toBe("etsy_user_login#out/");
    expect(best(graph, "ebay_delete_item#in/session_id")).toBe("ebay_user_login#out/");
  });

  test("without any schema of a result the graph is built on names, and says so", () => {
    const graph = buildHypergraph(
      createCatalog([tool("get_country_code", []), tool("get_visitors", ["country_code"])]),
    );
    expect(graph.problems.map(({ code }) => code)).toEqual(["no-output-schemas"]);
    expect(best(graph, "get_visitors#in/country_code")).toBe("get_country_code#out/");
  });

  test("what brings an object brings the values in it", () => {
    const order = { type: "object", properties: { sku: text, amount: text }, required: ["sku"] };
    const catalog = createCatalog([
      {
        ...tool("read_order", ["name"]),
        outputSchema: { type: "object", properties: { order } },
      },
      { ...tool("place_order", []), inputSchema: { type: "object", properties: { order }, required: ["order"] } },
    ]);
    const graph = buildHypergraph(catalog);
    const outer = producersOf(graph, graph.nodeOf("place_order#in/order") ?? -1)[0];
    const inner = producersOf(graph, graph.nodeOf("place_order#in/order/sku") ?? -1)[0];
    expect(graph.nodes[outer?.node ?? -1]?.id).toBe("read_order#out/order");
    expect(inner?.weight).toBeGreaterThanOrEqual(0.9 * (outer?.weight ?? 1) - 1e-6);
  });

  test("meaning finds what words do not, and the same input gives the same graph", () => {
    const catalog = createCatalog([
      tool("alpha", ["x"], ["geo"]),
      tool("beta", ["place"], ["z"]),
      tool("gamma", ["y"], ["colour"]),
    ]);
    // One direction for alpha, what it gives, and place; one for each other text.
    const texts = ["x: ", "alpha: ", "geo: ", "place: ", "beta: ", "z: ", "y: ", "gamma: ", "colour: "];
    const dimensions = 8;
    const values = new Float32Array(texts.length * dimensions);
    const direction = [0, 2, 2, 2, 3, 4, 5, 6, 7];
    for (const [row, place] of direction.entries()) values[row * dimensions + place] = 1;
    const vectors = { texts, values, dimensions };
    const graph = buildHypergraph(catalog, { vectors });
    const weightOf = (id: string): number => {
      const found = producersOf(graph, graph.nodeOf("beta#in/place") ?? -1);
      return found.find(({ node }) => graph.nodes[node]?.id === id)?.weight ?? 0;
    };
    expect(weightOf("alpha#out/geo")).toBeGreaterThan(weightOf("gamma#out/colour"));
    const again = buildHypergraph(catalog, { vectors });
    expect(again.links).toEqual(graph.links);
    expect(again.nodes).toEqual(graph.nodes);
    const short = { texts: texts.slice(1), values: values.slice(dimensions), dimensions };
    expect(() => buildHypergraph(catalog, { vectors: short })).toThrow(/has no vector/);
    expect(() => buildHypergraph(catalog, { vectors: { texts, values: values.slice(1), dimensions } })).toThrow(
      /expected 9/,
    );
  });
});

describe("hard input", () => {
  test("an empty catalog has an empty graph, and a search in it finds nothing", () => {
    const graph = buildHypergraph(createCatalog([]));
    expect(graph.nodes).toEqual([]);
    expect(graph.problems).toEqual([]);
    using expansion = new DeficitExpansion(graph);
    expect(expansion.expand({ terminals: new Uint32Array(0) })).toEqual([]);
  });

  test("rings everywhere: every result can be called in its order", () => {
    const names = ["a", "b", "c", "d", "e"].map((letter) => `${letter}_id`);
    const ring = names.map((name, i) => tool(`tool${i}`, [name], [names[(i + 1) % names.length] ?? ""]));
    const graph = buildHypergraph(createCatalog(ring));
    using expansion = new DeficitExpansion(graph);
    for (const terminal of ring.keys()) {
      for (const { tools, links, missing } of expansion.expand({ terminals: Uint32Array.of(terminal), depth: 8 })) {
        const place = new Map(Array.from(tools, (ordinal, position) => [ordinal, position]));
        for (const { from, to } of links) {
          const [before, after] = [graph.nodes[from]?.tool ?? -1, graph.nodes[to]?.tool ?? -1];
          expect(place.get(before)).toBeLessThan(place.get(after) ?? -1);
        }
        expect(missing.length).toBeGreaterThan(0);
      }
    }
  });

  test("a tool that gives everything brings every input, and is one producer of it", () => {
    const names = Array.from({ length: 200 }, (_, i) => `field_${i}_id`);
    const graph = buildHypergraph(
      createCatalog([tool("everything", [], names), tool("consumer", names.slice(0, 20), [])]),
    );
    using expansion = new DeficitExpansion(graph);
    const [found] = expansion.expand({ terminals: Uint32Array.of(1) });
    expect(Array.from(found?.tools ?? [])).toEqual([0, 1]);
    expect(found?.links.length).toBe(20);
  });

  test("names without end, empty names and names of methods are names like others", () => {
    const names = ["__proto__", "constructor", "", "*", "a/b#in/c", "id".repeat(100_000), "日本語_id"];
    const graph = buildHypergraph(createCatalog([tool("x".repeat(100_000), [], names), tool("toString", names, [])]));
    // Each name once as an output and once as an input, and the two results as a whole.
    expect(graph.nodes.length).toBe(2 * names.length + 2);
    expect(new Set(graph.nodes.map(({ id }) => id)).size).toBe(graph.nodes.length);
    expect(best(graph, "toString#in/日本語_id")).toBe(`${"x".repeat(100_000)}#out/日本語_id`);
  });

  test("2,000 optional inputs leave the required one where it is", () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`option_${i}`, text]));
    const wide: Tool = {
      ...tool("wide", []),
      inputSchema: { type: "object", properties: { ...many, order_id: text }, required: ["order_id"] },
    };
    const graph = buildHypergraph(createCatalog([...shop, wide]));
    expect(graph.problems.map(({ code }) => code)).toEqual(["schema-cut"]);
    expect(best(graph, "wide#in/order_id")).toBe("list_orders#out/order_id");
  });
});
