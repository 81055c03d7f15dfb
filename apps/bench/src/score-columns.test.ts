import { createCatalog } from "@setwise/core";
import { VectorIndex } from "@setwise/native";
import { buildIndex, embedTools, encodeQuery, type LexicalOptions, retrieve } from "@setwise/retriever";
import { openEncoder } from "setwise";
import { shopTools } from "@setwise/testkit";
import { expect, test } from "vitest";
import { measureSettings, settingsOf, valuesOf } from "./measured-settings.ts";
import { columnsOf, type QueryColumns } from "./query-columns.ts";
import { mean, rankingRow } from "./ranking-row.ts";
import { baseColumns, rankingMean, scoreColumns } from "./score-columns.ts";

const right = shopTools.slice(0, 2).map(({ id }) => id);
const queries = [
  "refund the last order",
  "My name is Ada. Please cancel my order, and then send me a mail about the refund.",
  "find the customer and list her orders, then change the address",
  "xyzzy",
];

async function columnsAndScores(query: string, options: LexicalOptions) {
  const encoder = await openEncoder("static");
  if (encoder === undefined) throw new Error("There is no static encoder.");
  const index = await embedTools(buildIndex(createCatalog(shopTools), options), encoder);
  const { dimensions, vectors: rows } = index.embeddings ?? { dimensions: 1, vectors: new Float32Array() };
  const meaning = new VectorIndex({ dimensions, vectors: rows, precision: "int8" });
  const vectors = await encodeQuery(index, encoder, query);
  const columns = columnsOf(index, { id: "q", query, tools: [...right, right[0] ?? "", "unknown"] }, vectors, meaning);
  meaning.dispose();
  const { ids, scores } = retrieve(index, query, { k: shopTools.length, vectors });
  return { columns, ids, scores, toolsOf: index.catalog.tools };
}

const settings = [
  { wordWeight: 0.5, fullEvidence: 2.25, clauseShare: 0.4, clauseVote: 0.4, nameBonus: 0.2 },
  { wordWeight: 1, fullEvidence: 0, clauseShare: 0.2, clauseVote: 0.6, nameBonus: 0 },
  { wordWeight: 0.3, fullEvidence: 8, clauseShare: 0.6, clauseVote: 0, nameBonus: 0.4 },
];

test.each(queries)("columns of %j are scored as the retriever scores, whatever the constants", async (query) => {
  for (const setting of settings) {
    const { columns, ids, scores, toolsOf } = await columnsAndScores(query, setting);
    const own = scoreColumns(
      columns,
      baseColumns(columns, { ...setting, evidencePower: 2, voteTemperature: 0.07 }),
      setting,
    );
    for (const [place, tool] of ids.entries())
      expect(own[columns.pool.indexOf(tool)]).toBeCloseTo(scores[place] ?? Number.NaN, 5);
    const ranking = Array.from(ids, (tool) => toolsOf[tool]?.id ?? "");
    const row = rankingRow(ranking, { id: "q", query, tools: right }, () => true) ?? [];
    // A tool of score 0 is no candidate of the retriever; here it is one at the end.
    if (ids.length === shopTools.length) expect(rankingMean(own, columns.right)).toBeCloseTo(mean([...row]), 5);
  }
});

test("the right tools are counted once, and those that are unknown not at all", async () => {
  const { columns } = await columnsAndScores(queries[0] ?? "", {});
  expect(Array.from(columns.right, (place) => columns.pool[place])).toEqual([0, 1]);
});

// Three tools, two clauses: of words the first and the last are served by tool 0 and 1, by meaning the second by tool 2.
const columns: QueryColumns = {
  pool: Uint32Array.of(3, 5, 8),
  parts: 3,
  evidence: 1,
  words: Float32Array.of(1, 0.5, 0, 1, 0, 0, 0, 1, 0.5),
  cosines: Float32Array.of(0, 0, 0.5, 0, 0, 0, 0, 0, 1),
  weights: [1, 1, 0.5],
  votes: [3, 1],
  nameShare: Float32Array.of(0, 1, 0),
  right: [0, -1],
};

test("the score is the whole, the cube root of the clauses' cubes, the votes and the name, each times its constant", () => {
  const base = baseColumns(columns, { wordWeight: 1, fullEvidence: 1, evidencePower: 2, voteTemperature: 0.1 });
  expect([...base.whole]).toEqual([1, 0.5, 0.5]);
  // The second clause counts half: (0.5 · 1)³ and (0.5 · 1.5)³ under the root.
  expect([...base.clauses]).toEqual([1, expect.closeTo(0.5, 12), expect.closeTo(0.75, 12)]);
  // The first clause is for one tool only and has 2 · 3/4 of the votes; the second shares 2 · 1/4 by exp(−0.5 / 0.1) and 1.
  const far = Math.exp(-5);
  const votes = [1.5, (0.5 * far) / (1 + far), 0.5 / (1 + far)];
  expect([...base.votes]).toEqual(votes.map((vote) => expect.closeTo(vote, 12)));
  const scores = scoreColumns(columns, base, { clauseShare: 0.2, clauseVote: 0.1, nameBonus: 0.3 });
  // 0.8 · 0.5 + 0.2 · 0.5 + 0.1 · vote + 0.3.
  expect(scores[1]).toBeCloseTo(0.8 + 0.1 * (votes[1] ?? 0), 12);
});

test("words and names that are half the evidence that is asked count a quarter at the power 2, an eighth at 3", () => {
  const words = { wordWeight: 1, fullEvidence: 2, evidencePower: 2, voteTemperature: 0.1 };
  expect([...baseColumns(columns, words).whole]).toEqual([0.25, 0.125, 0.5]);
  expect([...baseColumns(columns, words).names]).toEqual([0, 0.25, 0]);
  expect([...baseColumns(columns, { ...words, evidencePower: 3 }).names]).toEqual([0, 0.125, 0]);
});

test("a right tool that is not looked at is not found; of equal scores the first comes first", () => {
  // One of two first: recall and NDCG 1/2 and 1/(1 + 1/log2 3), never complete.
  const gain = 1 / (1 + 1 / Math.log2(3));
  expect(rankingMean(Float64Array.of(1, 1, 1), columns.right)).toBeCloseTo((0.5 + gain) / 4, 12);
});

test("every setting is measured on every query", () => {
  const grid = {
    wordWeight: [0, 1],
    fullEvidence: [0, 0.5, 2],
    evidencePower: [1, 2],
    clauseShare: [0, 1],
    clauseVote: [0],
    voteTemperature: [0.1],
    nameBonus: [0, 1],
  };
  const all = settingsOf(grid);
  expect(all).toHaveLength(48);
  const measured = measureSettings({ name: "two", queries: [columns, { ...columns, parts: 1, votes: [] }] }, all);
  for (const [at, setting] of all.entries())
    for (const [query, parts] of [3, 1].entries()) {
      const own = { ...columns, parts };
      const scores = scoreColumns(own, baseColumns(own, setting), setting);
      expect(valuesOf(measured, at)[query]).toBeCloseTo(100 * rankingMean(scores, own.right), 4);
    }
});
