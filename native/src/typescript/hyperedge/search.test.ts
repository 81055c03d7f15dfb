import fc from "fast-check";
import { expect, test } from "vitest";
import { hyperedgeCases } from "../../../test/hyperedge-cases.ts";
import { checkHyperedgeRequest } from "../../hyperedge-request.ts";
import { BestSets } from "./best-sets.ts";
import { searchByBounds } from "./branch-and-bound.ts";
import { enumerateSets } from "./enumerate.ts";
import { createProblem, fillProblem, type Problem } from "./problem.ts";
import { admits, score } from "./score.ts";

test("bounds find the sets of plain enumeration, to the last bit", () => {
  fc.assert(
    fc.property(hyperedgeCases(), fc.nat(14), ({ logits, pairScores, options }, count) => {
      const problem = createProblem();
      fillProblem(problem, checkHyperedgeRequest(logits, pairScores, options));
      const found = new BestSets();
      found.restart(count);
      expect(searchByBounds(problem, found, count, Number.POSITIVE_INFINITY)).toBe(true);
      expect(list(found)).toEqual(list(enumerated(problem, count)));
    }),
    { numRuns: 1000 },
  );
});

test("enumeration finds the sets of plain enumeration, to the last bit", () => {
  fc.assert(
    fc.property(hyperedgeCases(), fc.nat(14), ({ logits, pairScores, options }, count) => {
      const problem = createProblem();
      fillProblem(problem, checkHyperedgeRequest(logits, pairScores, options));
      const found = new BestSets();
      found.restart(count);
      enumerateSets(problem, found);
      expect(list(found)).toEqual(list(enumerated(problem, count)));
    }),
    { numRuns: 1000 },
  );
});

test("a search that takes too many steps says so", () => {
  // Everything ties, so that no bound cuts: 142,506 sets of five alone.
  const problem = createProblem();
  fillProblem(problem, checkHyperedgeRequest(new Float64Array(30), new Float64Array(4 * 900), {}));
  const best = new BestSets();
  best.restart(1);
  expect(searchByBounds(problem, best, 1, 1000)).toBe(false);
});

function list(best: BestSets): unknown[] {
  best.sort();
  return Array.from({ length: best.length }, (_, rank) => ({
    score: best.score(rank),
    members: Array.from({ length: best.size(rank) }, (__, i) => best.member(rank, i)),
  }));
}

/** Every set that may be answered, scored by the definition. */
function enumerated(problem: Problem, count: number): BestSets {
  const best = new BestSets();
  best.restart(count);
  const members = new Uint16Array(8);
  if (!Number.isNaN(problem.emptyScore)) best.offer(problem.emptyScore, members, 0);
  const extend = (size: number, from: number): void => {
    if (size === problem.largest) return;
    for (let index = from; index < problem.count; index += 1) {
      members[size] = index;
      if (admits(problem, members, size + 1)) best.offer(score(problem, members, size + 1), members, size + 1);
      extend(size + 1, index + 1);
    }
  };
  extend(0, 0);
  return best;
}
