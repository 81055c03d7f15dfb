import { describe, expect, it } from "vitest";
import { recordJoiner } from "./join-records.ts";
import type { LoggedRequest } from "./request.ts";

const seen = (extent: number, called: readonly string[], key = "k"): LoggedRequest => ({
  query: key,
  called,
  answered: true,
  growth: { key, extent, adds: false },
});
const call = (called: readonly string[], key = "k"): LoggedRequest => ({
  query: key,
  called,
  offered: ["a", "b"],
  answered: true,
  growth: { key, extent: 0, adds: true },
});

describe("recordJoiner", () => {
  it("joins records of a conversation that grows", () => {
    const joiner = recordJoiner();
    for (const request of [seen(1, ["a"]), seen(3, ["a", "b"]), seen(5, ["a", "b"])]) joiner.add(request);
    expect(joiner.end()).toMatchObject([{ called: ["a", "b"] }]);
  });

  it("keeps equal conversations of equal length, and those whose calls differ, apart", () => {
    const joiner = recordJoiner();
    for (const request of [seen(1, ["a"]), seen(1, ["a"]), seen(3, ["c"])]) joiner.add(request);
    expect(joiner.end().map(({ called }) => called)).toEqual([["a"], ["a"], ["c"]]);
  });

  it("adds the calls of a request, though requests are mixed", () => {
    const joiner = recordJoiner();
    for (const request of [call([]), call(["x"], "other"), call(["a"]), call(["b"])]) joiner.add(request);
    expect(joiner.end()).toMatchObject([
      { query: "k", called: ["a", "b"], offered: ["a", "b"] },
      { query: "other", called: ["x"] },
    ]);
  });

  it("holds no more than so many, giving the oldest up first", () => {
    const joiner = recordJoiner(2);
    expect(joiner.add(call(["a"], "1"))).toEqual([]);
    expect(joiner.add(call(["a"], "2"))).toEqual([]);
    expect(joiner.add(call(["a"], "3")).map(({ query }) => query)).toEqual(["1"]);
    expect(joiner.add(call(["b"], "2"))).toEqual([]);
    expect(joiner.end().map(({ query, called }) => [query, called])).toEqual([
      ["2", ["a", "b"]],
      ["3", ["a"]],
    ]);
  });
});
