import { SetwiseError } from "@setwise/core";
import { expect, test } from "vitest";
import { parseToolText } from "./parse-tool-text.ts";

async function failure(text: string, source?: string): Promise<unknown[]> {
  try {
    await parseToolText(text, source === undefined ? {} : { source });
    return ["nothing thrown"];
  } catch (error) {
    return SetwiseError.isInstance(error) ? [error.code, error.line, error.column] : [error];
  }
}

test("JSON, JSON after a byte order mark, JSON Lines and YAML are told apart.", async () => {
  expect(await parseToolText('{"a": [1]}')).toEqual({ a: [1] });
  expect(await parseToolText("\uFEFF[1]")).toEqual([1]);
  expect(await parseToolText('{"a": 1}\n\n{"a": 2}\r\n')).toEqual([{ a: 1 }, { a: 2 }]);
  expect(await parseToolText("a:\n  - 1\n")).toEqual({ a: [1] });
  expect(await parseToolText("{a: 1}", { source: "flow.yaml" })).toEqual({ a: 1 });
  expect(await parseToolText("base: &b {x: 1}\nuse:\n  <<: *b\n")).toEqual({ base: { x: 1 }, use: { x: 1 } });
});

// Lines and columns are counted by hand, from 1.
test.each([
  ['{"tools": [}', 1, 12],
  ['{\n "a": 1,\n}', 3, 1],
  ['{"a": 1 "b": 2}', 1, 9],
  ['{"a": tru}', 1, 7],
  ['{"a": "x\ny"}', 1, 9],
  ["[1, 2", 1, 6],
  ['{"a": "open', 1, 12],
  ["[1] x", 1, 5],
  ["[01]", 1, 2],
  ['{"a" 1}', 1, 6],
  ["{1: 2}", 1, 2],
  ['["\\x"]', 1, 3],
])("Invalid JSON %j is refused at line %i, column %i.", async (text, line, column) => {
  expect(await failure(text)).toEqual(["invalid-syntax", line, column]);
});

test("A bad line of JSON Lines is named, with its column.", async () => {
  expect(await failure('{"a": 1}\n{"a": }\n')).toEqual(["invalid-syntax", 2, 7]);
});

test("Invalid YAML is refused with line and column, and the message names the file.", async () => {
  expect(await failure("a: 1\nb: [1, 2\nc: 3\n")).toEqual(["invalid-syntax", 3, 1]);
  await expect(parseToolText("a: 'x", { source: "api.yaml" })).rejects.toThrow(/^api\.yaml:1:6: Invalid YAML: /);
});

test("An empty text is refused.", async () => {
  expect(await failure(" \n ")).toEqual(["invalid-syntax", 1, 1]);
});

test("A YAML bomb is refused instead of being expanded.", async () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) =>
      `l${level}: &l${level} [${Array.from({ length: 10 }, () => (level === 0 ? "x" : `*l${level - 1}`)).join(", ")}]`,
  );
  expect(await failure(levels.join("\n"))).toEqual(["too-large", undefined, undefined]);
});

test("Nesting without end is an error or a value, never a crash.", async () => {
  expect(await failure("[".repeat(100_000))).toEqual(["invalid-syntax", 1, 100_001]);
  expect((await failure(`a: ${"[".repeat(20_000)}`))[0]).toBe("too-large");
});
