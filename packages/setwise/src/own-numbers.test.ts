import { describe, expect, it } from "vitest";
import { ownNumbers } from "./own-numbers.ts";

type Ask = (value: number, signal?: AbortSignal) => Promise<Float32Array>;

/** Asks a source that answers a value by that value, after as many turns as `turnsOf` says, in memory that `memoryFor` gives. */
function sourceWith(
  memoryFor: () => Float32Array,
  turnsOf: (value: number) => number,
): { readonly ask: Ask; readonly asked: number[] } {
  const source = {};
  const asked: number[] = [];
  const encode = async (value: number): Promise<Float32Array> => {
    asked.push(value);
    const memory = memoryFor();
    for (let turn = 0; turn < turnsOf(value); turn++) await undefined;
    memory[0] = value;
    return memory;
  };
  return { ask: (value, signal) => ownNumbers(source, () => encode(value), signal), asked };
}
const shared = (turns = 3): { readonly ask: Ask; readonly asked: number[] } => {
  const memory = new Float32Array(1);
  return sourceWith(
    () => memory,
    () => turns,
  );
};
const fresh = (): { readonly ask: Ask; readonly asked: number[] } =>
  sourceWith(
    () => new Float32Array(1),
    (value) => 10 * value,
  );
const values = Array.from({ length: 20 }, (_, value) => value + 1);
const firsts = (answers: readonly Float32Array[]): unknown[] => answers.map(([first]) => first);

describe("a source that answers in one memory every time", () => {
  it.each([0, 1, 3])(
    "disturbs no answer of calls at the same time, be they its first ones (%d turns)",
    async (turns) => {
      const { ask } = shared(turns);
      expect(firsts(await Promise.all(values.map((value) => ask(value))))).toEqual(values);
      expect(firsts(await Promise.all(values.map((value) => ask(-value))))).toEqual(values.map((value) => -value));
    },
  );

  it("is asked once for each of several calls as soon as it is known", async () => {
    const { ask, asked } = shared();
    for (const value of [1, 2]) await ask(value);
    asked.length = 0;
    await Promise.all(values.map((value) => ask(value)));
    expect(asked).toEqual(values);
  });

  it("goes on after a call that fails", async () => {
    const memory = new Float32Array(1);
    const source = {};
    const failure = new Error("out of order");
    const encode = async (value: number): Promise<Float32Array> => {
      await undefined;
      if (value === 3) throw failure;
      return memory.fill(value);
    };
    const ask = (value: number): Promise<Float32Array> => ownNumbers(source, () => encode(value), undefined);
    for (const value of [1, 2]) await ask(value);
    const answers = await Promise.allSettled([ask(1), ask(3), ask(2)]);
    expect(answers).toEqual([
      { status: "fulfilled", value: Float32Array.of(1) },
      { status: "rejected", reason: failure },
      { status: "fulfilled", value: Float32Array.of(2) },
    ]);
  });

  it("does not wait for a call that was given up", async () => {
    const memory = new Float32Array(1);
    const source = {};
    const ask = (work: () => Promise<Float32Array>, signal?: AbortSignal): Promise<Float32Array> =>
      ownNumbers(source, work, signal);
    const quick = async (): Promise<Float32Array> => memory.fill(7);
    await ask(quick);
    await ask(quick);
    const stop = new AbortController();
    void ask(() => new Promise(() => undefined), stop.signal);
    const waiting = ask(quick);
    await undefined;
    stop.abort();
    expect([...(await waiting)]).toEqual([7]);
    await expect(ask(quick, stop.signal)).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("a source that answers in memory of its own", () => {
  it("is asked by all at the same time, and at first once more at most", async () => {
    const { ask, asked } = fresh();
    expect(firsts(await Promise.all(values.map((value) => ask(value))))).toEqual(values);
    expect(asked).toEqual([...values, 1]);
    asked.length = 0;
    const all = Promise.all(values.map((value) => ask(value)));
    expect(asked).toEqual(values);
    expect(firsts(await all)).toEqual(values);
  });

  it("may cut its answers one after the other from one buffer", async () => {
    const pool = new Float32Array(100);
    let used = 0;
    const { ask, asked } = sourceWith(
      () => pool.subarray(used, (used += 1)),
      () => 3,
    );
    for (const value of [1, 2]) await ask(value);
    const all = Promise.all(values.map((value) => ask(value)));
    expect(asked).toEqual([1, 2, ...values]);
    expect(firsts(await all)).toEqual(values);
  });

  it("does not make the second call wait for a first that never ends", async () => {
    const source = {};
    void ownNumbers(source, () => new Promise(() => undefined), undefined);
    expect(await ownNumbers(source, async () => Float32Array.of(5), undefined)).toEqual(Float32Array.of(5));
  });
});

it("an answer that is no column of numbers is handed on as it is", async () => {
  const source = {};
  const ask = (): Promise<Float32Array> => ownNumbers(source, async () => [1] as never, undefined);
  expect(await Promise.all([ask(), ask()])).toEqual([[1], [1]]);
});
