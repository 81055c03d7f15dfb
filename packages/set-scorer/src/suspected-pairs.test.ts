import { expect, test } from "vitest";
import type { CleanQuery } from "./clean-log.ts";
import { suspectedPairs } from "./suspected-pairs.ts";

const query = (text: string, ...tools: number[]): CleanQuery => ({ text, tools: Uint32Array.from(tools), weight: 1 });

test("nearly the same queries without a common tool are suspected, once a pair", () => {
  const twice = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0);
  const log = [query("a", 0), query("b", 1), query("c", 2), query("a again", 3)];
  expect(suspectedPairs(log, twice).map(({ one, other }) => [one, other])).toEqual([["a", "a again"]]);
  expect(suspectedPairs([...log.slice(0, 3), query("a again", 0)], twice)).toEqual([]);
});
