import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
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
