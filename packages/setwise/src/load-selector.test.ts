import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Encoder } from "@setwise/core";
import { readTools } from "@setwise/sources";
import { shopTools, toolListPath } from "@setwise/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { INDEX_FILE_NAME } from "./index-file.ts";
import { loadSelector } from "./load-selector.ts";
import { loadTools } from "./load-tools.ts";
import { createSelector } from "./create-selector.ts";

/** Named pipes are made by a command that not every system has. */
const hasPipes = spawnSync("mkfifo").error === undefined;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-index-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const originals = shopTools.map((tool) => tool.original);

/** An encoder of one's own, by the letters of a text, which keeps the tools' texts that it was given. */
function lettersEncoder(name = "letters"): Encoder & { readonly texts: string[] } {
  const texts: string[] = [];
  const encode: Encoder["encode"] = async (given, { as = "document" } = {}) => {
    if (as === "document") texts.push(...given);
    const rows = new Float32Array(given.length * 26);
    for (const [row, text] of given.entries()) {
      const counts = Array.from({ length: 26 }, (_, letter) => text.split(String.fromCharCode(97 + letter)).length - 1);
      const length = Math.hypot(...counts);
      rows.set(length === 0 ? counts : counts.map((count) => count / length), row * 26);
    }
    return rows;
  };
  return { name, dimensions: 26, encode, texts };
}

describe("save and loadSelector", () => {
  it("give the same answers after a round trip", async () => {
    const selector = await createSelector({ tools: originals });
    await selector.save(join(folder, "new", "index"));
    const loaded = await loadSelector(join(folder, "new", "index"));
    const query = "find the customer by mail and refund the order";
    const [before, after] = [await selector.select(query, { k: 4 }), await loaded.select(query, { k: 4 })];
    expect(after.chosen).toEqual(before.chosen);
    expect(after.candidates).toEqual(before.candidates);
    expect(loaded.catalog.revision).toBe(selector.catalog.revision);
  });

  it("give the caller's own objects back when they are handed in again", async () => {
    await (await createSelector({ tools: originals })).save(folder);
    const loaded = await loadSelector(folder, { tools: originals });
    const { tools } = await loaded.select("refund the order", { k: 1 });
    expect(tools[0]).toBe(originals[5]);
    const read = await loadSelector(folder, { tools: readTools(originals) });
    expect((await read.select("refund the order", { k: 1 })).tools[0]).toBe(originals[5]);
    await expect(loadSelector(folder, { tools: originals.slice(1) })).rejects.toMatchObject({ code: "unknown-tool" });
  });

  it("count tokens with the counter given, after an update too", async () => {
    const tokenCounter = { name: "one", count: () => 1 };
    await (await createSelector({ tools: originals, tokenCounter })).save(folder);
    const loaded = await loadSelector(folder, { tokenCounter });
    await loaded.update(originals);
    expect((await loaded.select("refund the order")).tokens.before).toBe(12);
  });

  it("refuse what is no index, cut short, or damaged, and leave the file as it is", async () => {
    await expect(loadSelector(folder)).rejects.toMatchObject({ code: "unreadable-source" });
    await (await createSelector({ tools: originals })).save(folder);
    const file = join(folder, INDEX_FILE_NAME);
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    damaged[whole.length >> 1] = (damaged[whole.length >> 1] ?? 0) ^ 1;
    await writeFile(file, damaged);
    await expect(loadSelector(folder)).rejects.toMatchObject({ code: "corrupt-file" });
    await truncate(file, 100);
    await expect(loadSelector(folder)).rejects.toMatchObject({ code: "corrupt-file" });
    await writeFile(file, whole);
    await expect(loadSelector(folder)).resolves.toBeDefined();
  });

  it.skipIf(!hasPipes)("refuse a pipe in place of an index", async () => {
    const pipe = join(folder, INDEX_FILE_NAME);
    execFileSync("mkfifo", [pipe]);
    await expect(loadSelector(folder)).rejects.toMatchObject({ code: "unreadable-source" });
    await expect(loadSelector(pipe)).rejects.toMatchObject({ code: "unreadable-source" });
  });

  it.runIf(existsSync("/proc"))("refuse a folder inside one that takes no folders", async () => {
    const selector = await createSelector({ tools: originals });
    await expect(selector.save("/proc/no/such")).rejects.toMatchObject({ code: "unwritable-target" });
  });

  it("leave what loadTools reads beside other sources", async () => {
    await (await createSelector({ tools: originals })).save(folder);
    const list = await loadTools([folder, toolListPath("mcp/git.tools-list.json")]);
    expect(list.tools).toHaveLength(12 + 13);
    await expect(loadSelector(5 as never)).rejects.toMatchObject({ code: "unreadable-source" });
  });

  it("refuse a folder that cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    const selector = await createSelector({ tools: originals });
    await expect(selector.save(join(folder, "file", "below"))).rejects.toMatchObject({ code: "unwritable-target" });
  });
});

