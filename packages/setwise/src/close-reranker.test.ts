import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolListText } from "@setwise/testkit";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { writeCrossEncoder } from "../test/cross-encoder-folder.ts";
import { createSelector } from "./create-selector.ts";

/** What happens to the model, in order, and what a test does at each step. */
const steps: string[] = [];
let at: (step: string) => Promise<void> | void = () => undefined;
vi.mock("@setwise/encoders", async (original) => {
  const real = await original<typeof import("@setwise/encoders")>();
  const step = (name: string): Promise<void> | void => {
    steps.push(name);
    return at(name);
  };
  const createCrossEncoder: typeof real.createCrossEncoder = async (...given) => {
    await step("opening");
    const model = await real.createCrossEncoder(...given);
    return {
      name: model.name,
      score: async (...asked) => {
        // The first text is being run when this returns; of this model each is run by itself.
        const scores = model.score(...asked);
        await step("scoring");
        return scores;
      },
      dispose: async () => {
        await model.dispose();
        await step("disposed");
      },
    };
  };
  return { ...real, createCrossEncoder };
});

const tools = JSON.parse(toolListText("mcp/git.tools-list.json"));
const query = "show the commit log of the repository";
let folder = "";
let model = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-close-"));
  model = await writeCrossEncoder(join(folder, "cross-encoder"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  steps.length = 0;
  at = () => undefined;
});

test("a model that is closed while it is opened is freed, and who waited for it is told that the selector was closed", async () => {
  const selector = await createSelector({ tools, reranker: model });
  let closing: Promise<void> | undefined;
  at = (step) => {
    if (step === "opening") closing = selector.close();
  };
  await expect(selector.select(query)).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining("was closed"),
  });
  await closing;
  expect(steps).toEqual(["opening", "disposed"]);
});

test("a model that is closed while it is used ends what it runs, is freed, and refuses the rest", async () => {
  const selector = await createSelector({ tools, reranker: model });
  let closing: Promise<void> | undefined;
  at = (step) => {
    if (step === "scoring") closing = selector.close();
  };
  await expect(selector.select(query)).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining("was disposed of"),
  });
  await closing;
  expect(steps).toEqual(["opening", "scoring", "disposed"]);
});
