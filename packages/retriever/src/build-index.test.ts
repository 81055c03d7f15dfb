import { createCatalog, SetwiseError } from "@setwise/core";
import { expect, test } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import type { Postings, ToolIndex } from "./tool-index.ts";

const postings = (index: ToolIndex, { offsets, ordinals, weights }: Postings, stem: string): [number, number][] => {
  const term = index.vocabulary.get(stem) ?? -1;
  const places = Array.from({ length: (offsets[term + 1] ?? 0) - (offsets[term] ?? 0) }, (_, i) => offsets[term]! + i);
  return places.map((place) => [ordinals[place]!, weights[place]!]);
};

test("a posting's weight is BM25F of the field weights and lengths", () => {
  const catalog = createCatalog([tool("mail", "send mail fast"), tool("car", "rent")]);
  const index = buildIndex(catalog, {
    fieldWeights: { name: 2, description: 1 },
    saturation: 1.5,
    lengthPenalty: 0.5,
  });
  // idf = ln(1 + (2 − 1 + ½) / (1 + ½)) = ln 2. Names have 1 word on average: 2 · 1 / (½ + ½ · 1/1) = 2. Descriptions have
  // (3 + 1) / 2 = 2 on average: 1 / (½ + ½ · 3/2) = 0.8. Frequency 2.8; weight ln 2 · 2.8 · 2.5 / (2.8 + 1.5) = 1.12838.
  const [[tool0, weight] = [-1, 0], ...others] = postings(index, index.text, "mail");
  expect([tool0, others]).toEqual([0, []]);
  expect(weight).toBeCloseTo(1.12838, 4);
});

test("a name's shares are by idf and add up to 1", () => {
  // "get" is in both names: ln(1 + ½ / 2½) = 0.18232; "mail" in one: ln 2 = 0.69315. Of 0.87547 they are 0.20826 and 0.79174.
  const index = buildIndex(createCatalog([tool("get_mail"), tool("get_car")]));
  expect(postings(index, index.names, "mail")[0]?.[1]).toBeCloseTo(0.79174, 4);
  expect(postings(index, index.names, "get").map(([ordinal]) => ordinal)).toEqual([0, 1]);
  expect(postings(index, index.names, "get")[0]?.[1]).toBeCloseTo(0.20826, 4);
});

test("numbers are searched in names only", () => {
  const index = buildIndex(createCatalog([tool("convert_mp4", "at most 25 files", { properties: { p99: {} } })]));
  expect([...index.vocabulary.keys()]).toEqual(["convert", "mp", "4", "file", "p"]);
});

test("a field of weight 0 is left out", () => {
  const index = buildIndex(createCatalog([tool("a_car", "wheel")]), { fieldWeights: { description: 0 } });
  expect([...index.vocabulary.keys()]).toEqual(["car"]);
});

test("an index of no tools, or of tools without words, is an index", () => {
  expect(buildIndex(createCatalog([])).vocabulary.size).toBe(0);
  expect(buildIndex(createCatalog([tool("…")])).vocabulary.size).toBe(0);
});

test("of a description of 200 kB the beginning is searched, and no more", () => {
  const description = `alpha ${"filling ".repeat(25_000)} omega`;
  const index = buildIndex(createCatalog([tool("long", description)]));
  expect(index.vocabulary.has("alpha")).toBe(true);
  expect(index.vocabulary.has("omega")).toBe(false);
});

test("an option out of its range is named", () => {
  const catalog = createCatalog([]);
  for (const options of [
    { clauseShare: 1.5 },
    { saturation: -1 },
    { lengthPenalty: Number.NaN },
    { fieldWeights: { name: Number.POSITIVE_INFINITY } },
  ]) {
    const [name = ""] = Object.keys(options);
    expect(() => buildIndex(catalog, options)).toThrow(name);
    expect(() => buildIndex(catalog, options)).toThrow(SetwiseError);
  }
});
