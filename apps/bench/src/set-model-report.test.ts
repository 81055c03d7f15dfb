import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calibrationOf } from "@setwise/evaluation";
import { expect, test } from "vitest";
import type { SeedResult } from "./set-model-measure.ts";
import { type MeasuredTrial, setModelReport, trialRows, writeFigures } from "./set-model-report.ts";

// Two tools believed in at 0.82, one of them right: the bin from 0.8 says 0.82 and is 0.5, ECE 32.
const calibration = calibrationOf([
  { probability: 0.82, holds: true },
  { probability: 0.82, holds: false },
]);
const figures = { "R@3": 0.5, "N@3": 0.5, "C@3": 0.5, "R@5": 0.6, "C@5": 0.4, "C@10": 0.7, exact: 0.2 };
const { exact: _exact, ...untrained } = figures;
const result = (chosen: string): SeedResult => ({
  chosen,
  verdict: "",
  seconds: 2,
  tests: [{ figures, calibration, untrainedExact: 0.1 }],
});
const trial = (name: string, trained: number, isOneOfMany: boolean): MeasuredTrial => ({
  level: "static",
  name,
  trained,
  isOneOfMany,
  tests: [{ name: "test", queries: 2, untrained }],
  results: [result("match")],
});
const all = [trial("ultratool, first 50 queries", 50, true), trial("ultratool", 200, false)];

test("a trial has a line without and a line with the log", () => {
  expect(trialRows(all[1]!)).toEqual([
    "| ultratool (200), test (2) | untrained | 50.0 | 50.0 | 50.0 | 60.0 | 40.0 | 70.0 | 10.0 | – | – |",
    "| ultratool (200), test (2) | match | 50.0 | 50.0 | 50.0 | 60.0 | 40.0 | 70.0 | 20.0 | 32.0 | 2.0 s |",
  ]);
});

test("the report has the learning curve and what was said in tenths, and its drawings stand beside it", async () => {
  const report = setModelReport(all);
  expect(report).toContain("| none | untrained | 60.0 | 40.0 | 70.0 | 10.0 | – |");
  expect(report).toContain("| 50 | match | 60.0 | 40.0 | 70.0 | 20.0 | 32.0 |");
  expect(report).toContain("| 0.8 to 0.9 | 0.82 → 0.50 (2) |");
  const folder = await mkdtemp(join(tmpdir(), "set-model-report-"));
  await writeFigures(join(folder, "page.md"), all);
  const names = await readdir(join(folder, "figures"));
  expect(names.sort()).toEqual(["set-model-curve-static.svg", "set-model-reliability-ultratool-static.svg"]);
  for (const name of names) {
    expect(report).toContain(`(figures/${name})`);
    expect(await readFile(join(folder, "figures", name), "utf8")).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/,
    );
  }
  await rm(folder, { recursive: true });
});
