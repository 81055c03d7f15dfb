import { SetwiseError } from "@setwise/core";
import { expect, test } from "vitest";
import { type Attempt, retryAfterMs, withRetries } from "./retry.ts";

const failed = (retryAfter?: number): Attempt<string> => ({
  error: new SetwiseError("server-failed", "busy"),
  retryAfterMs: retryAfter,
});

/** Runs the outcomes one after the other and gives the waits between them. */
async function waitsOf(outcomes: readonly Attempt<string>[], random: number): Promise<number[]> {
  const waits: number[] = [];
  let next = 0;
  await withRetries(async () => outcomes[next++] ?? { value: "done" }, {
    maxRetries: 4,
    retryDelayMs: 100,
    maxRetryDelayMs: 500,
    remainingMs: () => Infinity,
    random: () => random,
    sleep: async (milliseconds) => void waits.push(milliseconds),
  });
  return waits;
}

test("waits double, are cut at the bound, and chance takes up to half of them away", async () => {
  const four = [failed(), failed(), failed(), failed()];
  expect(await waitsOf(four, 0)).toEqual([100, 200, 400, 500]);
  // 100 · (1 − 0.5 · 0.5), and so on; 800 · 0.75 is over the bound.
  expect(await waitsOf(four, 0.5)).toEqual([75, 150, 300, 500]);
});

test("a server's own wait is kept, a little longer by chance, up to the bound", async () => {
  expect(await waitsOf([failed(300), failed(0), failed(3_600_000)], 0)).toEqual([300, 0, 500]);
  // 300 · (1 + 0.1 · 0.5)
  expect(await waitsOf([failed(300)], 0.5)).toEqual([315]);
});

test("an error that an attempt throws is final, and the last failure is thrown when no retry is left", async () => {
  await expect(
    waitsOf(
      Array.from({ length: 5 }, () => failed()),
      0,
    ),
  ).rejects.toMatchObject({ code: "server-failed" });
  const policy = {
    maxRetries: 9,
    retryDelayMs: 0,
    maxRetryDelayMs: 0,
    remainingMs: () => Infinity,
    random: () => 0,
    sleep: async () => undefined,
  };
  let attempts = 0;
  const attempt = async (): Promise<Attempt<string>> => {
    attempts += 1;
    throw new Error("final");
  };
  await expect(withRetries(attempt, policy)).rejects.toThrow("final");
  expect(attempts).toBe(1);
});

test.each([
  [{ "retry-after": "7" }, 7000],
  [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
  // Ten seconds after the answer's own date, whatever the clock here says.
  [{ "retry-after": "Tue, 01 Jan 2030 00:00:10 GMT", date: "Tue, 01 Jan 2030 00:00:00 GMT" }, 10_000],
  [{ "retry-after": "Tue, 01 Jan 2030 00:00:00 GMT", date: "Tue, 01 Jan 2030 00:00:10 GMT" }, 0],
  [{ "retry-after": "Tue, 01 Jan 2030 00:00:10 GMT" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "-3" }, undefined],
  [{}, undefined],
])("the headers %j ask for a wait of %j ms", (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>))).toBe(expected);
});

test("no retry is begun whose wait would end after the time that is left", async () => {
  // The waits are 100 and 200 milliseconds; of 300 none is left for an attempt after the second.
  let remaining = 300;
  let attempts = 0;
  const policy = {
    maxRetries: 4,
    retryDelayMs: 100,
    maxRetryDelayMs: 500,
    random: () => 0,
    remainingMs: () => remaining,
    sleep: async (milliseconds: number) => void (remaining -= milliseconds),
  };
  const attempt = async (): Promise<Attempt<string>> => {
    attempts += 1;
    return failed();
  };
  await expect(withRetries(attempt, policy)).rejects.toMatchObject({ code: "server-failed" });
  expect([attempts, remaining]).toEqual([2, 200]);
});
