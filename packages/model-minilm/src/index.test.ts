import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { minilmModelFolder } from "./index.ts";

test("the folder holds the model, its tokenizer and its configuration", () => {
  expect(statSync(join(minilmModelFolder, "model.int8.onnx")).size).toBe(22_812_144);
  for (const file of ["tokenizer.json", "config.json"])
    expect(typeof JSON.parse(readFileSync(join(minilmModelFolder, file), "utf8"))).toBe("object");
});
