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
