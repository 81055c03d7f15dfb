import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { describe, expect, it } from "vitest";
import { staticModelFolder } from "./index.ts";

const bytesOf = (file: string): Buffer => readFileSync(join(staticModelFolder, file));

interface Description {
  readonly name: string;
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly pieceCounts: readonly number[];
}
const description = JSON.parse(bytesOf("static-model.json").toString()) as Description;
const pieces = bytesOf("vocabulary.txt").toString().trimEnd().split("\n");

describe("the table that comes along", () => {
  it("lies in a folder named by an absolute path and says what it is", () => {
    expect(isAbsolute(staticModelFolder)).toBe(true);
    expect(description).toMatchObject({ name: "minilm-256", dimensions: 256 });
  });

  it("has a row of 256 bytes and a scale of 4 for each of its pieces, counted by their lengths", () => {
    const counts = description.pieceCounts.map((_, at) => pieces.filter((piece) => piece.length === at + 1).length);
    expect(counts).toEqual(description.pieceCounts);
    expect(new Set(pieces).size).toBe(29_523);
    expect(pieces).toHaveLength(29_523);
    expect(bytesOf("rows.i8.bin")).toHaveLength(29_523 * 256);
    expect(bytesOf("scales.f32.bin")).toHaveLength(29_523 * 4);
  });

  it("is the one that its fingerprint names, the beginning of the SHA-256 of vocabulary, rows and scales", () => {
    const hash = createHash("sha256");
    for (const file of ["vocabulary.txt", "rows.i8.bin", "scales.f32.bin"]) hash.update(bytesOf(file));
    expect(hash.digest("hex").slice(0, 8)).toBe(description.fingerprint);
  });
});
