import { expect, test } from "vitest";
import { clauseVotes } from "./clause-votes.ts";

/** So much lower a base is that it gets an n-th of the vote. */
const nth = (n: number): number => 1 - 0.07 * Math.log(n);

test("a clause divides its vote among the candidates, the more to one the better it fits", () => {
  // e to the power of (base − best) / 0.07 is 1, 1/2 and 1/4: shares of 4/7, 2/7 and 1/7.
  const votes = clauseVotes(Float32Array.of(1, nth(2), nth(4)), [1]);
  expect([...votes].map((vote) => vote.toFixed(4))).toEqual(["0.5714", "0.2857", "0.1429"]);
});

test("each clause has a vote; what it counts is its part of all", () => {
  // The first clause cannot tell the two apart, the second gives 3/4 and 1/4. Alike, that is 0.5 + 0.75; as 1 to 3, 0.5 · 0.5 + 1.5 · 0.75.
  const bases = Float32Array.of(0.4, 0.4, 1, nth(3));
  expect(clauseVotes(bases, [1, 1])[0]).toBeCloseTo(1.25, 5);
  expect(clauseVotes(bases, [2, 6])[0]).toBeCloseTo(1.375, 5);
  expect(clauseVotes(bases, [0, 0])).toEqual(clauseVotes(bases, [1, 1]));
});

test("the tool that one clause chooses comes before the tool that is somewhat like all clauses", () => {
  // Three clauses, four candidates: each of the first three is the best of one clause, the last is second everywhere.
  const bases = Float32Array.of(0.8, 0.2, 0.2, 0.65, 0.2, 0.8, 0.2, 0.65, 0.2, 0.2, 0.8, 0.65);
  const votes = clauseVotes(bases, [5, 5, 5]);
  expect(votes.subarray(0, 3).every((vote) => vote > (votes[3] ?? 0))).toBe(true);
  const sums = [1.2, 1.2, 1.2, 1.95];
  expect(sums[3]).toBeGreaterThan(sums[0] ?? 0);
});

test("the votes add up to the number of clauses, whatever the size of the numbers", () => {
  for (const scale of [1e-6, 1, 1e6]) {
    const bases = Float32Array.from({ length: 3 * 40 }, (_, i) => scale * (1 + ((i * 7) % 11)));
    const sum = clauseVotes(bases, [3, 0, 9]).reduce((total, vote) => total + vote, 0);
    expect(sum).toBeCloseTo(3, 4);
  }
});

test("a candidate that does not fit a clause at all has no vote of it, and a clause that none fits does not vote", () => {
  expect([...clauseVotes(Float32Array.of(0.01, 0, -1), [1])]).toEqual([1, 0, 0]);
  expect([...clauseVotes(Float32Array.of(0, 0, 0.2, 0), [1, 1])]).toEqual([1, 0]);
});

test("without candidates there are no votes", () => {
  expect(clauseVotes(new Float32Array(0), [1, 2])).toEqual(new Float32Array(0));
});
