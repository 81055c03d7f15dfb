import { describe, expect, it } from "vitest";
import { findLeaks } from "./find-leaks.ts";
import { seededRandom } from "@setwise/core";

const labelled = (id: string, query: string, tools: readonly string[] = ["a"]) => ({ id, query, tools });

describe("findLeaks", () => {
  it("finds the same query whatever its case, punctuation and spaces, and says whether its label is the same", () => {
    const train = [labelled("1", "Where is my parcel?"), labelled("2", "Send a mail")];
    const test = [labelled("x", "where  is my PARCEL", ["b"]), labelled("y", "Send a mail!"), labelled("z", "sing")];
    expect(findLeaks(train, test)).toEqual([
      { train: "1", test: "x", similarity: 1, same: true, sameTools: false },
      { train: "2", test: "y", similarity: 1, same: true, sameTools: true },
    ]);
  });

  it("finds nearly the same query by the share of its word pairs, as by hand", () => {
    // Ten words have 11 pairs with the marks; another last word changes 2: J = 9 / 13 = .692.
    const train = [labelled("1", "one two three four five six seven eight nine ten")];
    const test = [labelled("x", "one two three four five six seven eight nine eleven")];
    expect(findLeaks(train, test)).toEqual([]);
    const [leak] = findLeaks(train, test, { threshold: 0.69 });
    expect(leak?.similarity).toBeCloseTo(9 / 13, 12);
    expect(leak?.same).toBe(false);
  });

  it("finds all that comparing every pair finds", () => {
    const random = seededRandom(3);
    const some = (count: number): ReturnType<typeof labelled>[] =>
      Array.from({ length: count }, (_, i) =>
        labelled(String(i), Array.from({ length: 6 }, () => "abcd"[Math.floor(random() * 4)]).join(" ")),
      );
    const [train, test] = [some(200), some(200)];
    const pairs = (text: string): Set<string> => {
      const words = ["", ...text.split(" "), ""];
      return new Set(words.slice(1).map((word, i) => `${words[i]} ${word}`));
    };
    const best = test.map(({ query }) => {
      const own = pairs(query);
      return Math.max(
        ...train.map((other) => {
          const theirs = pairs(other.query);
          const shared = [...own].filter((pair) => theirs.has(pair)).length;
          return shared / (own.size + theirs.size - shared);
        }),
      );
    });
    for (const threshold of [0.3, 0.5, 0.8, 1]) {
      const found = new Map(findLeaks(train, test, { threshold }).map((leak) => [leak.test, leak.similarity]));
      for (const [i, similarity] of best.entries())
        expect(found.get(String(i))).toBe(similarity >= threshold ? similarity : undefined);
    }
  });

  it("lets queries without a word alone, and refuses a threshold that means nothing", () => {
    expect(findLeaks([labelled("1", "?!")], [labelled("x", "?!")])).toEqual([]);
    expect(findLeaks([labelled("1", "天気は")], [labelled("x", "天気は")])).toHaveLength(1);
    expect(() => findLeaks([], [], { threshold: 0 })).toThrow(/threshold/);
    expect(() => findLeaks([], [], { threshold: Number.NaN })).toThrow(/threshold/);
  });
});
