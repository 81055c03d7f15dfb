import { minilmModelFolder } from "@setwise/model-minilm";
import { expect, test } from "vitest";
import { encodeLoneTokens } from "../scripts/lone-tokens.ts";
import { readTokens } from "../scripts/tokens.ts";

test("texts are cut into pieces that have a row; marks and what nobody knows have none", async () => {
  const { pieces, ids, marks, tokenize } = await readTokens(minilmModelFolder);
  // 30,522 less 994 [unused…] and five marks.
  expect(pieces.length).toBe(29_523);
  expect(marks).toEqual({ first: 101, last: 102 });
  const { starts, ids: rows } = tokenize(["Refunds [SEP] embeddings", "", "\u{1F9FE}"]);
  expect([...starts]).toEqual([0, 6, 6, 6]);
  expect(Array.from(rows, (row) => pieces[row])).toEqual(["ref", "##unds", "em", "##bed", "##ding", "##s"]);
  expect(ids[pieces.indexOf("ref")]).toBe(25_416);
});

test("a piece alone is encoded by its id, as a vector of length 1", async () => {
  const { pieces, ids, marks } = await readTokens(minilmModelFolder);
  const wanted = ["##ing", "ing"].map((piece) => ids[pieces.indexOf(piece)] ?? -1);
  const lines: string[] = [];
  const rows = await encodeLoneTokens(minilmModelFolder, wanted, {
    ...marks,
    onProgress: (line) => void lines.push(line),
  });
  expect(rows.length).toBe(2 * 384);
  expect(Math.hypot(...rows.subarray(0, 384))).toBeCloseTo(1, 5);
  expect(rows.subarray(0, 384)).not.toEqual(rows.subarray(384));
  expect(lines).toEqual(["teacher: 2 of 2 tokens alone"]);
});
