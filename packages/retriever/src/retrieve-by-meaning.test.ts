import { runInNewContext } from "node:vm";
import { createCatalog, type Encoder } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import { encodeQuery } from "./encode-query.ts";
import { explainCandidate } from "./explain-candidate.ts";
import type { LexicalOptions } from "./lexical-options.ts";
import { type Retrieval, retrieve, type RetrieveOptions } from "./retrieve.ts";
import { deserializeIndex, serializeIndex } from "./serialize-index.ts";
import { embedTools } from "./tool-embeddings.ts";
import type { ToolIndex } from "./tool-index.ts";

/** Three subjects, each a dimension: money, weather, mail. */
const subjects = [/refund|money|pay/i, /weather|forecast|rain/i, /mail|letter|send/i];
const encoder: Encoder = {
  name: "subjects",
  dimensions: 3,
  encode: async (texts) =>
    Float32Array.from(
      texts.flatMap((text) => {
        const row = subjects.map((subject): number => (subject.test(text) ? 1 : 0));
        const length = Math.hypot(...row) || 1;
        return row.map((value) => value / length);
      }),
    ),
};

const tools = [
  tool("refund_charge", "Refund a charge."),
  tool("forecast_city", "Forecast for a city."),
  tool("send_letter", "Post a letter."),
  tool("put_card", "Put a card on a board."),
];
const words = buildIndex(createCatalog(tools));
const index = await embedTools(words, encoder);

async function find(query: string, options: RetrieveOptions = {}, over: ToolIndex = index): Promise<Retrieval> {
  const { clauses } = options;
  const vectors = await encodeQuery(over, encoder, query, clauses === undefined ? {} : { clauses });
  return retrieve(over, query, { ...options, vectors });
}
const names = ({ ids }: Retrieval): string[] => [...ids].map((ordinal) => tools[ordinal]?.name ?? "");

