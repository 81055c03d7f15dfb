import { expect, test } from "vitest";
import { literalSpans } from "./literal-spans.ts";

const found = (text: string): string[] => literalSpans(text).map(({ start, end }) => text.slice(start, end));

test("quotations in any marks are literal", () => {
  expect(found(`write "Hello, world", 'it is' and “gut” to «f»`)).toEqual([
    `"Hello, world"`,
    "'it is'",
    "“gut”",
    "«f»",
  ]);
});

test("apostrophes, inches and marks that do not close are not", () => {
  expect(found("what's the users' 5' board")).toEqual([]);
  expect(found(`a "quotation that never ends`)).toEqual([]);
  expect(found(`"one line\nanother line"`)).toEqual([]);
  expect(found(`"${"x".repeat(600)}"`)).toEqual([]);
});

test("mail and web addresses are literal", () => {
  expect(found("mail ada@example.com about https://example.com/a?b=c now")).toEqual([
    "ada@example.com",
    "https://example.com/a?b=c",
  ]);
  expect(found("@ada and 5 :// 6")).toEqual([]);
});

test("spans come in order and never overlap", () => {
  const text = `open "https://example.com/a b" and 'x@y.z'`;
  expect(found(text)).toEqual([`"https://example.com/a b"`, "'x@y.z'"]);
});
