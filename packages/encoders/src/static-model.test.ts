import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { staticModelFolder } from "@setwise/model-static";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bundledScript } from "../test/child-process.ts";
import { readStaticModel } from "./static-model.ts";
import { writeStaticModel } from "./write-static-model.ts";

const table = {
  name: "tiny",
  dimensions: 2,
  lowercase: true,
  stripAccents: false,
  tokens: ["send", "##s", "語"],
  rows: Int8Array.of(1, 2, 3, 4, -5, -6),
  scales: Float32Array.of(0.5, 0.25, 2),
};
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "setwise-static-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const codeOfReading = () => {
  try {
    return readStaticModel(folder).name;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

test("what is written is read back, its tokens sorted and their rows with them", async () => {
  await writeStaticModel(folder, table);
  const model = readStaticModel(folder);
  expect(["語", "##s", "send"].map((token) => model.vocabulary.idOf(token))).toEqual([0, 1, 2]);
  expect([...model.rows]).toEqual([-5, -6, 3, 4, 1, 2]);
  expect([...model.scales]).toEqual([2, 0.25, 0.5]);
  expect(model).toMatchObject({ name: "tiny", dimensions: 2, lowercase: true, stripAccents: false });
});

test("the fingerprint changes with the content", async () => {
  await writeStaticModel(folder, table);
  const before = readStaticModel(folder).fingerprint;
  await writeStaticModel(folder, { ...table, scales: Float32Array.of(0.5, 0.25, 3) });
  expect(readStaticModel(folder).fingerprint).not.toBe(before);
});

test("the shipped model carries the fingerprint of its files", () => {
  const hash = createHash("sha256");
  for (const file of ["vocabulary.txt", "rows.i8.bin", "scales.f32.bin"])
    hash.update(readFileSync(join(staticModelFolder, file)));
  expect(readStaticModel(staticModelFolder).fingerprint).toBe(hash.digest("hex").slice(0, 8));
});

describe("a folder that is no static model", () => {
  const files = ["static-model.json", "vocabulary.txt", "rows.i8.bin", "scales.f32.bin"];

  test.each(files)("without %s is unreadable", async (file) => {
    await writeStaticModel(folder, table);
    unlinkSync(join(folder, file));
    expect(codeOfReading()).toBe("unreadable-source");
  });

  test.each(files)("with %s cut short is damaged", async (file) => {
    await writeStaticModel(folder, table);
    truncateSync(join(folder, file), 5);
    expect(codeOfReading()).toBe("corrupt-file");
  });

  test.each(files.slice(1))("with other bytes of the same length in %s is damaged", async (file) => {
    await writeStaticModel(folder, table);
    const path = join(folder, file);
    const bytes = readFileSync(path);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(codeOfReading()).toBe("corrupt-file");
  });

  // Reading is synchronous: in a process of its own, which is ended where it waits.
  test.skipIf(process.platform === "win32")(
    "with a pipe or a device for a file is refused and not waited for",
    async () => {
      const script = await bundledScript("read-static");
      const read = () => execFileSync(process.execPath, [script, folder], { timeout: 5_000, encoding: "utf8" });
      for (const file of files) {
        await writeStaticModel(folder, table);
        unlinkSync(join(folder, file));
        execFileSync("mkfifo", [join(folder, file)]);
        expect(read()).toMatch(new RegExp(`^unreadable-source: .*${file} is no regular file`));
        unlinkSync(join(folder, file));
        symlinkSync("/dev/zero", join(folder, file));
        expect(read()).toMatch(new RegExp(`^unreadable-source: .*${file} is no regular file`));
        unlinkSync(join(folder, file));
      }
    },
  );

  test("with a file far larger than any such is not read", async () => {
    await writeStaticModel(folder, table);
    // Holes of zeros that take no room on the disk.
    truncateSync(join(folder, "rows.i8.bin"), 2 ** 40);
    expect(codeOfReading()).toBe("corrupt-file");
    truncateSync(join(folder, "vocabulary.txt"), 2 ** 27 + 1);
    expect(codeOfReading()).toBe("too-large");
  });

  test("of another kind is damaged, of a later version unsupported", async () => {
    await writeStaticModel(folder, table);
    const { fingerprint } = readStaticModel(folder);
    const config = { format: 1, name: "tiny", fingerprint, dimensions: 2, pieceCounts: [1, 0, 1, 1] };
    const texts = ["null", "3", "[]", '{"format":1}', JSON.stringify({ ...config, dimensions: 1e9 })];
    const changes = [
      { dimensions: 3 },
      { pieceCounts: [1, 0, 2] },
      { pieceCounts: [1, -1, "x"] },
      { pieceCounts: 3 },
      { fingerprint: "y" },
    ];
    for (const text of [...texts, ...changes.map((change) => JSON.stringify({ ...config, ...change }))]) {
      writeFileSync(join(folder, "static-model.json"), text);
      expect(codeOfReading()).toBe("corrupt-file");
    }
    writeFileSync(join(folder, "static-model.json"), JSON.stringify(config));
    expect(codeOfReading()).toBe("tiny");
    writeFileSync(join(folder, "static-model.json"), JSON.stringify({ ...config, format: 2 }));
    expect(codeOfReading()).toBe("unsupported-version");
  });
});

test("a table whose parts do not fit each other is not written", async () => {
  const wrong = [
    { ...table, scales: Float32Array.of(1) },
    { ...table, tokens: ["a", "a", "b"] },
    { ...table, tokens: ["a\nb", "c", "d"] },
  ];
  for (const one of wrong)
    await expect(writeStaticModel(folder, one)).rejects.toMatchObject({ code: "invalid-argument" });
});
