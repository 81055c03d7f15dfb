import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withoutNearCopies } from "../scripts/near-copies.ts";
import { readToolTexts, withoutEvenlySpaced } from "../scripts/tool-texts.ts";
import { definitionOf } from "../scripts/word-net.ts";

test("a definition is what stands before the examples", () => {
  expect(definitionOf('00001740 03 n 01 entity 0 000 | a thing; seen; "an example"; "another"  ')).toBe(
    "a thing; seen",
  );
  expect(definitionOf("  1 This software and database | is provided")).toBeUndefined();
});

test("what constants are chosen on elsewhere is not fitted on, nor its repetitions", () => {
  // Every second one from the first: a, c and a again.
  expect(withoutEvenlySpaced(["a", "b", "c", "d", "a", "e"], 3)).toEqual(["b", "d", "e"]);
  expect(withoutEvenlySpaced(["a", "b"], 3)).toEqual([]);
});

test("a text that shares seven of ten words with one that is held out is left out, whatever their order and marks", () => {
  const held = ["What are the top headlines, today?"];
  // Six words of held out; with "news" six of seven are shared; the third shares three of nine.
  const texts = [
    "What are the top news headlines today",
    "Today the top headlines are WHAT",
    "What are my tasks for today?",
  ];
  expect(withoutNearCopies(texts, held)).toEqual([texts[2]]);
  // Seven of ten is out, six of ten is not; a text without words is like none.
  expect(withoutNearCopies(["a b c d e f g", "a b c d e f", ""], ["a b c d e f g h i j", ""])).toEqual([
    "a b c d e f",
    "",
  ]);
  expect(withoutNearCopies(texts, [])).toEqual(texts);
});

test("requests of a data set are read without near-copies of those of its other splits", async () => {
  const folder = await mkdtemp(join(tmpdir(), "texts-"));
  try {
    await mkdir(join(folder, "metatool"));
    const lines = (...queries: readonly string[]) => queries.map((query) => `${JSON.stringify({ query })}\n`).join("");
    // Of 1,001 the thousand that are kept for choosing are all but the last.
    const others = Array.from({ length: 1_000 }, (_, i) => `kept ${i} ${i * i} x${i}`);
    for (const [last, fitted] of [
      ["show my mail please", []],
      ["play some quiet music", ["play some quiet music"]],
    ] as const) {
      await writeFile(join(folder, "metatool", "queries.train.jsonl"), lines(...others, last));
      await writeFile(join(folder, "metatool", "queries.test.jsonl"), lines("Please show my new mail."));
      const leaveOut = new Set(["seal-tools", "ultratool", "bfcl", "livemcpbench", "toollinkos", "taskbench"]);
      expect((await readToolTexts(folder, leaveOut)).requests.get("metatool")).toEqual(fitted);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a tool gives its texts and the pairs of its parts; a catalog that is left out gives nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "texts-"));
  try {
    const properties = { cityName: { description: "The city to look at." }, unit: {} };
    const tool = { name: "getWeather", description: "Forecast.", parameters: { properties } };
    await mkdir(join(folder, "bfcl"));
    await writeFile(join(folder, "bfcl", "tools.jsonl"), `${JSON.stringify(tool)}\n`);
    const others = ["seal-tools", "ultratool", "livemcpbench", "toollinkos", "taskbench", "metatool"];
    expect(await readToolTexts(folder, new Set(others))).toEqual({
      descriptions: ["get Weather. Forecast. city Name unit", "Forecast."],
      requests: new Map(),
      pairs: [
        ["get Weather city Name unit", "Forecast."],
        ["get Weather", "Forecast."],
        // "The city to look at." has 20 characters: too little to stand for the tool, enough for the argument.
        ["city Name", "The city to look at."],
      ],
    });
    expect((await readToolTexts(folder, new Set([...others, "bfcl"]))).pairs).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
