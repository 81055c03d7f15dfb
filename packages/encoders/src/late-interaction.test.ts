import { minilmModelFolder } from "@setwise/model-minilm";
import { describePairScorer } from "@setwise/testkit";
import { afterAll, expect, test } from "vitest";
import { createLateInteraction } from "./late-interaction.ts";
import { createOnnxEncoder, type OnnxEncoder } from "./onnx-encoder.ts";

const minilm = createOnnxEncoder(minilmModelFolder);
afterAll(async () => {
  await (await minilm).dispose();
});

describePairScorer("late interaction over MiniLM", async () => createLateInteraction(await minilm));

/** An encoder of two dimensions with a token a word, which counts the texts it was asked for. */
function wordEncoder(): OnnxEncoder & { readonly asked: string[] } {
  const vectors: Readonly<Record<string, readonly number[]>> = { east: [1, 0], north: [0, 1], northeast: [0.6, 0.8] };
  const asked: string[] = [];
  const rowsOf = (text: string) => Float32Array.from(text.split(" ").flatMap((word) => vectors[word] ?? []));
  return {
    name: "words",
    dimensions: 2,
    asked,
    encode: () => Promise.reject(new Error("not asked for")),
    encodeTokens: async (texts) => {
      asked.push(...texts);
      return texts.map(rowsOf);
    },
    dispose: () => Promise.resolve(),
  };
}

test("the score is the mean over query tokens of the best cosine", async () => {
  const scores = await createLateInteraction(wordEncoder()).score("east north", [
    "east",
    "northeast",
    "north east",
    "",
  ]);
  // east: (1 + 0) / 2; northeast: (0.6 + 0.8) / 2; both: (1 + 1) / 2; nothing: 0. Eight bits allow 1/254 a number.
  for (const [index, expected] of [0.5, 0.7, 1, 0].entries())
    expect(Math.abs((scores[index] ?? 9) - expected)).toBeLessThan(0.004);
});

test("a query without known tokens scores 0", async () => {
  expect([...(await createLateInteraction(wordEncoder()).score("west", ["east"]))]).toEqual([0]);
});

test("a text is encoded once, however often and in whatever list it comes", async () => {
  const encoder = wordEncoder();
  const scorer = createLateInteraction(encoder);
  const first = await scorer.score("east", ["east", "north", "east"]);
  const second = await scorer.score("east", ["north", "east", "northeast"]);
  expect(encoder.asked).toEqual(["east", "east", "north", "east", "northeast"]);
  expect(second[1]).toBe(first[0]);
});

test("what exceeds the bytes allowed is forgotten, the oldest first, and changes no score", async () => {
  const encoder = wordEncoder();
  // A word of one token takes 2 bytes a letter, 2 of its row and 4 of its scale: "east" 14, "north" 16.
  const scorer = createLateInteraction(encoder, { maxBytes: 30 });
  const texts = ["east", "north", "northeast"];
  const first = await scorer.score("east", texts);
  expect(await scorer.score("east", texts)).toEqual(first);
  // northeast takes 24 of the 30 bytes and drove both others out.
  expect(encoder.asked).toEqual(["east", ...texts, "east", "east", "north"]);
  const none = createLateInteraction(encoder, { maxBytes: 0 });
  expect(await none.score("east", texts)).toEqual(first);
});

test("queries of more tokens than are compared at a time have the same mean", async () => {
  // Six times east against north and northeast gives 0.6 each time, three times north gives 1: (6 · 0.6 + 3) / 9.
  const query = "east east east east east east north north north";
  const [score = 9] = await createLateInteraction(wordEncoder()).score(query, ["north northeast"]);
  expect(Math.abs(score - 6.6 / 9)).toBeLessThan(0.004);
});
