import { expect, it } from "vitest";
import { compare } from "./compare.ts";
import { measure } from "./measure.ts";
import { measurementText, parseMeasurement } from "./saved-measurement.ts";
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
const saved = measurementText({ name: "mine", measurement });

it("a measurement that was saved and read again is the same, with its report and in comparisons", () => {
  const read = parseMeasurement(saved);
  expect(read).toEqual({ name: "mine", measurement });
  expect(summarise(read.measurement)).toEqual(summarise(measurement));
  const [comparison] = compare(read, [{ name: "now", measurement }]);
  expect(comparison?.metrics.every(({ p }) => p === 1)).toBe(true);
  // The query that no tool serves has no recall, neither now nor when it is read.
  expect(comparison?.metrics.find(({ metric }) => metric === "recall@5")?.queries).toBe(1);
});

it("holds no text of a query", () => {
  expect(saved).not.toContain("two");
});

it("what is cut, damaged, foreign or of another version is refused by name", () => {
  for (const text of ["", "{}", "[]", saved.slice(0, -5), saved.replace('"goldSize":1', '"goldSize":"1"')])
    expect(() => parseMeasurement(text, { source: "m.json" })).toThrow(
      expect.objectContaining({ code: "corrupt-file" }),
    );
  expect(() => parseMeasurement(saved.replace('"probability":0.5', '"probability":5'))).toThrow(
    /result 1 is not whole/,
  );
  expect(() => parseMeasurement(saved.replace('"f1":', '"f2":'))).toThrow(/result 1 is not whole/);
  expect(() => parseMeasurement(saved.replace('"recall@1":null', '"recall@1":0'))).toThrow(/result 2 is not whole/);
  expect(() => parseMeasurement(saved.replace('"version":1', '"version":2'))).toThrow(
    expect.objectContaining({ code: "unsupported-version" }),
  );
});
