import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { DeficitExpansion } from "./expand-deficit.ts";

const chain = graphOf(
  [
    testTool("find_customer", ["name"], ["customer_id"]),
    testTool("list_orders", ["customer_id"], ["order_id"]),
    testTool("refund_order", ["order_id"], ["receipt"]),
    testTool("guess_order", [], ["order_id"]),
  ],
  [
    ["find_customer#out/customer_id", "list_orders#in/customer_id", 0.9],
    ["list_orders#out/order_id", "refund_order#in/order_id", 0.8],
    ["guess_order#out/order_id", "refund_order#in/order_id", 0.3],
  ],
);
const at = (id: string): number => chain.nodeOf(id) ?? -1;

describe("DeficitExpansion", () => {
  test("brings what is missing, in call order, with the links that do it", () => {
    using expansion = new DeficitExpansion(chain, { leastWeight: 0.5 });
    const [found] = expansion.expand({
      terminals: Uint32Array.of(2),
      grounded: Uint32Array.of(at("find_customer#in/name")),
    });
    expect(Array.from(found?.tools ?? [])).toEqual([0, 1, 2]);
    expect(found?.links.map(({ from, to }) => [chain.nodes[from]?.id, chain.nodes[to]?.id])).toEqual([
      ["find_customer#out/customer_id", "list_orders#in/customer_id"],
      ["list_orders#out/order_id", "refund_order#in/order_id"],
    ]);
    expect(found?.links[1]?.weight).toBeCloseTo(0.8);
    expect(Array.from(found?.missing ?? [0])).toEqual([]);
    // 0.8 for list_orders, 0.9 for find_customer.
    expect(found?.total).toBeCloseTo(1.7);
  });

  test("memory that was freed is taken again by a search that follows", () => {
    const expansion = new DeficitExpansion(chain);
    const query = { terminals: Uint32Array.of(2) };
    const before = expansion.expand(query);
    expansion.dispose();
    expansion.dispose();
    expect(expansion.expand(query)).toEqual(before);
    expansion.dispose();
  });

  test("what nothing brings is missing by its node", () => {
    using expansion = new DeficitExpansion(chain, { leastWeight: 0.5 });
    // One input is missing however many tools are added (in the end the name), and fewer tools come first.
    const found = expansion.expand({ terminals: Uint32Array.of(2) });
    const missing = found.map((result) => Array.from(result.missing, (node) => chain.nodes[node]?.id));
    expect(missing[0]).toEqual(["refund_order#in/order_id"]);
    expect(missing.at(-1)).toEqual(["find_customer#in/name"]);
  });

  test("fewer tools come first, and a threshold refuses weak links", () => {
    using loose = new DeficitExpansion(chain);
    const [found] = loose.expand({ terminals: Uint32Array.of(2) });
    expect(Array.from(found?.tools ?? [])).toEqual([3, 2]);
  });

  test("relevance is raised to the exponent: 2 by default, 0 is the paper", () => {
    const rivals = graphOf(
      [testTool("a", [], ["x"]), testTool("b", [], ["x"]), testTool("c", ["x"])],
      [
        ["a#out/x", "c#in/x", 0.9],
        ["b#out/x", "c#in/x", 0.5],
      ],
    );
    using expansion = new DeficitExpansion(rivals);
    const relevance = Float32Array.of(0.7, 1, 1);
    const first = (exponent?: number): number | undefined =>
      expansion.expand({ terminals: Uint32Array.of(2), relevance, ...(exponent === undefined ? {} : { exponent }) })[0]
        ?.tools[0];
    // 0.9 · 0.49 = 0.44 against 0.5; with exponent 1 it is 0.63.
    expect(first()).toBe(1);
    expect(first(1)).toBe(0);
    expect(first(0)).toBe(0);
  });

  test("among few tools each supports every input at least with the floor", () => {
    using expansion = new DeficitExpansion(chain, { leastWeight: 0.01, floor: 0.01, among: Uint32Array.of(0, 3) });
    const [found] = expansion.expand({ terminals: Uint32Array.of(0) });
    expect(Array.from(found?.tools ?? [])).toEqual([3, 0]);
    expect(chain.nodes[found?.links[0]?.from ?? -1]?.id).toBe("guess_order#out/");
    using strict = new DeficitExpansion(chain, { among: Uint32Array.of(0, 3) });
    expect(strict.expand({ terminals: Uint32Array.of(0) })[0]?.missing.length).toBe(1);
  });

  test("inputs that their schema does not require can be asked for", () => {
    const optional = graphOf(
      [
        testTool("a", [], ["x"]),
        testTool("b", [], [], { inputSchema: { type: "object", properties: { x: { type: "string" } }, required: [] } }),
      ],
      [["a#out/x", "b#in/x", 0.9]],
    );
    using plain = new DeficitExpansion(optional);
    expect(Array.from(plain.expand({ terminals: Uint32Array.of(1) })[0]?.tools ?? [])).toEqual([1]);
    using asked = new DeficitExpansion(optional, { alsoRequired: Uint32Array.of(optional.nodeOf("b#in/x") ?? -1) });
    expect(Array.from(asked.expand({ terminals: Uint32Array.of(1) })[0]?.tools ?? [])).toEqual([0, 1]);
  });

  test("whatever the graph, a result has no cycle, a valid order, and misses exactly what no link brings", () => {
    const edge = fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom(0.2, 0.5, 0.9));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 16 }), fc.nat(5), (edges, terminal) => {
        const tools = Array.from({ length: 6 }, (_, i) => testTool(`t${i}`, [`in${i}`, `more${i}`], [`out${i}`]));
        const seen = new Set<string>();
        const links = edges.flatMap(([from, to, weight], i): [string, string, number][] => {
          const target = `t${to}#in/${i % 2 === 0 ? "in" : "more"}${to}`;
          if (from === to || seen.has(`${from} ${target}`)) return [];
          seen.add(`${from} ${target}`);
          return [[`t${from}#out/out${from}`, target, weight]];
        });
        const graph = graphOf(tools, links);
        using expansion = new DeficitExpansion(graph);
        for (const result of expansion.expand({ terminals: Uint32Array.of(terminal) })) {
          const place = new Map(Array.from(result.tools, (tool, position) => [tool, position]));
          expect(result.tools.at(-1)).toBe(terminal);
          const brought = new Set(result.links.map(({ to }) => to));
          for (const { from, to } of result.links) {
            expect(place.get(graph.nodes[from]?.tool ?? -1)).toBeLessThan(place.get(graph.nodes[to]?.tool ?? -1) ?? -1);
          }
          const required = [...graph.nodes.keys()].filter(
            (node) => graph.nodes[node]?.required === true && place.has(graph.nodes[node]?.tool ?? -1),
          );
          expect(Array.from(result.missing)).toEqual(required.filter((node) => !brought.has(node)));
        }
      }),
      { numRuns: 100 },
    );
  });
});