describe("the encoder of a saved index", () => {
  const query = "give the buyer the money back and tell him by mail";

  it.each(["static", "none", "minilm"])("%s is taken again, without being named", async (encoder) => {
    const fresh = await createSelector({ tools: originals, encoder });
    await fresh.save(folder);
    const loaded = await loadSelector(folder);
    expect((await loaded.select(query)).candidates).toEqual((await fresh.select(query)).candidates);
  });

  it("that Setwise does not know has to be named; without it the error says what can be done", async () => {
    const encoder = lettersEncoder();
    const fresh = await createSelector({ tools: originals, encoder });
    await fresh.save(folder);
    await expect(loadSelector(folder)).rejects.toMatchObject({
      code: "invalid-argument",
      source: folder,
      message: expect.stringMatching(
        /made with the encoder letters; name that encoder again, or another one .*, or none/,
      ),
    });
    const again = lettersEncoder();
    const loaded = await loadSelector(folder, { encoder: again });
    expect((await loaded.select(query)).candidates).toEqual((await fresh.select(query)).candidates);
    expect(again.texts).toEqual([]);
  });

  it("is named in an error by no more than its beginning", async () => {
    await (await createSelector({ tools: originals, encoder: lettersEncoder("n".repeat(1_000_000)) })).save(folder);
    const error: unknown = await loadSelector(folder).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("nnnn");
    expect(String(error).length).toBeLessThan(1000);
  });

  it.each(["static", "none"])(
    "gives way to %s where that is named, with the answers of a fresh one",
    async (encoder) => {
      await (await createSelector({ tools: originals, encoder: lettersEncoder() })).save(folder);
      const loaded = await loadSelector(folder, { encoder });
      const fresh = await createSelector({ tools: originals, encoder });
      expect((await loaded.select(query)).candidates).toEqual((await fresh.select(query)).candidates);
    },
  );

  it("leaves no vectors behind where none is asked for", async () => {
    await (await createSelector({ tools: originals })).save(folder);
    const loaded = await loadSelector(folder, { encoder: "none" });
    await loaded.save(join(folder, "words"));
    await (await createSelector({ tools: originals, encoder: "none" })).save(join(folder, "fresh"));
    const saved = (name: string): Promise<Buffer> => readFile(join(folder, name, INDEX_FILE_NAME));
    expect((await saved("words")).equals(await saved("fresh"))).toBe(true);
  });

  it("gives way to another one of one's own, which encodes every tool anew", async () => {
    await (await createSelector({ tools: originals })).save(folder);
    const other = lettersEncoder();
    await loadSelector(folder, { encoder: other });
    expect(other.texts).toHaveLength(12);
  });

  it("encodes only what an update changed, before and after a round trip", async () => {
    const encoder = lettersEncoder();
    const selector = await createSelector({ tools: originals, encoder });
    expect(encoder.texts).toHaveLength(12);
    const wire = { name: "wire_money", description: "Wire money to an account.", inputSchema: { type: "object" } };
    await selector.update([...originals.slice(1), wire]);
    expect(encoder.texts.slice(12)).toEqual([expect.stringContaining("wire money. Wire money to an account.")]);
    await selector.save(folder);
    const loaded = await loadSelector(folder, { encoder });
    await loaded.update([...originals.slice(2), wire, originals[0]]);
    expect(encoder.texts.slice(13)).toEqual([expect.stringContaining("find user by email")]);
    const fresh = await createSelector({ tools: [...originals.slice(2), wire, originals[0]], encoder });
    expect((await loaded.select(query)).candidates).toEqual((await fresh.select(query)).candidates);
  });

  it("encodes until the signal fires, and tells how far it is", async () => {
    await (await createSelector({ tools: originals, encoder: "none" })).save(folder);
    const told: [number, number][] = [];
    await loadSelector(folder, { encoder: "static", onProgress: (done, total) => told.push([done, total]) });
    expect(told).toEqual([[12, 12]]);
    const signal = AbortSignal.abort();
    for (const encoder of ["static", "none"])
      await expect(loadSelector(folder, { encoder, signal })).rejects.toMatchObject({ code: "aborted" });
  });

  it("reports the tools whose text it cuts when it encodes them anew", async () => {
    // 600 words are more than the 512 tokens of the table.
    const long = { name: "long", description: "refund ".repeat(600), inputSchema: { type: "object" } };
    await (await createSelector({ tools: [...originals, long], encoder: "none" })).save(folder);
    const loaded = await loadSelector(folder, { encoder: "static", tools: [...originals, long] });
    expect(loaded.problems).toMatchObject([{ code: "text-cut", toolId: "long" }]);
  });
});
