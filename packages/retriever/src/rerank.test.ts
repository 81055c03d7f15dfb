import { runInNewContext } from "node:vm";
import { createCatalog, type PairScorer } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import { explainCandidate } from "./explain-candidate.ts";
import { rerank, type Reranking, type RerankOptions } from "./rerank.ts";
import { retrieve } from "./retrieve.ts";

const tools = [
  tool("refund_charge", "Refund the charge of an order."),
  tool("cancel_order", "Cancel an order."),
  tool("send_mail", "Send a mail about an order.", { properties: { toAddress: {} } }),
  tool("list_orders", "List the orders."),
];
const index = buildIndex(createCatalog(tools));
const query = "refund the order";
const first = retrieve(index, query);
const namesOf = ({ ids }: { readonly ids: Uint32Array }): string[] =>
  Array.from(ids, (ordinal) => tools[ordinal]?.name ?? "");

/** A scorer that gives `score(query, text)` for each text and keeps what it was asked. */
function scorerOf(score: (query: string, text: string) => number): PairScorer & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return {
    name: "mine",
    asked,
    score: async (about, texts) => {
      asked.push([about, ...texts]);
      return Float32Array.from(texts, (text) => score(about, text));
    },
  };
}
/** As after `postMessage` with a transfer: without its memory. */
function detached(): Float32Array {
  const scores = new Float32Array(4);
  structuredClone(scores, { transfer: [scores.buffer] });
  return scores;
}
const likes = (...words: readonly string[]): PairScorer =>
  scorerOf((_, text) => words.filter((word) => text.includes(word)).length);
const reranked = (scorer: PairScorer, options: Omit<RerankOptions, "scorer"> = {}): Promise<Reranking> =>
  rerank(index, query, first, { scorer, ...options });

describe("the order", () => {
  test("is the re-ranker's, and what it holds highest comes first, from whatever place", async () => {
    const last = namesOf(first).at(-1) ?? "";
    const found = await reranked(likes(last.replace("_", " ")));
    expect(namesOf(found)).toEqual([last, ...namesOf(first).slice(0, -1)]);
  });

  test("stays where the re-ranker has no opinion, and so does everything else", async () => {
    const { scorer, relevance, firstPlaces, ...rest } = await reranked(likes("no such word"));
    expect(rest).toEqual(first);
    expect([scorer, [...relevance], [...firstPlaces]]).toEqual(["mine", [0, 0, 0, 0], [0, 1, 2, 3]]);
  });

  test("of equal ones is the first stage's", async () => {
    const [best, second, third, fourth] = namesOf(first) as [string, string, string, string];
    const found = await reranked(likes(second.replace("_", " "), fourth.replace("_", " ")));
    expect(namesOf(found)).toEqual([second, fourth, best, third]);
  });

  test("goes with the first stage's scores, the best one first, and with all else that it found", async () => {
    const found = await reranked(scorerOf((_, text) => -text.length));
    expect(namesOf(found)).not.toEqual(namesOf(first));
    expect(found.scores).toEqual(first.scores);
    expect(found).toMatchObject({ clauses: first.clauses, requests: first.requests, evidence: first.evidence });
    expect(first).toEqual(retrieve(index, query));
  });

  test("behind the first `count` is left alone, and not asked for", async () => {
    const scorer = scorerOf((_, text) => -text.length);
    const found = await reranked(scorer, { count: 2 });
    expect(scorer.asked).toEqual([[query, expect.any(String), expect.any(String)]]);
    expect(namesOf(found).slice(2)).toEqual(namesOf(first).slice(2));
    expect(found.relevance).toHaveLength(2);
  });

  test("keeps a named tool among the candidates, even one the re-ranker likes least", async () => {
    const many = Array.from({ length: 80 }, (_, i) => tool(`order_${i}`, "Look at the order of a customer"));
    const large = buildIndex(createCatalog([...many, tool("find", "It is long. ".repeat(300))]));
    const asked = "look at the order of the customer with find";
    const candidates = retrieve(large, asked);
    expect(candidates.ids).toContain(80);
    const found = await rerank(large, asked, candidates, { scorer: scorerOf((_, text) => -text.length) });
    expect(found.ids.at(-1)).toBe(80);
    expect(found.ids).toHaveLength(50);
  });
});

