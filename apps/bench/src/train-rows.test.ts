import { createCatalog } from "@setwise/core";
import { buildIndex } from "@setwise/retriever";
import { readTools } from "setwise";
import { expect, test } from "vitest";
import { foreignQueries, lookUp, ownQueries, weighedRows } from "./train-rows.ts";
import type { TrainSet } from "./train-sets.ts";

const { tools } = readTools(
  ["Send a mail.", "Book a flight.", "Book a hotel.", "Play music.", "Measure water.", "Draw pictures."].map(
    (description) => ({ name: description.slice(0, -1).toLowerCase().replaceAll(" ", "_"), description }),
  ),
);
const index = buildIndex(createCatalog(tools));

const query = (text: string, ...tools: readonly string[]) => ({ id: text, query: text, tools });

test("a group counts as much as another, however many rows it has", async () => {
  const asked = (...texts: readonly string[]) => ({ index, queries: texts.map((text) => query(text)) });
  const groups = [[asked("a", "b", "c"), asked("d")], [asked("e")]];
  const rows = await weighedRows(groups, async ({ queries }) => queries.map(({ query: text }) => ({ text })));
  // Four rows of a quarter each, and one of 1.
  expect(rows.map(({ text, weight }) => `${text} ${weight}`)).toEqual(["a 0.25", "b 0.25", "c 0.25", "d 0.25", "e 1"]);
});

test("the places of the right tools are those among the candidates", async () => {
  const queries = [query("book a hotel", "book_a_flight"), query("book a hotel", "send_a_mail")];
  const [second, absent] = await lookUp({ index, queries }, undefined, 5);
  // By words: the hotel first, then the flight, which shares one word; the mail has none and is no candidate.
  expect(second?.right).toEqual([1]);
  expect(absent?.right).toEqual([]);
});

test("own queries are asked of own tools, foreign ones are the first of each other data set", () => {
  const set = (name: string, ...texts: readonly string[]): TrainSet => {
    return { name, tools, index, queries: texts.map((text) => query(text, "send_a_mail")) };
  };
  const sets = [set("one", "a", "b"), set("two", "c", "d"), set("three", "e")] as const;
  const whole = (groups: ReturnType<typeof ownQueries>) => groups[0]?.[0]?.queries.map(({ query: text }) => text);
  expect(whole(ownQueries(sets[0], sets))).toEqual(["a", "b"]);
  expect(whole(foreignQueries(sets[0], sets, 1))).toEqual(["c", "e"]);
  const small = foreignQueries(sets[0], sets, 1)[1] ?? [];
  expect(
    small.flatMap(({ queries }) => queries.map(({ query: text }) => text)).every((text) => "cde".includes(text)),
  ).toBe(true);
});
