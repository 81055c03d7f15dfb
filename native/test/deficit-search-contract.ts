import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DeficitResults,
  DeficitSearch,
  type DeficitSearchQuery,
  KernelError,
  type Kernels,
} from "../src/index.ts";
import { type PlainGraph, type PlainQuery, plainDeficitSearch, type PlainResult } from "./plain-deficit-search.ts";

/** What every implementation of the deficit search must do. */
export function deficitSearchContract(kernels: Kernels): void {
  const open = (graph: PlainGraph): DeficitSearch => openDeficitSearch(graph, kernels);
  const list = (...numbers: number[]): Uint32Array => Uint32Array.from(numbers);

  /**
   * A bakery: 0 bread needs dough (input 0) and heat (1); 1 kneading makes dough and needs flour (2) and water (3); 2 a
   * mill makes flour and needs grain (4); 3 an oven makes heat and needs wood (5); 4 a tap makes water; 5 a shop sells
   * dough (.5) and flour (.5).
   */
  const bakery: PlainGraph = {
    inputs: [[0, 1], [2, 3], [4], [5], [], []],
    producers: [
      new Map([
        [5, 0.5],
        [1, 1],
      ]),
      new Map([[3, 1]]),
      new Map([
        [2, 1],
        [5, 0.5],
      ]),
      new Map([[4, 1]]),
      new Map(),
      new Map(),
    ],
  };

  describe("answers", () => {
    test("with the smallest sets of tools that make everything, in an order in which they can be called", () => {
      // With grain and wood: shop 5 and oven 3 for bread, 2 added; or kneading 1, oven 3, mill 2 or shop 5, tap 4.
      using search = open(bakery);
      const results = search.search({ terminals: list(0), grounded: list(4, 5), depth: 6, count: 2 });
      expect(plainOf(results)).toEqual([
        // Step 1 gives {0, 3}, which misses 0 (total 1), {0, 5}, which misses 1 (.5), and {0, 1}, which misses 1, 2 and
        // 3 (1). Step 2 completes the first with the shop: 1 + .5. The second with the oven has the same tools and
        // total: the first stays.
        {
          tools: [0, 3, 5],
          supports: [0, 1, 0.5],
          missing: new Set(),
          links: new Map([
            [0, 5],
            [1, 3],
          ]),
          total: 1.5,
        },
        // Step 2 also gives {0, 1, 2}, {0, 1, 3} and {0, 1, 4}, which miss two and have a total of 2: lower ordinals
        // first. So the oven joins the first of them, then the tap: 1 + 1 + 1 + 1.
        {
          tools: [0, 1, 2, 3, 4],
          supports: [0, 1, 1, 1, 1],
          missing: new Set(),
          links: new Map([
            [0, 1],
            [1, 3],
            [2, 2],
            [3, 4],
          ]),
          total: 4,
        },
      ]);
      expect([...results.tools]).toEqual([3, 5, 0, 2, 3, 4, 1, 0]);
      expect([...results.terminals]).toEqual([0, 0]);
      expect({ tools: search.tools, inputs: search.inputs }).toEqual({ tools: 6, inputs: 6 });
    });

    test("are complete at once where everything is available", () => {
      using search = open(bakery);
      const results = search.search({ terminals: list(0, 5), grounded: list(0, 1) });
      expect([...results.tools]).toEqual([0, 5]);
      expect([...results.totals]).toEqual([0, 0]);
      expect([...results.missingOffsets, ...results.linkOffsets]).toEqual([0, 0, 0, 0, 0, 0]);
    });

    test("name what is missing when nothing becomes complete", () => {
      // Nothing makes wood, input 5. {0, 5} misses 1 and ranks before {0, 3}, which misses 0 and 5; the oven makes it
      // miss 5 instead.
      using search = open(bakery);
      const results = search.search({ terminals: list(0), grounded: list(4), count: 2 });
      expect(plainOf(results).map(({ tools, missing }) => ({ tools, missing: [...missing] }))).toEqual([
        { tools: [0, 5], missing: [1] },
        { tools: [0, 5, 3], missing: [5] },
      ]);
    });

    test("rank the results of all terminals together and take a terminal that is named twice once", () => {
      using search = open(bakery);
      const results = search.search({ terminals: list(0, 3, 0, 2), grounded: list(0, 4) });
      // The mill has its grain. Bread misses heat, the oven wood; bread with the oven misses wood as well and has more
      // tools.
      expect([...results.terminals]).toEqual([2, 0, 3, 0]);
      expect([...results.missing]).toEqual([1, 5, 5]);
    });

    test("never resolve a cycle by itself", () => {
      // 0 needs 0 of 1; 1 needs 1 of 2; 2 needs 2 of 1 or, weaker, of 3. 1 depends on 2, so that 2 cannot be linked to
      // it.
      using search = open({
        inputs: [[0], [1], [2], []],
        producers: [
          new Map([[1, 1]]),
          new Map([[2, 1]]),
          new Map([
            [1, 1],
            [3, 0.25],
          ]),
        ],
      });
      const results = search.search({ terminals: list(0) });
      expect([...results.tools]).toEqual([3, 2, 1, 0]);
      expect([...results.linkTools]).toEqual([1, 2, 3]);
      expect(search.search({ terminals: list(0), exclude: list(3) }).missing[0]).toBe(0);
    });

    test("come only from tools that are allowed, and the terminal need not be", () => {
      using search = open(bakery);
      const tools = (query: Partial<DeficitSearchQuery>) => [
        ...search.search({ terminals: list(0), grounded: list(5, 4), count: 1, ...query }).tools,
      ];
      expect(tools({ exclude: list(5, 0) })).toEqual([2, 3, 4, 1, 0]);
      expect(tools({ allow: list(3, 5) })).toEqual([3, 5, 0]);
      expect(tools({ allow: list(3, 5), exclude: list(5) })).toEqual([3, 0]);
      expect(tools({ allow: list() })).toEqual([0]);
    });

    test("prefer tools by their relevance, and never add one of relevance 0", () => {
      using search = open({
        inputs: [[0], [], [], []],
        producers: [
          new Map([
            [1, 1],
            [2, 0.5],
            [3, 0.75],
          ]),
        ],
      });
      const relevance = Float32Array.of(1, 0.25, 1, 0);
      const results = search.search({ terminals: list(0), relevance });
      expect([...results.tools]).toEqual([2, 0, 1, 0]);
      expect([...results.totals]).toEqual([0.5, 0.25]);
      expect([...results.supports]).toEqual([0.5, 0, 0.25, 0]);
    });

    test("keep to the bounds of steps, tools and results", () => {
      using search = open(bakery);
      const counts = (query: Partial<DeficitSearchQuery>) => {
        const { toolOffsets, count } = search.search({ terminals: list(0), grounded: list(4, 5), ...query });
        return Array.from({ length: count }, (_, i) => toolOffsets[i + 1]! - toolOffsets[i]!);
      };
      expect(counts({ depth: 0 })).toEqual([1]);
      expect(Math.max(...counts({ depth: 1, count: 9 }))).toBe(2);
      expect(Math.max(...counts({ maxTools: 2, count: 9 }))).toBe(2);
      expect(counts({ depth: Number.MAX_SAFE_INTEGER, maxTools: 32, count: 1 })).toEqual([3]);
      expect(counts({ count: 0 })).toEqual([]);
      expect(search.search({ terminals: list() }).count).toBe(0);
    });

    test("are the same from parts of arrays and from shared memory, and stay when the next are made", () => {
      using search = open(bakery);
      const shared = new Uint32Array(new SharedArrayBuffer(8));
      shared.set([4, 5]);
      const first = search.search({ terminals: list(9, 0, 9).subarray(1, 2), grounded: shared, count: 1 });
      search.search({ terminals: list(2), count: 1 });
      expect([...first.tools]).toEqual([3, 5, 0]);
    });

    test("of a graph without tools, inputs or producers are none or name what is missing", () => {
      using empty = open({ inputs: [], producers: [] });
      expect(empty.search({ terminals: list() }).count).toBe(0);
      using alone = open({ inputs: [[0]], producers: [new Map()] });
      expect([...alone.search({ terminals: list(0) }).missing]).toEqual([0]);
    });

    test("are too many for the room of the search before without harm", () => {
      // A tool with 2,000 inputs, all missing, then all brought by one other.
      const inputs = Array.from({ length: 2000 }, (_, i) => i);
      using search = open({ inputs: [inputs, []], producers: inputs.map(() => new Map([[1, 1]])) });
      expect([...search.search({ terminals: list(0), depth: 0 }).missing]).toEqual(inputs);
      const { linkInputs, totals } = search.search({ terminals: list(0) });
      expect([...linkInputs]).toEqual(inputs);
      expect([...totals]).toEqual([2000]);
    });

    test("do not depend on the order in which many producers are named", () => {
      // Input 0 has 100 producers, tool i with weight i / 128 (exact in float32), named in an order that is neither.
      const producers = Array.from({ length: 100 }, (_, i) => 1 + ((i * 37) % 100));
      using search = open({
        inputs: [[0], ...producers.map(() => [])],
        producers: [new Map(producers.map((tool) => [tool, tool / 128]))],
      });
      const { tools, totals } = search.search({ terminals: list(0) });
      expect([...tools]).toEqual([100, 0, 99, 0, 98, 0]);
      expect([...totals]).toEqual([100 / 128, 99 / 128, 98 / 128]);
    });

    test("are the definition to the last bit on random graphs with cycles", () => {
      fc.assert(
        fc.property(deficitCases(), ({ graph, query }) => {
          using search = open(graph);
          expect(plainOf(search.search(queryOf(query)))).toEqual(plainDeficitSearch(graph, query));
        }),
        { numRuns: 400 },
      );
    });

    test("do not depend on the searches before", () => {
      fc.assert(
        fc.property(
          deficitCases(),
          fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
          ({ graph, query }, beams) => {
            using search = open(graph);
            for (const beam of beams) {
              search.search({ ...queryOf(query), beam, grounded: list(), terminals: list(0) });
            }
            expect(plainOf(search.search(queryOf(query)))).toEqual(plainDeficitSearch(graph, query));
          },
        ),
        { numRuns: 100 },
      );
    });

    test("can be called in their order, every input given, missing or brought by a tool before", () => {
      fc.assert(
        fc.property(deficitCases(), ({ graph, query }) => {
          using search = open(graph);
          const results = search.search(queryOf(query));
          for (const [i, { links, missing }] of plainOf(results).entries()) {
            const order = [...results.tools.subarray(results.toolOffsets[i], results.toolOffsets[i + 1])];
            expect(order.at(-1)).toBe(results.terminals[i]);
            for (const [place, tool] of order.entries()) {
              for (const input of graph.inputs[tool]!) {
                const supporter = links.get(input);
                const isBrought = supporter !== undefined && order.indexOf(supporter) < place;
                expect([query.grounded.has(input), missing.has(input), isBrought].filter(Boolean)).toHaveLength(1);
              }
            }
          }
        }),
        { numRuns: 200 },
      );
    });
  });

  describe("refusals", () => {
    const refused = (call: () => unknown, message: string) => {
      let error: unknown;
      try {
        call();
      } catch (thrown) {
        error = thrown;
      }
      expect(KernelError.isInstance(error) && { code: error.code, message: error.message }).toEqual({
        code: "invalid-argument",
        message,
      });
    };
    const make = (inputs: number[], offsets: number[], tools: number[], weights: number[]) => () =>
      new DeficitSearch({
        inputs: list(...inputs),
        producers: { offsets: list(...offsets), tools: list(...tools), weights: Float32Array.from(weights) },
        kernels,
      });

    test("name what is wrong with a graph", () => {
      const offsets = "expected offsets that start at 0 and never fall, got";
      refused(make([], [0], [], []), `inputs: ${offsets} none.`);
      refused(make([1], [0], [], []), `inputs: ${offsets} 1 at position 0.`);
      refused(make([0, 2, 1], [0], [], []), `inputs: ${offsets} 1 at position 2.`);
      refused(make([0, 1], [0], [], []), "producers.offsets: expected a length of 2, got 1.");
      refused(make([0, 2], [0, 2, 1], [], []), `producers.offsets: ${offsets} 1 at position 2.`);
      refused(make([0, 1], [0, 2], [0], [1]), "producers.tools: expected a length of 2, got 1.");
      refused(make([0, 1], [0, 1], [0], []), "producers.weights: expected a length of 1, got 0.");
      refused(make([0, 1], [0, 1], [1], [1]), "producers.tools: expected ordinals, got 1; there are 1 tools.");
      const notFinite = "is NaN or infinite; every number must be finite.";
      for (const weight of [Number.NaN, Infinity, -Infinity]) {
        refused(make([0, 1], [0, 1], [0], [weight]), `producers.weights: the number at position 0 ${notFinite}`);
      }
      refused(
        make([0, 1], [0, 2], [0, 0], [1, -1]),
        "producers.weights: expected numbers of 0 or more, got a negative one at position 1.",
      );
    });

    test("name what is wrong with a query", () => {
      using search = open(bakery);
      const ask = (query: Partial<DeficitSearchQuery>) => () => search.search({ terminals: list(0), ...query });
      refused(ask({ terminals: list(6) }), "terminals: expected ordinals, got 6; there are 6 tools.");
      refused(ask({ grounded: list(0, 6) }), "grounded: expected ordinals, got 6; there are 6 inputs.");
      refused(ask({ allow: list(7) }), "allow: expected ordinals, got 7; there are 6 tools.");
      refused(ask({ exclude: list(7) }), "exclude: expected ordinals, got 7; there are 6 tools.");
      refused(ask({ relevance: Float32Array.of(1) }), "relevance: expected a length of 6, got 1.");
      refused(
        ask({ relevance: Float32Array.of(1, 1, 1, Number.NaN, 1, 1) }),
        "relevance: the number at position 3 is NaN or infinite; every number must be finite.",
      );
      refused(
        ask({ relevance: Float32Array.of(1, 1, -1, 1, 1, 1) }),
        "relevance: expected numbers of 0 or more, got a negative one at position 2.",
      );
      for (const value of [0, 1025, 1.5, -1, Number.NaN]) {
        refused(ask({ beam: value }), `beam: expected an integer from 1 to 1024, got ${value}.`);
        refused(ask({ producers: value }), `producers: expected an integer from 1 to 1024, got ${value}.`);
      }
      refused(ask({ maxTools: 33 }), "maxTools: expected an integer from 1 to 32, got 33.");
      refused(ask({ depth: -1 }), "depth: expected an integer of 0 or more, got -1.");
      refused(ask({ count: 1025 }), "count: expected an integer from 0 to 1024, got 1025.");
      const bad = (value: unknown) => value as never;
      refused(ask({ terminals: bad([0]) }), "terminals: expected a Uint32Array, got an array.");
      refused(ask({ grounded: bad(new Int32Array(1)) }), "grounded: expected a Uint32Array, got Int32Array.");
      expect(ask({ grounded: list(5, 4), count: 1 })().count).toBe(1);
    });

    test("come after dispose, which may be called twice", () => {
      const search = open(bakery);
      search.dispose();
      search[Symbol.dispose]();
      refused(() => search.search({ terminals: list(0) }), "This search was disposed; make a new one.");
    });
  });
}