describe("the re-ranker", () => {
  test("reads the tool's name as words, its description and its arguments, in the first stage's order", async () => {
    const scorer = scorerOf(() => 0);
    await reranked(scorer);
    const [asked = []] = scorer.asked;
    expect(asked[0]).toBe(query);
    expect(asked[1 + namesOf(first).indexOf("send_mail")]).toBe("send mail. Send a mail about an order. to Address");
  });

  test("is normalised from 0 to 1 over the candidates", async () => {
    // −2, 4, 1, −2 in the first stage's order: (s + 2) / 6.
    const given = [-2, 4, 1, -2];
    let place = 0;
    const found = await reranked(scorerOf(() => given[place++] ?? 0));
    expect([...found.relevance]).toEqual([1, 0.5, 0, 0]);
    expect([...found.firstPlaces]).toEqual([1, 2, 0, 3]);
  });

  test("may give the largest numbers there are, beside which others still differ", async () => {
    const given = [-3e38, 3e38, 0, 1];
    let place = 0;
    const { firstPlaces, relevance } = await reranked(scorerOf(() => given[place++] ?? 0));
    expect([...firstPlaces]).toEqual([1, 3, 2, 0]);
    expect([...relevance]).toEqual([1, 0.5, 0.5, 0]);
  });

  test("is not asked where there is no candidate", async () => {
    const scorer = scorerOf(() => 0);
    const none = await rerank(index, "zorgle", retrieve(index, "zorgle"), { scorer });
    expect([none.ids.length, scorer.asked]).toEqual([0, []]);
    expect(namesOf(await reranked(scorer, { count: 0 }))).toEqual(namesOf(first));
    expect(scorer.asked).toEqual([]);
  });

  test("may use its memory again once it is asked anew", async () => {
    const memory = new Float32Array(4);
    const thrifty: PairScorer = {
      name: "thrifty",
      score: async (about, texts) => {
        for (const [place, text] of texts.entries()) memory[place] = text.includes(about) ? 1 : 0;
        return memory;
      },
    };
    const found = await reranked(thrifty, { subQueries: ["cancel", "mail"] });
    expect(namesOf(found).slice(0, 2).sort()).toEqual(["cancel_order", "send_mail"]);
  });
});

describe("several sub-queries", () => {
  test("are asked by themselves, and the best tool of each comes first", async () => {
    // What fits "refund" gets 100 and more of it for others would not matter: each is normalised by itself.
    const scorer = scorerOf((about, text) =>
      about === "refund" ? (text.includes("refund") ? 100 : text.length / 100) : text.includes("mail") ? 0.2 : 0,
    );
    const found = await reranked(scorer, { subQueries: ["refund", "mail"] });
    expect(scorer.asked.map(([about]) => about)).toEqual(["refund", "mail"]);
    expect(namesOf(found).slice(0, 2).sort()).toEqual(["refund_charge", "send_mail"]);
    expect([...found.relevance.subarray(0, 2)]).toEqual([1, 1]);
  });

  test("of which one says nothing leave the order to the others", async () => {
    const scorer = scorerOf((about, text) => (about === "mail" && text.includes("mail") ? 1 : 0));
    expect(namesOf(await reranked(scorer, { subQueries: ["zorgle", "mail"] }))[0]).toBe("send_mail");
  });
});

