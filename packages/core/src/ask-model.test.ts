import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answerInTime, askModel, type ModelUse } from "./ask-model.ts";
import type { LanguageModel } from "./ports.ts";

const shape = z.object({ same: z.boolean() });
const unused = (): ModelUse => ({ calls: 0, promptTokens: 0, answerTokens: 0, remembered: 0, failures: [] });

/** A model that gives these answers one after the other, and remembers what it was asked. */
function scripted(...answers: readonly string[]): LanguageModel & { readonly prompts: string[] } {
  const prompts: string[] = [];
  return {
    name: "scripted",
    prompts,
    generate: async (prompt) => {
      prompts.push(prompt);
      return answers[prompts.length - 1] ?? "";
    },
  };
}

const silent: LanguageModel = { name: "silent", generate: () => new Promise(() => undefined) };

describe("askModel", () => {
  test("takes the JSON object out of a fence and a sentence", async () => {
    const model = scripted('Sure:\n```json\n{"same": true}\n```');
    expect(await askModel("Same?", shape, { model }, unused(), undefined)).toEqual({ answer: { same: true } });
  });

  test("asks again with what was wrong, and then says why there is no answer", async () => {
    const model = scripted("yes", '{"same": "yes"}', "no idea");
    const use = unused();
    const given = await askModel("Same?", shape, { model }, use, undefined);
    expect(given).toEqual({ failure: "it is not of the wanted shape (no idea)" });
    expect(model.prompts[2]).toContain('it is not of the wanted shape ({"same": "yes"})');
    expect([use.calls, use.failures.length]).toEqual([3, 1]);
  });

  test("a model that never answers is a failure, the caller's signal an error", async () => {
    const options = { model: silent, retries: 0, timeoutMs: 5 };
    expect(await askModel("Same?", shape, options, unused(), undefined)).toEqual({
      failure: "The language model silent did not answer within 5 ms.",
    });
    await expect(askModel("Same?", shape, options, unused(), AbortSignal.abort())).rejects.toMatchObject({
      code: "aborted",
    });
  });

  test("an error of the model is cut before it is told or asked with", async () => {
    const prompts: string[] = [];
    const endless: LanguageModel = {
      name: "endless",
      generate: async (prompt) => {
        prompts.push(prompt);
        throw new Error(`no\n ${"x".repeat(10_000_000)}`);
      },
    };
    const use = unused();
    const given = await askModel("Same?", shape, { model: endless }, use, undefined);
    expect(given).toEqual({ failure: `no ${"x".repeat(196)}` });
    expect(use.failures).toEqual([`no ${"x".repeat(196)}`]);
    expect(Math.max(...prompts.map(({ length }) => length))).toBeLessThan(400);
  });

  test("what is thrown may be anything", async () => {
    const odd: LanguageModel = { name: "odd", generate: () => Promise.reject(Object.create(null)) };
    const given = await askModel("Same?", shape, { model: odd, retries: 0 }, unused(), undefined);
    expect(given).toEqual({ failure: "it threw what is no error" });
  });

  test("refuses retries and times with which it would never be asked", async () => {
    const model = scripted('{"same": true}');
    for (const wrong of [
      { retries: -1 },
      { retries: Number.NaN },
      { retries: Infinity },
      { timeoutMs: -1 },
      { timeoutMs: 0 },
      { timeoutMs: Number.NaN },
      { timeoutMs: Infinity },
    ]) {
      await expect(askModel("Same?", shape, { model, ...wrong }, unused(), undefined)).rejects.toMatchObject({
        code: "invalid-argument",
      });
    }
    await expect(answerInTime(model, "Hi", Number.NaN)).rejects.toMatchObject({ code: "invalid-argument" });
    expect(model.prompts).toEqual([]);
  });
});

test("holds the process open until the model has had its time, and no longer", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const answer = answerInTime(silent, "Hi", 5);
  expect(timers()).toBe(before + 1);
  await expect(answer).rejects.toMatchObject({ code: "timeout" });
  const quick = answerInTime(scripted("hello"), "Hi", 1_000_000_000);
  const during = timers();
  await quick;
  expect(timers()).toBe(during - 1);
});

test("an answer as it is comes in time or not at all", async () => {
  expect(await answerInTime(scripted("hello"), "Hi", 1_000)).toBe("hello");
  await expect(answerInTime(silent, "Hi", 5)).rejects.toMatchObject({ code: "timeout" });
});