export interface DeficitCase {
  readonly graph: PlainGraph;
  readonly query: PlainQuery;
}

/** Opens a plain graph; every row in the order of its map. */
export function openDeficitSearch(graph: PlainGraph, kernels: Kernels): DeficitSearch {
  const inputs = offsetsOf(graph.inputs.map((own) => own.length));
  const rows = graph.producers.map((row) => [...row]);
  return new DeficitSearch({
    inputs,
    producers: {
      offsets: offsetsOf(rows.map((row) => row.length)),
      tools: Uint32Array.from(rows.flat(), ([tool]) => tool),
      weights: Float32Array.from(rows.flat(), ([, weight]) => weight),
    },
    kernels,
  });
}

export function queryOf(query: PlainQuery): DeficitSearchQuery {
  const { beam, producers, depth, maxTools, count } = query;
  return {
    terminals: Uint32Array.from(query.terminals),
    grounded: Uint32Array.from(query.grounded),
    ...(query.allow === undefined ? {} : { allow: Uint32Array.from(query.allow) }),
    exclude: Uint32Array.from(query.exclude),
    ...(query.relevance === undefined ? {} : { relevance: Float32Array.from(query.relevance) }),
    beam,
    producers,
    depth,
    maxTools,
    count,
  };
}

function plainOf(results: DeficitResults): PlainResult[] {
  expect(results.tools).toBeInstanceOf(Uint32Array);
  expect(results.totals).toBeInstanceOf(Float64Array);
  return Array.from({ length: results.count }, (_, i) => {
    const [from, to] = [results.toolOffsets[i]!, results.toolOffsets[i + 1]!];
    const tools: number[] = [];
    const supports: number[] = [];
    for (let place = from; place < to; place += 1) {
      tools[results.steps[place]!] = results.tools[place]!;
      supports[results.steps[place]!] = results.supports[place]!;
    }
    const links = new Map<number, number>();
    for (let link = results.linkOffsets[i]!; link < results.linkOffsets[i + 1]!; link += 1) {
      links.set(results.linkInputs[link]!, results.linkTools[link]!);
    }
    return {
      tools,
      supports,
      missing: new Set(results.missing.subarray(results.missingOffsets[i], results.missingOffsets[i + 1])),
      links,
      total: results.totals[i]!,
    };
  });
}

