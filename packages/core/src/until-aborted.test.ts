import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

test("what was begun is answered, or fails, as if there were no signal", async () => {
  for (const signal of [undefined, new AbortController().signal]) {
    expect(await untilAborted(signal, async () => 5)).toBe(5);
    await expect(untilAborted(signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  }
});

test("a signal ends it although the work does not listen, and lets none begin where it has fired", async () => {
  const stop = new AbortController();
  const stopped = untilAborted(stop.signal, () => new Promise(() => undefined));
  stop.abort("why");
  await expect(stopped).rejects.toMatchObject({ code: "aborted", cause: "why" });
  let begun = 0;
  await expect(untilAborted(stop.signal, async () => ++begun)).rejects.toMatchObject({ code: "aborted" });
  expect(begun).toBe(0);
});

test("work that fires the signal itself and throws at once fails with what it threw, and with nothing else later", async () => {
  const stop = new AbortController();
  const begun = untilAborted(stop.signal, () => {
    stop.abort();
    throw new Error("own");
  });
  await expect(begun).rejects.toThrow("own");
  // A rejection that nobody waits for would fail the run here.
  await new Promise((resolve) => setTimeout(resolve, 0));
});
