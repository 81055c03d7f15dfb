import { describe, expect, test } from "vitest";
import { withLayout } from "./tokenizer-layout.ts";

// A token a word: its length is its id; 1 is unknown. Marks as BERT has them: 101 before, 102 after each text.
const marks = (id: number, type: number) => ({ ids: [id], types: [type] });
const tokenizer = withLayout(
  (text, limit) => {
    const ids = text.split(" ").flatMap((word) => (word === "" ? [] : [word.length]));
    return { ids: ids.slice(0, limit), cut: ids.length > limit };
  },
  {
    single: { before: marks(101, 0), type: 0, after: marks(102, 0) },
    pair: { before: marks(101, 0), first: 0, between: marks(102, 0), second: 1, after: marks(102, 1) },
  },
  1,
);

test("one text stands between its marks and is cut with them counted", () => {
  expect(tokenizer.encode("aa bbb", 8)).toEqual({
    ids: [101, 2, 3, 102],
    types: [0, 0, 0, 0],
    cut: false,
    known: true,
  });
  expect(tokenizer.encode("aa bbb cccc", 4)).toMatchObject({ ids: [101, 2, 3, 102], cut: true });
});

test("a text is known when one of its tokens is", () => {
  expect(["", "a", "a a", "a aa"].map((text) => tokenizer.encode(text, 8).known)).toEqual([false, false, false, true]);
  expect(tokenizer.encodePair("aa", "a", 9).known).toBe(false);
});

describe("two texts", () => {
  test("stand one after the other, each with its type", () => {
    expect(tokenizer.encodePair("aa", "bbb cccc", 8)).toEqual({
      ids: [101, 2, 102, 3, 4, 102],
      types: [0, 0, 0, 1, 1, 1],
      cut: false,
      known: true,
    });
  });

  test.each([
    // Of 9 tokens three are marks, so 6 remain.
    ["the longer second is cut", "aa aa", "bbb bbb bbb bbb bbb", [2, 4]],
    ["the longer first is cut", "aa aa aa aa aa", "bbb", [5, 1]],
    ["both are cut to half", "aa aa aa aa aa", "bbb bbb bbb bbb", [3, 3]],
    ["both fit", "aa aa", "bbb bbb bbb bbb", [2, 4]],
  ])("%s", (_, first, second, kept) => {
    const { ids } = tokenizer.encodePair(first, second, 9);
    expect([ids.filter((id) => id === 2).length, ids.filter((id) => id === 3).length]).toEqual(kept);
  });

  test("without room for any token leave the marks", () => {
    expect(tokenizer.encodePair("aa", "bbb", 2).ids).toEqual([101, 102, 102]);
  });
});
