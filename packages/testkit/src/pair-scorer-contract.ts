import { type PairScorer, SetwiseError } from "@setwise/core";
import { describe, expect, test } from "vitest";

const query = "put money back on the customer's card";
const texts = ["Weather forecast for a city", "Refund a payment to the card of a customer", "List files of a folder"];

/** What every {@link PairScorer} keeps; call it in a test file with a function that gives the scorer. */
export function describePairScorer(
  name: string,
  create: () => PairScorer | Promise<PairScorer>,
  { tolerance = 0 }: { readonly tolerance?: number } = {},
): void {
  const score = async (list: readonly string[]) => [...(await (await create()).score(query, list))];

  describe(`the pair scorer contract, kept by ${name}`, () => {
    test("it has a name without spaces that stays", async () => {
      const [first, second] = [await create(), await create()];
      expect(first.name).toMatch(/^\S+$/);
      expect(second.name).toBe(first.name);
    });

    test("no text gives no score", async () => {
      expect(await score([])).toEqual([]);
    });

    test("each text has one finite score, in order, and the fitting one the highest", async () => {
      const scores = await score(texts);
      expect(scores.length).toBe(texts.length);
      expect(scores.every(Number.isFinite)).toBe(true);
      expect(scores.indexOf(Math.max(...scores))).toBe(1);
    });

    test("the score of a text does not depend on the texts beside it", async () => {
      const together = await score([...texts, "a much longer text with many more words in it ".repeat(12)]);
      for (const [index, text] of texts.entries()) {
        const [alone] = await score([text]);
        expect(Math.abs((alone ?? Number.NaN) - (together[index] ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
      }
    });

    test("empty texts, only signs, and a megabyte of text have finite scores", async () => {
      const scores = await score(["", "👍👩‍👩‍👧", "word ".repeat(200_000), "\uD800\u0000"]);
      expect(scores.every(Number.isFinite)).toBe(true);
      const scorer = await create();
      for (const strange of ["", "👍", "word ".repeat(200_000)])
        expect([...(await scorer.score(strange, texts))].every(Number.isFinite)).toBe(true);
    });

    test("calls at the same time do not disturb each other, and each answer stays", async () => {
      const scorer = await create();
      const queries = [query, "will it rain in Oslo", "which files are there"];
      const all = await Promise.all(queries.map((asked) => scorer.score(asked, texts)));
      const kept = all.map((scores) => [...scores]);
      for (const [index, asked] of queries.entries()) {
        const alone = await scorer.score(asked, texts);
        for (const [place, score] of alone.entries())
          expect(Math.abs(score - (kept[index]?.[place] ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
      }
      expect(all.map((scores) => [...scores])).toEqual(kept);
    });

    test("a signal that fired already stops it with the code aborted", async () => {
      const scorer = await create();
      expect(await codeOf(scorer.score(query, texts, { signal: AbortSignal.abort() }))).toBe("aborted");
    });

    test("what is not a query with a list of texts is refused", async () => {
      const scorer = await create();
      expect(await codeOf(scorer.score(3 as unknown as string, texts))).toBe("invalid-argument");
      expect(await codeOf(scorer.score(query, "text" as unknown as string[]))).toBe("invalid-argument");
      expect(await codeOf(scorer.score(query, [null as unknown as string]))).toBe("invalid-argument");
    });
  });
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return SetwiseError.isInstance(error) ? error.code : error;
  }
}
