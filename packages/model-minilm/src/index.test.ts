import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { minilmModelFolder } from "./index.ts";

const root = dirname(minilmModelFolder);
const recorded = new Map(
  readFileSync(join(root, "SHA256SUMS"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => [line.slice(66), line.slice(0, 64)]),
);

test("model, tokenizer and configurations are those whose checksums are recorded, and no other files", () => {
  const files = readdirSync(minilmModelFolder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const found = files.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    return [relative(root, file), createHash("sha256").update(readFileSync(file)).digest("hex")] as const;
  });
  expect(new Map(found)).toEqual(recorded);
});

test("the recorded model is the one that the script made of the published weights", () => {
  // From the run of scripts/make_model.py that the README tells of.
  expect(recorded.get("all-MiniLM-L6-v2/model.int8.onnx")).toBe(
    "6345de99dd53f6895283e7caae345669b016bd4fa563c04fa2fcd345df1160ef",
  );
});

test("the folder holds the model, its tokenizer and its configuration", () => {
  expect([...recorded.keys()]).toEqual(
    expect.arrayContaining(
      ["model.int8.onnx", "tokenizer.json", "config.json"].map((file) => `all-MiniLM-L6-v2/${file}`),
    ),
  );
  for (const file of ["tokenizer.json", "config.json"])
    expect(typeof JSON.parse(readFileSync(join(minilmModelFolder, file), "utf8"))).toBe("object");
});
