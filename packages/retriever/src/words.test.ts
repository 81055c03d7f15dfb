import { expect, test } from "vitest";
import { isNumber, plainWords, words } from "./words.ts";

test.each([
  ["getUserName", ["get", "user", "name"]],
  ["get_user-name.v2/list", ["get", "user", "name", "v", "2", "list"]],
  ["HTTPServer parseXMLDocument", ["http", "server", "parse", "xml", "document"]],
  ["APIs, URLs and userIDs", ["apis", "urls", "and", "user", "ids"]],
  ["base64 mp3toWAV 3D", ["base", "64", "mp", "3", "to", "wav", "3", "d"]],
  ["iPhone eBay", ["i", "phone", "e", "bay"]],
])("an identifier is split into its words: %s", (text, expected) => {
  expect(plainWords(text)).toEqual(expected);
});

test("what is left of a contraction is no word", () => {
  expect(plainWords("what's, don't and the users' I'd")).toEqual(["what", "don", "and", "the", "users", "i"]);
});

test("stop words go and English words are stemmed, by the Snowball English algorithm", () => {
  // Snowball's own sample vocabulary: generously → generous, news → news, skies → sky.
  expect(words("Please be so generously with the news of the skies")).toEqual(["generous", "news", "sky"]);
});

test("accents, ligatures and full-width letters are folded", () => {
  expect(words("Café ÉTÉ naïve")).toEqual(words("cafe ete naive"));
  expect(plainWords("Straße Øre ＡＰＩ ﬁle")).toEqual(["strasse", "ore", "api", "file"]);
  expect(plainWords("cafe\u0301 résuméParser")).toEqual(["cafe", "resume", "parser"]);
});

test("scripts with their own letters are split at spaces, without losing letters", () => {
  expect(plainWords("Погода в Москве")).toEqual(["погода", "в", "москве"]);
  expect(plainWords("हिन्दी समाचार")).toEqual(["हिन्दी", "समाचार"]);
  expect(plainWords("날씨 검색")).toEqual(["날씨", "검색"]);
});

test("scripts without spaces are cut into words", () => {
  expect(plainWords("代码规范检索")).toEqual(["代码", "规范", "检索"]);
  expect(plainWords("天気予報を取得する").slice(0, 2)).toEqual(["天気", "予報"]);
  expect(plainWords("搜索GitHub代码")).toEqual(["搜索", "git", "hub", "代码"]);
});

test.each([
  ["aB", 100_001],
  ["'a", 100_000],
  ["é", 0],
  ["\ud800", 0],
  ["a1", 200_000],
])("a text of 200,000 signs without a space comes to an end: %j", (part, count) => {
  expect(plainWords(part.repeat(200_000 / part.length))).toHaveLength(count);
});

test("so does one in a script without spaces, cut into words all the same", () => {
  expect(plainWords("中文".repeat(50_000)).length).toBeGreaterThan(40_000);
});

test("a pictograph is a word, other signs are not", () => {
  expect(plainWords("🔧🔧 — * _ # !?")).toEqual(["🔧", "🔧"]);
  expect(words("")).toEqual([]);
});

test("a run of letters too long to be a word is left out, what is beside it stays", () => {
  expect(plainWords(`before ${"x".repeat(129)} after`)).toEqual(["before", "after"]);
  expect(plainWords("y".repeat(128))).toHaveLength(1);
  expect(plainWords(`à ${"é".repeat(129)} ${"가".repeat(129)}`)).toEqual(["a"]);
});

test("names of JavaScript's own properties are words like any other", () => {
  expect(words("constructor __proto__ toString")).toEqual(["constructor", "proto", "string"]);
});

test("only a word that begins with a digit is a number", () => {
  expect(["42", "a", "4a", "٣"].map(isNumber)).toEqual([true, false, true, false]);
});
