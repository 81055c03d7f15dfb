import { expect, test } from "vitest";
import type { QueryResult, SplitResult } from "./quality.ts";
import { qualityReport } from "./quality-report.ts";
import type { RankingRow } from "./ranking-row.ts";

function result(contender: string, split: string, rows: readonly RankingRow[], milliseconds = 1): SplitResult {
  const set: QueryResult["set"] = contender === "BM25" ? undefined : [0.5, 0, 1, 4];
  return {
    split: { dataSet: "shop", split },
    contender,
    results: rows.map((ranking) => ({ ranking, set, milliseconds })),
  };
}

// BM25: split a has the means 50, 50, 50, 50 of two queries, split b 0, so 25 over the splits however many queries each has.
const floor = [
  result("BM25", "a", [
    [1, 1, 1, 1],
    [0, 0, 0, 0],
  ]),
  result("BM25", "b", [[0, 0, 0, 0]]),
];
// minilm: split a 100, 50, 80, 50; split b 50, 0, 40, 50; over the splits 75, 25, 60, 50, whose mean is 52.5.
const ours = [
  result("minilm", "a", [
    [1, 1, 1, 1],
    [1, 0, 0.6, 0],
  ]),
  result("minilm", "b", [[0.5, 0, 0.4, 0.5]]),
];

/** The cells of the rows that begin so. */
function rows(report: string, first: string): string[][] {
  const lines = report.split("\n").filter((line) => line.startsWith(`| ${first} |`));
  return lines.map((line) =>
    line
      .split("|")
      .slice(2, -1)
      .map((cell) => cell.trim()),
  );
}

test("means count every split the same, and the difference is that of the means of the four", () => {
  const report = qualityReport([...floor, ...ours], { cached: false });
  expect(rows(report, "BM25")[0]).toEqual(["25.0", "25.0", "25.0", "25.0", "25.0", "", "", ""]);
  const [means = [], sets] = rows(report, "minilm");
  expect(means.slice(0, 5)).toEqual(["75.0", "25.0", "60.0", "50.0", "52.5"]);
  // Split a: 0 and 40, which mean 20; split b: 35. Resamples of a lie between 0 and 40, so the whole between 17.5 and 37.5.
  expect(means[5]).toBe("+27.5 (+17.5 to +37.5)");
  expect(sets).toEqual(["50.0", "0.0", "100.0", "4.0", "1.00"]);
  expect(rows(report, "shop a")).toEqual([
    ["2", "50.0", "100.0"],
    ["50.0", "50.0"],
  ]);
  expect(rows(report, "shop b")).toEqual([
    ["1", "0.0", "50.0"],
    ["0.0", "0.0"],
  ]);
});

test("our levels are compared with the dense rival and with the level before", () => {
  const rival = [result("dense MiniLM", "a", [[0.5, 0.5, 0.5, 0.5]]), result("dense MiniLM", "b", [[0, 0, 0, 0]])];
  const first = [result("static", "a", [[0.5, 0.5, 0.5, 0.5]]), result("static", "b", [[0.5, 0.5, 0.5, 0.5]])];
  const second = [result("minilm", "a", [[1, 1, 1, 1]]), result("minilm", "b", [[0.4, 0.4, 0.4, 0.4]])];
  const report = qualityReport([...rival, ...first, ...second], { cached: false });
  // One query a split: every resample is the same. static: 0 and 50. minilm: 50 and 40, and against static 50 and −10.
  expect(rows(report, "static")[0]?.slice(5)).toEqual(["", "+25.0 (+25.0 to +25.0)", ""]);
  expect(rows(report, "minilm")[0]?.slice(5)).toEqual(["", "+45.0 (+45.0 to +45.0)", "+20.0 (+20.0 to +20.0)"]);
  expect(rows(report, "dense MiniLM")[0]?.slice(5)).toEqual(["", "", ""]);
});

test("a level with a re-ranker is compared with the level alone, and has a row in every table", () => {
  const level = [result("static", "a", [[0.5, 0.5, 0.5, 0.5]]), result("static", "b", [[0.5, 0.5, 0.5, 0.5]])];
  const after = [
    result("static + rerank", "a", [[0.7, 0.7, 0.7, 0.7]]),
    result("static + rerank", "b", [[0.4, 0.4, 0.4, 0.4]]),
  ];
  const report = qualityReport([...level, ...after], { cached: true, reranker: "cross-encoder:own:0123abcd" });
  // One query a split: 20 and −10 against the level.
  expect(rows(report, "static + rerank")[0]?.slice(5)).toEqual(["", "", "+5.0 (+5.0 to +5.0)"]);
  expect(rows(report, "static + rerank")[1]).toEqual(["50.0", "0.0", "100.0", "4.0", "1.00"]);
  expect(rows(report, "shop a")[0]).toEqual(["1", "50.0", "70.0"]);
  expect(report).toContain("in the order of `cross-encoder:own:0123abcd`");
  expect(qualityReport(level, { cached: true })).not.toContain("+ rerank");
});

test("a pair that is missing is an error, not a difference of 0", () => {
  const report = (...all: readonly SplitResult[]) => qualityReport(all, { cached: false });
  const short = result("minilm", "a", [[1, 1, 1, 1]]);
  expect(() => report(...floor, short, ours[1] as SplitResult)).toThrow("different numbers of queries on shop a");
  expect(() => report(...floor, ours[0] as SplitResult)).toThrow("measured on different splits");
  expect(() => report(...floor, short, result("minilm", "c", []))).toThrow("different");
});

test("with a cache there is no time of the level whose vectors come from it", () => {
  const report = qualityReport([...floor, ...ours], { cached: true });
  expect(rows(report, "minilm")[1]?.at(-1)).toBe("");
  expect(report).toContain("that of `minilm` is left out");
});
