import { expect, test } from "vitest";
import { countKnownSets, noKnownSets } from "./known-sets.ts";
import { keepLoggedQueries, loggedQueryFinder, movedLoggedQueries, noLoggedQueries } from "./logged-queries.ts";

const queries = [
  { tools: Uint32Array.of(0, 2) },
  { tools: new Uint32Array(0) },
  { tools: Uint32Array.of(1) },
  { tools: Uint32Array.of(2) },
];
const vectors = Float32Array.of(1, 0, 1, 0, 0, 1, 0.6, 0.8);

test("logged requests vote for the sets that served them, the nearest most", () => {
  const kept = keepLoggedQueries(queries, vectors, [0, 1, 2, 3]);
  const finder = loggedQueryFinder(kept, countKnownSets(queries.map(({ tools }) => tools)));
  const { sets, nearest } = finder.votesFor(Float32Array.of(0.936, 0.352));
  finder.dispose();
  expect(nearest).toBeCloseTo(0.936, 6);
  // Cosines 0.936, 0.352 and 0.936 · 0.6 + 0.352 · 0.8 = 0.8432, the last with e^−(0.0928 / 0.02) = 0.0097 of the first's share; a request without a tool is not
  // kept, and single tools are no known set.
  expect([...sets.keys()]).toEqual([0]);
  expect(sets.get(0)).toBeCloseTo(1 / 1.00966, 4);
});

test("tools that leave take their votes along, and requests without any tool leave", () => {
  const moved = movedLoggedQueries(keepLoggedQueries(queries, vectors, [0, 2, 3]), (tool) => [1, -1, 0][tool] ?? -1);
  expect([...moved.offsets]).toEqual([0, 2, 3]);
  expect([...moved.members]).toEqual([0, 1, 0]);
  expect([...moved.vectors]).toEqual([1, 0, ...Float32Array.of(0.6, 0.8)]);
});

test("without logged requests there are no votes, and nothing is near", () => {
  const finder = loggedQueryFinder(noLoggedQueries, noKnownSets);
  expect(finder.votesFor(Float32Array.of(1, 0))).toEqual({ nearest: 0, sets: new Map() });
  finder.dispose();
  expect(keepLoggedQueries([], new Float32Array(0), [])).toEqual(noLoggedQueries);
});
