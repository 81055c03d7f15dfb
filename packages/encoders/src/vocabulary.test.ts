import { describe, expect, test } from "vitest";
import { sortedVocabulary, vocabularyOf } from "./vocabulary.ts";

describe("a vocabulary of sorted lines", () => {
  const vocabulary = sortedVocabulary("##s\nmail\nsend\n語\n");

  test("gives each piece its line, and -1 for what it does not hold", () => {
    const pieces = ["##s", "mail", "send", "語", "", "zzz", "mai", "mails", "\n"];
    expect(pieces.map((piece) => vocabulary?.idOf(piece))).toEqual([0, 1, 2, 3, -1, -1, -1, -1, -1]);
  });

  test("knows its size and its longest piece", () => {
    expect(vocabulary?.size).toBe(4);
    expect(vocabulary?.longest).toBe(4);
  });

  test("is refused when it is empty or its last line is cut", () => {
    expect(sortedVocabulary("")).toBeUndefined();
    expect(sortedVocabulary("mail\nsen")).toBeUndefined();
  });
});

test("a vocabulary of a table gives the table's ids", () => {
  const vocabulary = vocabularyOf(new Map([["mail", 7]]));
  expect([vocabulary.idOf("mail"), vocabulary.idOf("constructor"), vocabulary.size, vocabulary.longest]).toEqual([
    7, -1, 1, 4,
  ]);
});
