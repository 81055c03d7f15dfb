import { createHash } from "node:crypto";
import { createCatalog, type Tool, toolDefinition } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import { retrieve } from "./retrieve.ts";
import { deserializeIndex, serializeIndex } from "./serialize-index.ts";
import type { ToolIndex } from "./tool-index.ts";

const tools: Tool[] = [
  tool("get_weather", "Weather für Zürich — 天气", { properties: { city: { description: "Name of the city" } } }),
  tool("send_mail", "Send a mail.", { server: "post", annotations: { readOnlyHint: false }, tags: ["a"] }),
];
const index = buildIndex(createCatalog(tools), { clauseShare: 0.25 });
const errorOf = (bytes: Uint8Array): unknown => {
  try {
    return deserializeIndex(bytes);
  } catch (error) {
    return error;
  }
};

describe("a deserialised index", () => {
  const restored = deserializeIndex(serializeIndex(index));

  test("answers as the index did", () => {
    for (const query of ["weather in the city", "send mail and check the weather of the city", "天气", "nothing"]) {
      expect(retrieve(restored, query)).toEqual(retrieve(index, query));
    }
    expect(restored.options).toEqual(index.options);
  });

  test("holds the catalog: definitions, tokens, revision and ids", () => {
    expect(restored.catalog.tools.map(toolDefinition)).toEqual(tools.map(toolDefinition));
    expect(restored.catalog.tokens).toEqual(index.catalog.tokens);
    expect(restored.catalog.revision).toBe(index.catalog.revision);
    expect(restored.catalog.ordinalOf("post/send_mail")).toBe(1);
    expect(restored.catalog.ordinalOf("send_mail")).toBeUndefined();
  });

  test("is written again as the same bytes", () => {
    expect(Buffer.compare(serializeIndex(restored), serializeIndex(index))).toBe(0);
  });
});

test("a caller's object that is plain JSON comes back; of another its definition does", () => {
  const plain = { name: "a", nested: { list: [1, null, "x"] } };
  const originals = [plain, { execute: () => 1 }];
  const catalog = createCatalog(originals.map((original, i) => tool(`t${i}`, "", { original })));
  const restored = deserializeIndex(serializeIndex(buildIndex(catalog))).catalog.tools;
  expect(restored[0]?.original).toEqual(plain);
  expect(restored[1]?.original).toEqual(toolDefinition(catalog.tools[1] ?? tool("")));
});

test("an index of no tools comes back", () => {
  expect(deserializeIndex(serializeIndex(buildIndex(createCatalog([])))).catalog.tools).toEqual([]);
});

/** The same bytes with a checksum that fits them, as a forger would make it. */
function resealed(bytes: Uint8Array): Uint8Array {
  const forged = Buffer.from(bytes);
  createHash("sha256").update(forged.subarray(48)).digest().copy(forged, 16);
  return forged;
}

/** The index with one entry of its description exchanged. */
function forged(key: string, value: unknown): Uint8Array {
  const bytes = Buffer.from(serializeIndex(index));
  const end = 48 + bytes.readUInt32LE(12);
  const description = { ...JSON.parse(bytes.toString("utf8", 48, end)), [key]: value } as object;
  const json = JSON.stringify(description);
  const padded = Buffer.from(json + " ".repeat((4 - (Buffer.byteLength(json) % 4)) % 4));
  const whole = Buffer.concat([bytes.subarray(0, 48), padded, bytes.subarray(end)]);
  whole.writeUInt32LE(padded.length, 12);
  return resealed(whole);
}

describe("a forged index with a fitting checksum", () => {
  const odd = [null, -1, 1.5, "x", [], {}, [5], 1e9, undefined];
  const keys = ["options", "revision", "tools", "originals", "vocabulary", "tokens", "textPostings", "namePostings"];

  test.each(keys)("is refused for any odd %s", (key) => {
    for (const value of odd) {
      const isFine =
        (key === "revision" && value === "x") || (key === "options" && String(value) === "[object Object]");
      if (!isFine)
        expect(errorOf(forged(key, value)), `${key} ${String(value)}`).toMatchObject({ code: "corrupt-file" });
    }
  });

  test("is refused or can be searched, whichever byte is changed", () => {
    const bytes = serializeIndex(index);
    let refused = 0;
    for (let position = 48; position < bytes.length; position++) {
      const changed = Uint8Array.from(bytes);
      changed[position]! ^= 0xff;
      const read = errorOf(resealed(changed));
      if (read instanceof Error) {
        expect(read).toMatchObject({ code: "corrupt-file" });
        refused++;
      } else {
        const { scores } = retrieve(read as ToolIndex, "send a mail about the weather");
        expect(scores.every(Number.isFinite)).toBe(true);
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

describe("bytes that are no intact index", () => {
  const bytes = serializeIndex(index);

  test.each([0, 1, 8, 47, 48, 60, bytes.length - 1])("cut short at %i are refused, with what to do", (length) => {
    expect(errorOf(bytes.slice(0, length))).toMatchObject({
      code: "corrupt-file",
      message: expect.stringContaining("Build the index again"),
    });
  });

  test("with any byte changed are refused", () => {
    for (let position = 0; position < bytes.length; position += 13) {
      const changed = Uint8Array.from(bytes);
      changed[position]! ^= 0x10;
      const expected = position >= 8 && position < 12 ? "unsupported-version" : "corrupt-file";
      expect(errorOf(changed)).toMatchObject({ code: expected });
    }
  });

  test("of another version are refused as such", () => {
    const newer = Uint8Array.from(bytes);
    newer[8] = 99;
    expect(errorOf(newer)).toMatchObject({ code: "unsupported-version", message: expect.stringContaining("99") });
  });

  test("something else altogether is refused", () => {
    expect(errorOf(Buffer.from('{"tools":[]}'.repeat(20)))).toMatchObject({ code: "corrupt-file" });
  });

  test("with a right checksum and wrong contents are refused too", () => {
    const forged = Buffer.from(bytes.slice(0, 48 + bytes.length / 2));
    createHash("sha256").update(forged.subarray(48)).digest().copy(forged, 16);
    expect(errorOf(forged)).toMatchObject({ code: "corrupt-file" });
  });
});