describe("with the vectors of a query", () => {
  test("a tool is found that has no word of it", async () => {
    expect(names(retrieve(index, "give the money back"))).toEqual([]);
    const found = await find("give the money back");
    expect(names(found)[0]).toBe("refund_charge");
    // The query is money and nothing else, the tool as well.
    expect(found.bestCosine).toBeCloseTo(1, 6);
    expect(retrieve(index, "give the money back").bestCosine).toBeUndefined();
  });

  test("the score is the cosine and the words: 0.5 for the best tool by words, 0.2 for its whole name", async () => {
    // "card" is all that put_card has of the query, half of its name by number of words, and it means no subject.
    const { ids, scores } = await find("card money");
    expect([...ids].map((ordinal) => tools[ordinal]?.name)).toEqual(["refund_charge", "put_card"]);
    expect(scores[0]).toBeCloseTo(1, 6);
    const named = await find("put card");
    expect(named.scores[0]).toBeCloseTo(0.7, 6);
  });

  test("one ordinary word in a name does not stand before what is near in meaning", async () => {
    // 36 of 40 tools are called "put", which is all that they have of the query; the query means three subjects, so three tools are near:
    // cosine 1/√3 = 0.577. By the words as they are the others have 0.5, and 0.2 for the name.
    const many = [
      ...tools.slice(0, 3),
      tool("count_stars", "Astronomy."),
      ...Array.from({ length: 36 }, (_, i) => tool("put", "Board.", { server: `s${i}` })),
    ];
    const options: LexicalOptions = {
      fieldWeights: { name: 1, description: 0, parameters: 0, returns: 0, server: 0 },
      saturation: 0,
      synonymWeight: 0,
    };
    const best = async (more: LexicalOptions): Promise<{ name: string | undefined; found: Retrieval }> => {
      const over = await embedTools(buildIndex(createCatalog(many), { ...options, ...more }), encoder);
      const found = await find("put rain money mail", {}, over);
      return { name: many[found.ids[0] ?? -1]?.name, found };
    };
    const always = await best({ fullEvidence: 0 });
    expect(always.name).toBe("put");
    expect(always.found.scores[0]).toBeCloseTo(0.7, 6);
    const { name, found } = await best({});
    expect(name).toBe("refund_charge");
    // idf(put) = ln(1 + 4.5 / 36.5), that of a word that one of the 40 tools has is ln(1 + 39.5 / 1.5).
    const evidence = Math.log(1 + 4.5 / 36.5) / Math.log(1 + 39.5 / 1.5);
    expect(found.wordEvidence).toBeCloseTo(evidence, 6);
    expect(found.scores[3]).toBeCloseTo((evidence / 2.25) ** 2 * 0.7, 6);
  });

  test("words are believed where they are the whole name of a tool, unless it is one word", () => {
    const named = [tool("put_back", "Board."), tool("put", "Board."), ...tools.slice(0, 3)];
    const over = buildIndex(createCatalog(named));
    const evidenceOf = (query: string, allow?: Uint32Array): number =>
      retrieve(over, query, allow === undefined ? {} : { allow }).wordEvidence;
    expect(evidenceOf("now putBack the money")).toBe(Infinity);
    expect(evidenceOf("now putBack the money", Uint32Array.of(1, 2))).toBeLessThan(2.25);
    expect(evidenceOf("now put the money there")).toBeLessThan(2.25);
    expect(evidenceOf("xyzzy")).toBe(0);
  });

  test("every clause counts by itself", async () => {
    const found = await find("Tell me if it will rain in Oslo and then give the money back to Ada");
    expect(found.clauses).toHaveLength(2);
    expect(new Set(names(found).slice(0, 2))).toEqual(new Set(["forecast_city", "refund_charge"]));
  });

  test("a tool that one clause chooses comes before one that is somewhat like every clause", async () => {
    // half_all is money, weather and mail at once: cosine 0.58 with each, its sum is the largest; the others are one of them.
    const mixed = [...tools.slice(0, 3), tool("half_all", "Refund in the weather by mail.")];
    const query = "give the money back to Ada and then tell me if it will rain in Oslo";
    const found = async (options: LexicalOptions): Promise<string[]> => {
      const over = await embedTools(buildIndex(createCatalog(mixed), { ...options, clauseShare: 0 }), encoder);
      return [...(await find(query, {}, over)).ids].map((ordinal) => mixed[ordinal]?.name ?? "");
    };
    expect((await found({ clauseVote: 0 }))[0]).toBe("half_all");
    expect(new Set((await found({})).slice(0, 2))).toEqual(new Set(["refund_charge", "forecast_city"]));
  });

  test("only allowed tools are candidates", async () => {
    const found = await find("give the money back and look at the rain", { allow: Uint32Array.of(1, 2) });
    expect(names(found)).toEqual(["forecast_city"]);
  });

  test("what is explained adds up to the score, word by word and by meaning", async () => {
    for (const query of [
      "refund the money",
      "Send a letter to Ada and then put the card on the board. Will it rain today?",
    ]) {
      const vectors = await encodeQuery(index, encoder, query);
      const { ids, scores } = retrieve(index, query, { vectors });
      expect(ids.length).toBeGreaterThan(0);
      for (const [place, ordinal] of ids.entries()) {
        const { value, children } = explainCandidate(index, query, ordinal, { vectors });
        expect(value).toBe(scores[place]);
        expect(children.reduce((sum, child) => sum + child.value, 0)).toBeCloseTo(value, 5);
      }
    }
    const vectors = await encodeQuery(index, encoder, "give the money back");
    const { sentence, children } = explainCandidate(index, "give the money back", 0, { vectors });
    expect(sentence).toBe("refund_charge is near the query in meaning.");
    expect(children.map((child) => child.sentence)).toEqual(["its meaning is near (cosine 1.00)"]);
  });

  test("looking only at the best by words and by meaning changes no candidate", async () => {
    // 600 tools, more than are looked at; what is looked at holds the best of both, so the first ones are those of the formula.
    const many = Array.from({ length: 600 }, (_, i) =>
      tool(`tool_${i}`, i % 3 === 0 ? "Refund it" : `Board ${i % 50}`),
    );
    const large = await embedTools(buildIndex(createCatalog(many)), encoder);
    const { ids } = await find("money board 7", { k: 5 }, large);
    const all = await find("money board 7", { k: 600 }, large);
    expect([...ids]).toEqual([...all.ids.subarray(0, 5)]);
    expect(many[ids[0] ?? 0]?.description).toBe("Refund it");
  });
});

