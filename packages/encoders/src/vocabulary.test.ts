import { describe, expect, test } from "vitest";
import { comparePieces, sortedVocabulary, vocabularyOf } from "./vocabulary.ts";

describe("a vocabulary of lines sorted by length", () => {
  const text = "語\n##s\nmail\nsend\n";
  const vocabulary = sortedVocabulary(text, [1, 0, 1, 2]);

  test("gives each piece its line, and -1 for what it does not hold", () => {
    const pieces = ["語", "##s", "mail", "send", "", "s", "zzzz", "mai", "mails", "\n", "aaaa"];
    expect(pieces.map((piece) => vocabulary?.idOf(piece))).toEqual([0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1]);
  });

  test("knows its size and its longest piece", () => {
    expect(vocabulary?.size).toBe(4);
    expect(vocabulary?.longest).toBe(4);
  });

  test("is refused when it is empty, cut, or other than its counts say", () => {
    expect(sortedVocabulary("", [])).toBeUndefined();
    expect(sortedVocabulary(text.slice(0, -1), [1, 0, 1, 2])).toBeUndefined();
    expect(sortedVocabulary(text, [1, 0, 1, 1])).toBeUndefined();
    expect(sortedVocabulary(text, [2, 0, 1, 2])).toBeUndefined();
  });

  test("is sorted as pieces are compared", () => {
    const pieces = text.trim().split("\n");
    expect(pieces.toReversed().sort(comparePieces)).toEqual(pieces);
    expect(comparePieces("mail", "mail")).toBe(0);
  });
});

test("a vocabulary of a table gives the table's ids", () => {
  const vocabulary = vocabularyOf(new Map([["mail", 7]]));
  expect([vocabulary.idOf("mail"), vocabulary.idOf("constructor"), vocabulary.size, vocabulary.longest]).toEqual([
    7, -1, 1, 4,
  ]);
});
