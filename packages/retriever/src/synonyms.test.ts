import { expect, test } from "vitest";
import { fillerStems } from "./filler-words.ts";
import { stem } from "./stem.ts";
import { synonymsOf } from "./synonyms.ts";

test("synonyms are mutual, and no word is its own", () => {
  for (const [word, others] of synonymsOf) {
    expect(others).not.toContain(word);
    for (const other of others) expect(synonymsOf.get(other)).toContain(word);
  }
});

test("a word has the other stems of its group, each once", () => {
  expect(synonymsOf.get(stem("documents"))).toEqual(["doc"]);
  // "book reserve reservation": the last two have one stem.
  expect(synonymsOf.get("book")).toEqual(["reserv"]);
});

test("no synonym and no filler word is a stop word", () => {
  expect(synonymsOf.has("")).toBe(false);
  expect(fillerStems.has("")).toBe(false);
});