describe("what does not fit is refused", () => {
  test("an encoder that is not the one of the tools, and tools that are not encoded", async () => {
    const other = { ...encoder, name: "other" };
    await expect(encodeQuery(index, other, "money")).rejects.toThrow("encoded by subjects");
    await expect(encodeQuery(words, encoder, "money")).rejects.toThrow("not encoded at all");
    expect(() => retrieve(words, "money", { vectors: new Float32Array(3) })).toThrow("embedTools");
  });

  test("vectors of another query", async () => {
    const vectors = await encodeQuery(index, encoder, "money");
    expect(() => retrieve(index, "Send a letter to Ada and give the money back to Bo", { vectors })).toThrow(
      "vectors must be the 3 rows of 3 numbers",
    );
  });

  test("an encoder that gives half the rows, or NaN", async () => {
    const half: Encoder = { ...encoder, encode: async () => new Float32Array(3) };
    await expect(embedTools(words, half)).rejects.toThrow("4 rows of 3 numbers, 12 in all, but gave 3 numbers");
    const nan: Encoder = { ...encoder, encode: async (texts) => new Float32Array(3 * texts.length).fill(Number.NaN) };
    await expect(embedTools(words, nan)).rejects.toThrow("gave NaN for text 0");
  });
});

describe("an encoder that breaks its promise is refused", () => {
  test("with rows that are not of length 1, unless they are all zeros", async () => {
    const giving = (...row: number[]): Encoder => ({
      ...encoder,
      encode: async (texts) => Float32Array.from(texts.flatMap(() => row)),
    });
    for (const row of [
      [1, 1, 0],
      [0.998, 0, 0],
      [1e-20, 0, 0],
      [3e38, 3e38, 0],
    ]) {
      await expect(embedTools(words, giving(...row))).rejects.toMatchObject({ code: "invalid-argument" });
    }
    // √(1 + 1) = 1.414…
    await expect(embedTools(words, giving(1, 1, 0))).rejects.toThrow("a row of length 1.414 for text 0");
    for (const row of [
      [0, 0, 0],
      [0.9995, 0, 0],
      [0, 1.0005, 0],
    ]) {
      await expect(embedTools(words, giving(...row))).resolves.toBeDefined();
    }
  });

  test.each([0, -1, 0.5, 65_537, 2 ** 31, Number.NaN])("with %d dimensions", async (dimensions) => {
    await expect(embedTools(words, { ...encoder, dimensions })).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringContaining("1 to 65536"),
    });
  });

  test("of whose name the message shows only the beginning", async () => {
    const name = "n".repeat(5_000_000);
    const long: Encoder = { ...encoder, name, encode: async () => new Float32Array(1) };
    for (const failing of [embedTools(words, long), encodeQuery(index, long, "money")]) {
      const error: unknown = await failing.catch((thrown: unknown) => thrown);
      expect(String(error).length).toBeLessThan(1000);
      expect(String(error)).toContain("nnnn");
    }
  });
});

test("encoding tools tells how far it is and stops when it is told to", async () => {
  const told: number[][] = [];
  await embedTools(words, encoder, { onProgress: (done, total) => void told.push([done, total]) });
  expect(told).toEqual([[4, 4]]);
  const signals: unknown[] = [];
  const watching: Encoder = {
    ...encoder,
    encode: (texts, options) => {
      signals.push(options?.signal);
      return encoder.encode(texts);
    },
  };
  const { signal } = new AbortController();
  await embedTools(words, watching, { signal });
  expect(signals).toEqual([signal]);
});

