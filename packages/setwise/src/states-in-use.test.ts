import { expect, it } from "vitest";
import type { SelectorState } from "./selector-state.ts";
import { StatesInUse } from "./states-in-use.ts";

it("frees a state that was replaced, but not before all that work with it are done", async () => {
  const freed: string[] = [];
  const state = { model: { scorer: { dispose: () => freed.push("scorer") } } } as unknown as SelectorState;
  const states = new StatesInUse();
  const ends: (() => void)[] = [];
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  const running = [states.using(state, work), states.using(state, work)];
  states.retire(state);
  ends[0]?.();
  await running[0];
  expect(freed).toEqual([]);
  ends[1]?.();
  await running[1];
  expect(freed).toEqual(["scorer"]);
});
