import { seededRandom } from "@setwise/core";
import { expect, test } from "vitest";
import type { CleanQuery } from "./clean-log.ts";
import { developmentQueries, suspectedPairs } from "./split-log.ts";

const DIMENSIONS = 24;
const query = (text: string, ...tools: number[]): CleanQuery => ({ text, tools: Uint32Array.from(tools), weight: 1 });

function unitRows(count: number, seed: number): Float32Array {
  const random = seededRandom(seed);
  const rows = Float32Array.from({ length: count * DIMENSIONS }, () => random() - 0.5);
  for (let start = 0; start < rows.length; start += DIMENSIONS) {
    const row = rows.subarray(start, start + DIMENSIONS);
    row.set(row.map((value) => value / Math.hypot(...row)));
  }
  return rows;
}

test("what is nearly the same is on one side", () => {
  const rows = unitRows(50, 1);
  // Each of the 50 vectors four times.
  const vectors = new Float32Array(4 * rows.length);
  for (let copy = 0; copy < 4; copy++) vectors.set(rows, copy * rows.length);
  const queries = Array.from({ length: 200 }, (_, at) => query(`request ${at}`, at % 50));
  const chosen = new Set(developmentQueries(queries, vectors));
  expect(chosen.size).toBeGreaterThan(20);
  for (let at = 0; at < 50; at++) {
    const copies = [at, at + 50, at + 100, at + 150].map((place) => chosen.has(place));
    expect(new Set(copies).size).toBe(1);
  }
});

test("of a log that has grown no query that was learned from becomes one to choose on", () => {
  const queries = Array.from({ length: 3000 }, (_, at) => query(`request ${at}`, at % 7));
  const vectors = unitRows(3000, 2);
  const before = new Set(developmentQueries(queries.slice(0, 2000), vectors.slice(0, 2000 * DIMENSIONS)));
  const now = developmentQueries(queries, vectors).filter((place) => place < 2000);
  const fresh = [...now].filter((place) => !before.has(place));
  expect(fresh).toEqual([]);
});

test("by sets, all queries of a set are on one side", () => {
  const queries = Array.from({ length: 400 }, (_, at) => query(`request ${at}`, at % 40));
  const chosen = developmentQueries(queries, unitRows(400, 3), "sets");
  const sets = new Set([...chosen].map((place) => place % 40));
  expect(chosen.length).toBe(10 * sets.size);
});

test("nearly the same queries without a common tool are suspected, once a pair", () => {
  const vectors = unitRows(3, 4);
  const twice = new Float32Array(4 * DIMENSIONS);
  twice.set(vectors);
  twice.set(vectors.subarray(0, DIMENSIONS), 3 * DIMENSIONS);
  const log = [query("a", 0), query("b", 1), query("c", 2), query("a again", 3)];
  expect(suspectedPairs(log, twice).map(({ one, other }) => [one, other])).toEqual([["a", "a again"]]);
  expect(suspectedPairs([...log.slice(0, 3), query("a again", 0)], twice)).toEqual([]);
});
