import { expect, test } from "vitest";
import { distinctNames } from "./distinct-names.ts";

test("A name that is taken gets the next free number, and so does a wish that looks like one.", () => {
  const nameFor = distinctNames(new Set(["b"]));
  expect(["a", "a", "a_2", "a", "b"].map(nameFor)).toEqual(["a", "a_2", "a_2_2", "a_3", "b_2"]);
});

test("A hundred thousand equal wishes are named in one pass.", () => {
  const nameFor = distinctNames();
  const names = Array.from({ length: 100_000 }, () => nameFor("a"));
  expect(new Set(names).size).toBe(100_000);
  expect(names.at(-1)).toBe("a_100000");
});
