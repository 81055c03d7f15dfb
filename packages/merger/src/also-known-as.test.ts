import { expect, it } from "vitest";
import { text, tool } from "../test/tool.ts";
import { alsoKnownAs } from "./also-known-as.ts";

it("Other names and the beginnings of other descriptions are told once each", () => {
  const members = [
    tool("word_count", "Count the words of a text.", { text }),
    tool("wordCount", "Counts words. And more.", { text }),
    tool("count_words", "Counts words. In another way.", { text }),
  ];
  expect(alsoKnownAs(members)).toBe("Also: count_words; Counts words.");
});

it("Nothing is told where all say the same, and never more than a line", () => {
  const one = tool("word_count", "Count the words", { text });
  expect(alsoKnownAs([one, { ...one, id: "copy" }])).toBe("");
  expect(alsoKnownAs([])).toBe("");
  const many = Array.from({ length: 500 }, (_, place) => tool(`count_words_${place}`, `Number ${place}`, { text }));
  expect(alsoKnownAs(many).length).toBeLessThan(400);
});
