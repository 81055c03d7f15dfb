import { expect, test } from "vitest";
import { keepLoggedQueries, loggedQueryFinder, movedLoggedQueries, noLoggedQueries } from "./logged-queries.ts";

const queries = [
  { tools: Uint32Array.of(0, 2) },
  { tools: new Uint32Array(0) },
  { tools: Uint32Array.of(1) },
  { tools: Uint32Array.of(2) },
];
const vectors = Float32Array.of(1, 0, 1, 0, 0, 1, 0.6, 0.8);

test("logged requests vote for the tools that served them, the nearest most", () => {
  const finder = loggedQueryFinder(keepLoggedQueries(queries, vectors, [0, 1, 2]), 2);
  const { votes, nearest } = finder.votesFor(Float32Array.of(0.8, 0.6));
  finder.dispose();
  expect(nearest).toBeCloseTo(0.8, 6);
  // Cosines 0.8 and 0.6 with τ = 0.05: the second's share is e^−4 / (1 + e^−4) = 0.0180; the request without a tool is not kept.
  expect(votes.get(0)).toBeCloseTo(0.982, 3);
  expect(votes.get(2)).toBeCloseTo(0.982, 3);
  expect(votes.get(1)).toBeCloseTo(0.018, 3);
});

test("tools that leave take their votes along, and requests without any tool leave", () => {
  const moved = movedLoggedQueries(keepLoggedQueries(queries, vectors, [0, 2, 3]), (tool) => [1, -1, 0][tool] ?? -1);
  expect([...moved.offsets]).toEqual([0, 2, 3]);
  expect([...moved.members]).toEqual([0, 1, 0]);
  expect([...moved.vectors]).toEqual([1, 0, ...Float32Array.of(0.6, 0.8)]);
});

test("without logged requests there are no votes, and nothing is near", () => {
  const finder = loggedQueryFinder(noLoggedQueries, 2);
  expect(finder.votesFor(Float32Array.of(1, 0))).toEqual({ votes: new Map(), nearest: 0 });
  finder.dispose();
  expect(keepLoggedQueries([], new Float32Array(0), [])).toEqual(noLoggedQueries);
});
