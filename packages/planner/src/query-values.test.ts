import { expect, test } from "vitest";
import { queryValues } from "./query-values.ts";

const found = (text: string): readonly string[] => queryValues(text).map(({ kind, value }) => `${kind} ${value}`);

test.each([
  ["mail ada@example.org the invoice", ["email ada@example.org"]],
  ["open https://example.org/a?b=1.", ["url https://example.org/a?b=1"]],
  ['name it "Meeting with John" and save', ["quoted Meeting with John"]],
  ["don't call it 'Tomorrow's work'", ["quoted Tomorrow's work"]],
  ["from 2024-10-05 to October 15, 2024 or tomorrow", ["date 2024-10-05", "date October 15, 2024", "date tomorrow"]],
  ["at 9am or 17:30", ["time 9am", "time 17:30"]],
  ["cancel order #W5918442 of olivia_gonzalez_2305", ["id W5918442", "id olivia_gonzalez_2305"]],
  ["ticket 9f1c2b3a-0000-4000-8000-0123456789ab", ["id 9f1c2b3a-0000-4000-8000-0123456789ab"]],
  ["pay 1,250.50 dollars for 3 nights", ["number 1250.5", "number 3"]],
  ["fly from Los Angeles to Paris", ["name Los Angeles", "name Paris"]],
  ["refund Ada Lovelace. Then call J.K. Rowling of AT&T", ["name Ada Lovelace", "name J.K. Rowling of AT&T"]],
  ["who directed The Dark Knight?", ["name Dark Knight"]],
])("%s", (text, expected) => {
  expect(found(text)).toEqual(expected);
});

test("values stand where they say, in order, and do not overlap", () => {
  const text = 'send "order 12" to ada@example.org on 2024-10-05';
  const values = queryValues(text);
  expect(values.map(({ start, end }) => text.slice(start, end))).toEqual([
    '"order 12"',
    "ada@example.org",
    "2024-10-05",
  ]);
});

test("a request without values has none, and a pasted table only so many", () => {
  expect(queryValues("")).toEqual([]);
  expect(queryValues("please refund the last order")).toEqual([]);
  expect(queryValues("12 ".repeat(50_000))).toHaveLength(64);
  expect(queryValues("A".repeat(50_000)).length).toBeLessThanOrEqual(64);
  expect(queryValues('"'.repeat(50_000))).toEqual([]);
});
