import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalog } from "@setwise/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import { loadIndex, saveIndex } from "./index-file.ts";
import { retrieve } from "./retrieve.ts";
import { serializeIndex } from "./serialize-index.ts";

/** Named pipes are made by a command that not every system has. */
const hasPipes = spawnSync("mkfifo").error === undefined;
const index = buildIndex(createCatalog([tool("send_mail"), tool("get_weather")]));
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a saved index is opened instead of its sources", async () => {
  const file = join(folder, "tools.setwise");
  await saveIndex(index, file);
  expect([...retrieve(await loadIndex(file), "weather").ids]).toEqual([1]);
  expect(await readdir(folder)).toEqual(["tools.setwise"]);
});

test("saving again replaces the file as a whole, several saves at once too", async () => {
  const file = join(folder, "tools.setwise");
  const other = buildIndex(createCatalog([tool("other")]));
  await Promise.all([saveIndex(index, file), saveIndex(other, file), saveIndex(index, file)]);
  await saveIndex(other, file);
  expect(Buffer.compare(await readFile(file), serializeIndex(other))).toBe(0);
  expect(await readdir(folder)).toEqual(["tools.setwise"]);
});

test("what cannot be written is said, and nothing is lost or left behind", async () => {
  await expect(saveIndex(index, join(folder, "missing", "a"))).rejects.toMatchObject({
    code: "unwritable-target",
    source: join(folder, "missing", "a"),
    message: expect.stringContaining("ENOENT"),
  });
  // The target is a folder that holds something: the index is written aside, but the rename must fail.
  const taken = join(folder, "taken");
  await saveIndex(index, `${taken}.old`);
  await mkdir(join(taken, "inside"), { recursive: true });
  await expect(saveIndex(index, taken)).rejects.toMatchObject({ code: "unwritable-target" });
  expect((await readdir(folder)).sort()).toEqual(["taken", "taken.old"]);
  expect(await readdir(taken)).toEqual(["inside"]);
});

test.skipIf(!hasPipes)("a pipe or a device stays what it is", async () => {
  const pipe = join(folder, "pipe");
  spawnSync("mkfifo", [pipe]);
  await expect(saveIndex(index, pipe)).rejects.toMatchObject({
    code: "unwritable-target",
    message: expect.stringContaining("it is a device, a pipe or a socket"),
  });
  expect((await stat(pipe)).isFIFO()).toBe(true);
  expect(await readdir(folder)).toEqual(["pipe"]);
});

test("a file that is missing, cut short or something else is named", async () => {
  const missing = join(folder, "missing");
  await expect(loadIndex(missing)).rejects.toMatchObject({ code: "unreadable-source", source: missing });
  const cut = join(folder, "cut");
  await writeFile(cut, serializeIndex(index).slice(0, 100));
  await expect(loadIndex(cut)).rejects.toMatchObject({
    code: "corrupt-file",
    source: cut,
    message: expect.stringMatching(/cut: .*Build the index again/),
  });
});
