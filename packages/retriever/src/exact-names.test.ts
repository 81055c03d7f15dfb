import { expect, test } from "vitest";
import { namedTools } from "../test/tool.ts";
import { exactNames, toolsNamedIn } from "./exact-names.ts";
import { plainWords } from "./words.ts";

const named = (names: readonly string[], query: string): number[] =>
  toolsNamedIn(exactNames(namedTools(...names)), plainWords(query));

test("a name is found in any spelling", () => {
  for (const query of ["get_weather", "call getWeather now", "please get weather", "GET-WEATHER!", "get.weather"]) {
    expect(named(["get_weather", "get_weather_alerts"], query)).toEqual([0]);
  }
});

test("names within names, and names of one spelling, are all found, once each and in order", () => {
  expect(named(["b", "a_b", "a-b", "a_b_c"], "a b and again a b")).toEqual([0, 1, 2]);
});

test("part of a name, or its words apart, is not the name", () => {
  expect(named(["get_weather"], "get the weather")).toEqual([]);
  expect(named(["get_weather"], "weather")).toEqual([]);
});

test("names of digits, pictographs and other scripts are names", () => {
  expect(named(["2048", "🔧🔧", "代码规范检索"], "play 2048 with 🔧🔧")).toEqual([0, 1]);
  expect(named(["2048", "🔧🔧", "代码规范检索"], "代码规范检索")).toEqual([2]);
});

test("two names of ninety letters that differ in one are two names", () => {
  const long = "x".repeat(90);
  expect(named([long, `${long}y`], `${long}y`)).toEqual([1]);
});