function offsetsOf(lengths: readonly number[]): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) offsets[i + 1] = offsets[i]! + length;
  return offsets;
}

/**
 * Weights that tie, that round when they are added, and that differ by many orders of magnitude; all of them float32.
 */
const weight = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1, 0.5, 0.25) },
  { weight: 2, arbitrary: fc.float({ min: Math.fround(0.01), max: 1, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** -126, 2 ** -149, Math.fround(1e30)) },
);

/** Small graphs with many cycles, now and then with more inputs than a word has bits. */
export function deficitCases(): fc.Arbitrary<DeficitCase> {
  const few = fc.array(fc.nat(4), { minLength: 1, maxLength: 9 });
  const many = fc.array(fc.nat(70), { minLength: 1, maxLength: 4 });
  return fc.oneof({ weight: 6, arbitrary: few }, { weight: 1, arbitrary: many }).chain((counts) => {
    const toolCount = counts.length;
    const tool = fc.nat(toolCount - 1);
    let end = 0;
    const inputs = counts.map((count) => Array.from({ length: count }, () => end++));
    const row = fc.uniqueArray(fc.tuple(tool, weight), { maxLength: 3, selector: ([tool]) => tool });
    const graph = fc.array(row, { minLength: end, maxLength: end }).map((rows) => ({
      inputs,
      producers: inputs.flatMap((own, tool) =>
        own.map((input) => new Map(rows[input]!.filter(([producer]) => producer !== tool))),
      ),
    }));
    const set = (from: fc.Arbitrary<number>, maxLength: number) =>
      fc.uniqueArray(from, { maxLength }).map((numbers) => new Set(numbers));
    const query = fc.record(
      {
        terminals: fc.array(tool, { maxLength: 3 }),
        grounded: end === 0 ? fc.constant(new Set<number>()) : set(fc.nat(end - 1), Math.ceil(end / 3)),
        allow: set(tool, toolCount),
        exclude: set(tool, 1),
        relevance: fc.array(fc.oneof(weight, fc.constantFrom(0, -0)), { minLength: toolCount, maxLength: toolCount }),
        beam: fc.integer({ min: 1, max: 5 }),
        producers: fc.integer({ min: 1, max: 4 }),
        depth: fc.nat(5),
        maxTools: fc.integer({ min: 1, max: 6 }),
        count: fc.nat(6),
      },
      {
        requiredKeys: ["terminals", "grounded", "exclude", "beam", "producers", "depth", "maxTools", "count"],
      },
    );
    return fc.record({ graph, query });
  });
}