describe("what does not fit is refused", () => {
  test.each([
    ["NaN", new Float32Array([0, Number.NaN, 0, 0]), "gave NaN for text 1"],
    ["an endless number", new Float32Array([0, 0, -Infinity, 0]), "gave -Infinity for text 2"],
    ["too few numbers", new Float32Array(3), "for each of 4 texts, but gave 3 numbers"],
    ["too many numbers", new Float32Array(5), "gave 5 numbers"],
    ["a list", [1, 2, 3, 4], "no Float32Array but object"],
    ["nothing", undefined, "no Float32Array but undefined"],
    [
      "what only says that it is one",
      { [Symbol.toStringTag]: "Float32Array", length: 4 },
      "no Float32Array but object",
    ],
    ["memory that was handed on", detached(), "but gave 0 numbers"],
  ])("a re-ranker that gives %s", async (_, given, message) => {
    const scorer = { name: "broken", score: () => given } as unknown as PairScorer;
    await expect(reranked(scorer)).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringContaining(`The re-ranker broken must give one finite number`),
    });
    await expect(reranked(scorer)).rejects.toThrow(message);
  });

  test.each([-1, 0.5, Number.NaN])("a count of %d", async (count) => {
    await expect(reranked(likes(), { count })).rejects.toMatchObject({ code: "invalid-argument" });
  });

  test("candidates that the index does not have", async () => {
    const small = buildIndex(createCatalog(tools.slice(0, 1)));
    await expect(rerank(small, query, first, { scorer: likes() })).rejects.toThrow("for the same index");
  });

  test.each([undefined, null, {}, { scorer: { name: "mine" } }, { scorer: { score: likes().score } }])(
    "%j, in which no scorer is",
    async (options) => {
      await expect(rerank(index, query, first, options as never)).rejects.toMatchObject({
        code: "invalid-argument",
        message: expect.stringContaining("a scorer with a name and a score function"),
      });
    },
  );

  test.each([[5], [undefined], [["refund"]]])("%j as a query", async (wrong) => {
    await expect(rerank(index, wrong as never, first, { scorer: likes() })).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringContaining("query must be a text"),
    });
  });

  test.each([["refund it"], [[5]], [{}], [null]])("%j as sub-queries, and no scorer is asked", async (subQueries) => {
    const scorer = scorerOf(() => 0);
    await expect(reranked(scorer, { subQueries } as never)).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringContaining("subQueries must be a list of texts"),
    });
    expect(scorer.asked).toEqual([]);
  });
});

test("numbers of another realm are taken", async () => {
  const foreign = runInNewContext("Float32Array.of(0, 0, 0, 1)") as Float32Array;
  const found = await reranked({ name: "foreign", score: async () => foreign });
  expect([...found.firstPlaces]).toEqual([3, 0, 1, 2]);
});

test("an error of the re-ranker is passed on", async () => {
  const failure = new Error("out of order");
  const failing: PairScorer = { name: "failing", score: () => Promise.reject(failure) };
  await expect(reranked(failing)).rejects.toBe(failure);
});

test("a signal is handed to the re-ranker and stops one that does not listen", async () => {
  const stop = new AbortController();
  const signals: unknown[] = [];
  const deaf: PairScorer = {
    name: "deaf",
    score: (_, __, options) => {
      signals.push(options?.signal);
      return new Promise(() => undefined);
    },
  };
  const stopped = expect(reranked(deaf, { signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
  stop.abort();
  await stopped;
  await expect(reranked(deaf, { signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
  expect(signals).toEqual([stop.signal]);
});

describe("what is explained", () => {
  test("says first what the re-ranker made of a tool, and adds up to its new score", async () => {
    const reranking = await reranked(scorerOf((_, text) => -text.length));
    for (const [place, ordinal] of reranking.ids.entries()) {
      const { value, children } = explainCandidate(index, query, ordinal, { reranking });
      expect(value).toBe(reranking.scores[place]);
      expect(children.reduce((sum, child) => sum + child.value, 0)).toBeCloseTo(value, 5);
      expect(children[0]?.sentence).toMatch(/^re-ranked, it (stays at|comes from) place .* of 1 by mine\)$/);
    }
  });

  test("names both places, from 1", async () => {
    const reranking = await reranked(likes("list orders"));
    const before = namesOf(first).indexOf("list_orders") + 1;
    expect(explainCandidate(index, query, 3, { reranking }).children[0]?.sentence).toBe(
      `re-ranked, it comes from place ${before} to 1 (1.00 of 1 by mine)`,
    );
  });

  test("says of a re-ranker that scores all alike that it had no opinion", async () => {
    const reranking = await reranked(likes("no such word"));
    const best = reranking.ids[0] ?? -1;
    expect(explainCandidate(index, query, best, { reranking }).children[0]?.sentence).toBe(
      "re-ranked, it stays at place 1 (mine had no opinion)",
    );
  });

  test("is as ever for a tool that was not put to it", async () => {
    const reranking = await reranked(likes("order"), { count: 1 });
    const ordinal = reranking.ids[1] ?? 0;
    expect(explainCandidate(index, query, ordinal, { reranking })).toEqual(explainCandidate(index, query, ordinal));
  });
});
