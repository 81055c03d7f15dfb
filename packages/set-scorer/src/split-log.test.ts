import { seededRandom } from "@setwise/core";
import { expect, test } from "vitest";
import type { CleanQuery } from "./clean-log.ts";
import { developmentQueries } from "./split-log.ts";

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

test("what is nearly the same is on one side", async () => {
  const rows = unitRows(50, 1);
  // Each of the 50 vectors four times.
  const vectors = new Float32Array(4 * rows.length);
  for (let copy = 0; copy < 4; copy++) vectors.set(rows, copy * rows.length);
  const queries = Array.from({ length: 200 }, (_, at) => query(`request ${at}`, at % 50));
  const chosen = new Set(await developmentQueries(queries, vectors));
  expect(chosen.size).toBeGreaterThan(20);
  for (let at = 0; at < 50; at++) {
    const copies = [at, at + 50, at + 100, at + 150].map((place) => chosen.has(place));
    expect(new Set(copies).size).toBe(1);
  }
});

test("of a log that has grown no query that was learned from becomes one to choose on", async () => {
  const queries = Array.from({ length: 3000 }, (_, at) => query(`request ${at}`, at % 7));
  const vectors = unitRows(3000, 2);
  const before = new Set(await developmentQueries(queries.slice(0, 2000), vectors.slice(0, 2000 * DIMENSIONS)));
  const now = (await developmentQueries(queries, vectors)).filter((place) => place < 2000);
  const fresh = [...now].filter((place) => !before.has(place));
  expect(fresh).toEqual([]);
});

test("by sets, all queries of a set are on one side", async () => {
  const queries = Array.from({ length: 400 }, (_, at) => query(`request ${at}`, at % 40));
  const chosen = await developmentQueries(queries, unitRows(400, 3), { by: "sets" });
  const sets = new Set([...chosen].map((place) => place % 40));
  expect(chosen.length).toBe(10 * sets.size);
});

test("requests that say the same by hundreds are all on one side, whatever is chosen on", async () => {
  // Of 3000 queries 300 have one vector, and 100 another: more than the sixteen nearest.
  const vectors = unitRows(3000, 5);
  const one = vectors.slice(0, DIMENSIONS);
  for (let place = 0; place < 300; place++) vectors.set(one, place * DIMENSIONS);
  const other = vectors.slice(300 * DIMENSIONS, 301 * DIMENSIONS);
  for (let place = 300; place < 400; place++) vectors.set(other, place * DIMENSIONS);
  for (const salt of ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"]) {
    const queries = Array.from({ length: 3000 }, (_, at) => query(`${salt} request ${at}`, at % 7));
    const chosen = new Set(await developmentQueries(queries, vectors));
    // More than 250 of a kind are learned from.
    expect([...chosen].filter((place) => place < 300)).toEqual([]);
    expect([0, 100]).toContain([...chosen].filter((place) => place >= 300 && place < 400).length);
    expect(chosen.size).toBeGreaterThan(150);
  }
});

test("what is near by way of others is on one side as well", async () => {
  // Queries on a circle, a twentieth of a radian apart: each is near six on either side (cos 0.3 = 0.955), all 60 by way of others.
  const vectors = new Float32Array(600 * DIMENSIONS);
  vectors.set(unitRows(600, 6));
  for (let place = 0; place < 60; place++) {
    const row = new Float32Array(DIMENSIONS);
    row.set([Math.cos(place / 20), Math.sin(place / 20)]);
    vectors.set(row, place * DIMENSIONS);
  }
  const sizes = new Set<number>();
  for (let salt = 0; salt < 20; salt++) {
    const queries = Array.from({ length: 600 }, (_, at) => query(`${salt} request ${at}`, at % 7));
    sizes.add((await developmentQueries(queries, vectors)).filter((place) => place < 60).length);
  }
  expect([...sizes].sort((a, b) => a - b)).toEqual([0, 60]);
});

test("by sets, requests that no tool serves are chosen by their text", async () => {
  const queries = Array.from({ length: 400 }, (_, at) => query(`request ${at}`, ...(at < 200 ? [] : [at])));
  const empty = (await developmentQueries(queries, unitRows(400, 7), { by: "sets" })).filter((place) => place < 200);
  // A fifth of 200.
  expect(empty.length).toBeGreaterThan(25);
  expect(empty.length).toBeLessThan(60);
});

test("of a very large log about a thousand are chosen", async () => {
  const queries = Array.from({ length: 100_000 }, (_, at) => query(`request ${at}`, at));
  const chosen = await developmentQueries(queries, new Float32Array(0), { by: "sets" });
  expect(chosen.length).toBeGreaterThan(900);
  expect(chosen.length).toBeLessThan(1100);
});

test("a signal ends it between batches", async () => {
  const queries = Array.from({ length: 300 }, (_, at) => query(`request ${at}`, at));
  const abort = new AbortController();
  const found = developmentQueries(queries, unitRows(300, 8), { signal: abort.signal });
  abort.abort();
  await expect(found).rejects.toMatchObject({ code: "aborted" });
});
