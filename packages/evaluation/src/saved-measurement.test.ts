import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compare, type NamedMeasurement } from "./compare.ts";
import { measure } from "./measure.ts";
import { measurementLines, readMeasurement } from "./saved-measurement.ts";
import { summarise } from "./summarise.ts";

const queries = [
  { id: "1", query: "one", tools: ["a"] },
  { id: "2", query: "two", tools: [] },
];
const measurement = await measure(
  () => ({ ranking: ["a"], selected: ["a"], tokens: { before: 2, after: 1 }, probabilities: new Map([["a", 0.5]]) }),
  queries,
  { toolIds: ["a"] },
);
const saved = [...measurementLines({ name: "mine", measurement })].join("");

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-saved-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(text: string): Promise<NamedMeasurement> {
  const path = join(folder, "m.jsonl");
  await writeFile(path, text);
  return readMeasurement(path);
}

it("a measurement that was saved and read again is the same, with its report and in comparisons", async () => {
  const again = await read(saved);
  expect(again).toEqual({ name: "mine", measurement });
  expect(summarise(again.measurement)).toEqual(summarise(measurement));
  const [comparison] = compare(again, [{ name: "now", measurement }]);
  expect(comparison?.metrics.every(({ p }) => p === 1)).toBe(true);
  // The query that no tool serves has no recall, neither now nor when it is read.
  expect(comparison?.metrics.find(({ metric }) => metric === "recall@5")?.queries).toBe(1);
});

it("holds no text of a query, and a line for each", () => {
  expect(saved).not.toContain("two");
  expect(saved.trim().split("\n")).toHaveLength(1 + queries.length);
});

it("what is cut, damaged, foreign or of another version is refused by name", async () => {
  const lines = saved.trim().split("\n");
  for (const text of [
    "",
    "{}",
    "[]",
    saved.slice(0, -5),
    lines.slice(0, -1).join("\n"),
    saved.replace('"goldSize":1', '"goldSize":"1"'),
  ])
    await expect(read(text)).rejects.toMatchObject({ code: "corrupt-file", source: join(folder, "m.jsonl") });
  await expect(read(lines.slice(0, 2).join("\n"))).rejects.toThrow(/1 results where 2 were written/);
  await expect(read(saved.replace('"probability":0.5', '"probability":5'))).rejects.toThrow(/result 1 is not whole/);
  await expect(read(saved.replace('"f1":', '"f2":'))).rejects.toThrow(/result 1 is not whole/);
  await expect(read(saved.replace('"recall@1":null', '"recall@1":0'))).rejects.toThrow(/result 2 is not whole/);
  await expect(read(saved.replace('"version":1', '"version":2'))).rejects.toMatchObject({
    code: "unsupported-version",
  });
  await expect(readMeasurement(join(folder, "missing"))).rejects.toMatchObject({ code: "unreadable-source" });
});
