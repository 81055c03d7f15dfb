import { createCatalog, type Encoder, type Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { bm25Scores, dense, keywordMatcher, plainBm25, rankerPipeline } from "./rivals.ts";

function toolsOf(given: readonly (Pick<Tool, "name" | "description"> & Partial<Tool>)[]): readonly Tool[] {
  return given.map((tool) => ({ inputSchema: { type: "object" }, ...tool, id: tool.name, original: tool }));
}

const mails = toolsOf([
  { name: "send_mail", description: "Send mail to people" },
  { name: "read_mail", description: "Read it" },
  { name: "draw", description: "Draw" },
]);

test("BM25 gives the scores that its formula gives by hand", () => {
  // Lengths with the name: 6, 4 and 2 words, 4 on average. "mail" is in two of three tools: idf ln(1 + 1.5 / 2.5) = 0.4700;
  // "read" in one: ln(1 + 2.5 / 1.5) = 0.9808.
  const [send, read, draw] = bm25Scores(mails)("Read mail, mail!");
  // Twice "mail" in 6 words: 0.4700 · 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 6 / 4)) = 0.4700 · 4.4 / 3.65.
  expect(send).toBeCloseTo(0.5666, 4);
  // Twice "read" and once "mail" in 4 words: 0.9808 · 4.4 / 3.2 + 0.4700 · 2.2 / 2.2.
  expect(read).toBeCloseTo(1.8186, 4);
  expect(draw).toBe(0);
});

test("BM25 reads names and descriptions of arguments, and ranks the best first", async () => {
  const tools = toolsOf([
    { name: "one", description: "" },
    { name: "two", description: "", inputSchema: { type: "object", properties: { cityName: { type: "string" } } } },
    {
      name: "three",
      description: "",
      inputSchema: { type: "object", properties: { at: { type: "string", description: "A city and its country" } } },
    },
  ]);
  // "two city name" is shorter than "three at a city and its country".
  expect(await plainBm25(tools)("which city")).toEqual(["two", "three", "one"]);
});

const schema = { type: "object", properties: { hotelName: { type: "string" } } };

test("the keyword matcher gives 10, 5 and 2 points, each word once", async () => {
  const tools = toolsOf([
    { name: "none", description: "" },
    { name: "argument", description: "", inputSchema: schema },
    { name: "described", description: "A hotel, any hotel" },
    { name: "both", description: "A hotel", inputSchema: schema },
    { name: "findHotel", description: "" },
    { name: "twoWords", description: "hotel room" },
    { name: "three", description: "hotel room key" },
  ]);
  // 0, 2, 5, 7 and 10 points for "hotel"; 5 for "room" and 5 for "key", so that these have 10 and 15. Of two alike the earlier.
  expect(await keywordMatcher(tools)("hotel room key, hotel")).toEqual([
    "three",
    "findHotel",
    "twoWords",
    "both",
    "described",
    "argument",
    "none",
  ]);
});

test("dense ranks by the cosine of the query with name and description", async () => {
  const vectors: Readonly<Record<string, readonly number[]>> = {
    "send_mail: Send mail to people": [0, 1],
    "read_mail: Read it": [0.6, 0.8],
    "draw: Draw": [0.8, 0.6],
    picture: [1, 0],
  };
  const encoder: Encoder = {
    name: "by hand",
    dimensions: 2,
    encode: async (texts) => Float32Array.from(texts.flatMap((text) => vectors[text] ?? [])),
  };
  // Cosines 0, 0.6 and 0.8.
  expect(await (await dense(mails, encoder))("picture")).toEqual(["draw", "read_mail", "send_mail"]);
});

test("a ranker as a pipeline selects its first five, and counts their tokens", async () => {
  const catalog = createCatalog(toolsOf(["a", "b", "c", "d", "e", "f"].map((name) => ({ name, description: "same" }))));
  const pipeline = rankerPipeline(plainBm25(catalog.tools), catalog);
  const answer = await pipeline({ id: "1", query: "f", tools: [] });
  // f first for its name; the others alike, by their place.
  expect(answer.ranking).toEqual(["f", "a", "b", "c", "d", "e"]);
  expect(answer.selected).toEqual(["f", "a", "b", "c", "d"]);
  const tokens = [...catalog.tokens];
  expect(answer.tokens).toEqual({
    before: tokens.reduce((a, b) => a + b, 0),
    after: tokens.reduce((a, b) => a + b, 0) - (tokens[4] ?? 0),
  });
});

test("a query is offered only its own candidates, if that is asked for", async () => {
  const catalog = createCatalog(mails);
  const query = { id: "1", query: "read mail", tools: [], candidates: ["draw", "send_mail", "unknown"] };
  const own = await rankerPipeline(plainBm25(mails), catalog, { ownCandidates: true, k: 1 })(query);
  expect(own).toMatchObject({ ranking: ["send_mail", "draw"], selected: ["send_mail"] });
  // What is offered costs tokens before: two of three tools.
  expect(own.tokens).toEqual({ before: (catalog.tokens[0] ?? 0) + (catalog.tokens[2] ?? 0), after: catalog.tokens[0] });
  const all = await rankerPipeline(plainBm25(mails), catalog)(query);
  expect(all.ranking).toEqual(["read_mail", "send_mail", "draw"]);
});
