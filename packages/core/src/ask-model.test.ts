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
});

test("an answer as it is comes in time or not at all", async () => {
  expect(await answerInTime(scripted("hello"), "Hi", 1_000)).toBe("hello");
  await expect(answerInTime(silent, "Hi", 5)).rejects.toMatchObject({ code: "timeout" });
});