describe("a signal stops an encoder that does not listen to it", () => {
  const deaf: Encoder = { ...encoder, encode: () => new Promise<Float32Array>(() => undefined) };

  test("while it encodes tools or a query", async () => {
    for (const start of [
      (signal: AbortSignal) => embedTools(words, deaf, { signal }),
      (signal: AbortSignal) => encodeQuery(index, deaf, "money", { signal }),
    ]) {
      const stop = new AbortController();
      const stopped = expect(start(stop.signal)).rejects.toMatchObject({ code: "aborted" });
      stop.abort();
      await stopped;
    }
  });

  test("between two batches, and before the first where it has fired already", async () => {
    const asked: number[] = [];
    const counting: Encoder = { ...encoder, encode: (texts) => (asked.push(texts.length), encoder.encode(texts)) };
    const many = buildIndex(createCatalog(Array.from({ length: 600 }, (_, i) => tool(`tool_${i}`, "Refund it"))));
    const stop = new AbortController();
    const onProgress = (): void => stop.abort();
    await expect(embedTools(many, counting, { signal: stop.signal, onProgress })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(asked).toEqual([512]);
    const { signal } = stop;
    await expect(embedTools(words, counting, { signal })).rejects.toMatchObject({ code: "aborted" });
    await expect(encodeQuery(index, counting, "money", { signal })).rejects.toMatchObject({ code: "aborted" });
    expect(asked).toEqual([512]);
  });
});

test("a changed catalog encodes only what changed", async () => {
  const asked: string[] = [];
  const counting: Encoder = {
    ...encoder,
    encode: (texts) => {
      asked.push(...texts);
      return encoder.encode(texts);
    },
  };
  const changed = [tool("pay_bill", "Pay a bill."), ...tools.slice(0, 3), tool("put_card", "Put it on a shelf.")];
  const updated = await embedTools(buildIndex(createCatalog(changed)), counting, { known: index });
  expect(asked).toEqual(["pay bill. Pay a bill.", "put card. Put it on a shelf."]);
  const fresh = await embedTools(buildIndex(createCatalog(changed)), encoder);
  expect(updated.embeddings).toEqual(fresh.embeddings);
  const other = await embedTools(words, { ...counting, name: "other" }, { known: index });
  expect(other.embeddings?.encoder).toBe("other");
  expect(asked).toHaveLength(2 + tools.length);
});

test("an encoder may answer without a promise", async () => {
  const rows = await encoder.encode(["money"]);
  const direct = { ...encoder, encode: () => rows } as unknown as Encoder;
  expect([...(await encodeQuery(index, direct, "money"))]).toEqual([1, 0, 0]);
});

test("an encoder may answer from another realm", async () => {
  const foreign = runInNewContext("Float32Array.of(0, 1, 0)") as Float32Array;
  expect([...(await encodeQuery(index, { ...encoder, encode: async () => foreign }, "money"))]).toEqual([0, 1, 0]);
});

test("an encoder may use its memory again once it is asked anew", async () => {
  const memory = new Float32Array(3 * tools.length);
  const thrifty: Encoder = {
    ...encoder,
    encode: async (texts) => {
      const rows = await encoder.encode(texts);
      memory.set(rows);
      return memory.subarray(0, rows.length);
    },
  };
  const money = await encodeQuery(index, thrifty, "money");
  await encodeQuery(index, thrifty, "rain");
  expect([...money]).toEqual([1, 0, 0]);
});

describe("a saved index", () => {
  test("answers as before", async () => {
    const restored = deserializeIndex(serializeIndex(index));
    expect(restored.embeddings).toEqual(index.embeddings);
    expect(await find("give the money back", {}, restored)).toEqual(await find("give the money back"));
  });

  test("whose vectors are cut off, or no numbers, is refused", () => {
    const broken = { ...index, embeddings: { encoder: "subjects", dimensions: 3, vectors: new Float32Array(3) } };
    expect(() => deserializeIndex(serializeIndex(broken))).toThrow("columns are cut short");
    const nan = { ...broken, embeddings: { ...broken.embeddings, vectors: new Float32Array(12).fill(Number.NaN) } };
    expect(() => deserializeIndex(serializeIndex(nan))).toThrow("vectors are no numbers");
    const long = { ...broken, embeddings: { ...broken.embeddings, vectors: new Float32Array(12).fill(1e30) } };
    expect(() => deserializeIndex(serializeIndex(long))).toThrow("vectors are not of length 1");
    const huge = { ...broken, embeddings: { ...broken.embeddings, dimensions: 2 ** 31 } };
    expect(() => deserializeIndex(serializeIndex(huge))).toThrow("no name or dimensions");
  });
});
