import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { describeAddonFailure } from "../src/describe-addon-failure.ts";
import { loadAddon } from "../src/load-addon.ts";
import { builtAddon } from "./implementations.ts";

const search = loadAddon();
const addon = search.addon!;

test("the addon has a level for every processor of its kind", ({ skip }) => {
  if (search.addon === undefined) skip(describeAddonFailure(search));
  expect(addon.simdLevels().at(-1)).toBe("scalar");
});

describe.skipIf(search.addon === undefined)("the addon behind the face", () => {
  const columns = (length: number): [Uint32Array, Float32Array] => [new Uint32Array(length), new Float32Array(length)];
  const refusal = (call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  test("checks every length itself", () => {
    const index = addon.createVectorIndex(2, Float32Array.of(1, 0, 0, 1), "cosine", "scalar");
    const query = Float32Array.of(1, 1);
    expect(index.search(query, 2, undefined, ...columns(2))).toBe(2);
    expect(refusal(() => index.search(query, 2, undefined, ...columns(1)))).toBe("invalid-argument");
    expect(refusal(() => index.search(query, 2, undefined, new Uint32Array(2), new Float32Array(1)))).toBe(
      "invalid-argument",
    );
    expect(refusal(() => index.search(query.subarray(1), 1, undefined, ...columns(1)))).toBe("invalid-argument");
    expect(refusal(() => index.search(query, 1, Uint32Array.of(2), ...columns(1)))).toBe("invalid-argument");
    expect(refusal(() => addon.createVectorIndex(0, query, "cosine", "scalar"))).toBe("invalid-argument");
    expect(refusal(() => addon.createVectorIndex(3, query, "cosine", "scalar"))).toBe("invalid-argument");
    expect(refusal(() => addon.createVectorIndex(2, query, "euclid" as "cosine", "scalar"))).toBe("invalid-argument");
    expect(refusal(() => addon.createVectorIndex(2, query, "cosine", "none"))).toBe("invalid-argument");
  });

  test("refuses to search after dispose", () => {
    const index = addon.createVectorIndex(1, Float32Array.of(1), "cosine", "scalar");
    index.dispose();
    index.dispose();
    expect(refusal(() => index.search(Float32Array.of(1), 1, undefined, ...columns(1)))).toBe("invalid-argument");
  });

  test("tells the garbage collector what it holds, so that dropped indexes are freed", ({ skip }) => {
    const file = builtAddon();
    if (file === undefined) skip("needs the file of `npm run build:addon`");
    // In a process of its own, where nothing else gives the collector a reason to run. Each handle is a few bytes for it and
    // 10 MB for the process; when that was not reported, none of the 40 was collected.
    const script = `
      const addon = require(process.argv[1]);
      const vectors = new Float32Array(640 * 4096);
      let collected = 0;
      const registry = new FinalizationRegistry(() => (collected += 1));
      (async () => {
        for (let i = 0; i < 40; i += 1) {
          registry.register(addon.createVectorIndex(640, vectors, "cosine", "scalar"));
          await new Promise((resolve) => setImmediate(resolve));
        }
        process.stdout.write(String(collected));
      })();`;
    const collected = Number(execFileSync(process.execPath, ["-e", script, file!], { encoding: "utf8" }));
    expect(collected).toBeGreaterThan(0);
  });
});
