import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readQueries, readToolsOf } from "./data-sets.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-data-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a folder without the data sets is refused with what it should hold", async () => {
  const refusal = (file: string) => ({
    code: "unreadable-source",
    message: expect.stringMatching(new RegExp(`${file}.* --data DIR: one folder for each data set`)),
  });
  await expect(readToolsOf(folder, "bfcl")).rejects.toMatchObject(refusal("bfcl.tools.jsonl"));
  await expect(readQueries(folder, { dataSet: "bfcl", split: "test" })).rejects.toMatchObject(
    refusal("bfcl.queries.test.jsonl"),
  );
});

test("a data set in the form that is asked for is read", async () => {
  await mkdir(join(folder, "shop"));
  await writeFile(
    join(folder, "shop", "tools.jsonl"),
    '{"id":"refund","name":"refund","description":"d","parameters":{}}\n',
  );
  await writeFile(join(folder, "shop", "queries.test.jsonl"), '{"id":"1","query":"money back","tools":["refund"]}\n');
  expect((await readToolsOf(folder, "shop")).tools.map(({ id }) => id)).toEqual(["refund"]);
  expect(await readQueries(folder, { dataSet: "shop", split: "test" })).toMatchObject([{ tools: ["refund"] }]);
});
