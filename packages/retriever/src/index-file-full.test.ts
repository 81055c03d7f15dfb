import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalog } from "@setwise/core";
import { expect, test, vi } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import { saveIndex } from "./index-file.ts";

const full = vi.hoisted(() => ({ code: "" }));
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const open: typeof real.open = async (...given) => {
    const handle = await real.open(...given);
    handle.writeFile = () => Promise.reject(Object.assign(new Error("no room"), { code: full.code }));
    return handle;
  };
  return { ...real, open };
});

test.each(["ENOSPC", "EDQUOT"])(
  "a disk that is full (%s) is said to be so, and no folder is asked for",
  async (code) => {
    const folder = await mkdtemp(join(tmpdir(), "setwise-full-"));
    full.code = code;
    const error: unknown = await saveIndex(buildIndex(createCatalog([tool("one")])), join(folder, "a")).catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({
      code: "unwritable-target",
      message: expect.stringMatching(/disk is full: make room/),
    });
    expect(String(error)).not.toContain("folder that exists");
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  },
);
