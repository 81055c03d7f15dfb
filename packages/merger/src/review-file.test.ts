import { createCatalog } from "@setwise/core";
import { describe, expect, it } from "vitest";
import { text, tool } from "../test/tool.ts";
import { mergeTools } from "./merge-tools.ts";
import { readReview, writeReview } from "./review-file.ts";

const catalog = createCatalog([
  tool("word_count", "Count the words in a text", { text }),
  tool("count_words", "Counts the words of a given text", { text }),
  tool("delete_words", "Delete the words of a text", { text }),
]);

describe("a review file", () => {
  it("that nobody touched pins nothing", async () => {
    const merged = await mergeTools(catalog);
    expect(await readReview(writeReview(merged))).toEqual([]);
  });

  it("overrules the judge next time, and goes on doing so when it is written again", async () => {
    const merged = await mergeTools(catalog);
    const file = writeReview(merged).replace(
      '"judged":"same","decision":"same"',
      '"judged":"same","decision":"different"',
    );
    const pins = await readReview(file);
    expect(pins).toEqual([expect.objectContaining({ a: "word_count", b: "count_words", decision: "different" })]);
    const next = await mergeTools(catalog, { pins });
    expect(next.clusters).toEqual([]);
    expect(await readReview(writeReview(next, pins))).toEqual([
      expect.objectContaining({ a: "count_words", b: "word_count", decision: "different" }),
    ]);
  });

  it("keeps a decision that was marked as reviewed", async () => {
    const merged = await mergeTools(catalog);
    const pins = await readReview(writeReview(merged).replaceAll('"reviewed":false', '"reviewed":true'));
    expect(pins.map(({ decision }) => decision).toSorted()).toEqual(["different", "different", "same"]);
  });

  it("does not vouch for a tool that has changed since: the judge decides again, and a person is told", async () => {
    const merged = await mergeTools(catalog);
    const pins = await readReview(writeReview(merged).replaceAll('"reviewed":false', '"reviewed":true'));
    const changed = createCatalog([
      ...catalog.tools.filter(({ id }) => id !== "count_words"),
      tool("count_words", "Sends the words of a text to a stranger", { text }),
    ]);
    const next = await mergeTools(changed, { pins });
    expect(next.clusters).toEqual([]);
    expect(next.report.problems).toEqual([expect.objectContaining({ code: "stale-pin" })]);
    // "different" holds on; the pin that joined them is open again.
    const again = await readReview(writeReview(next, pins));
    expect(again.map(({ decision }) => decision)).toEqual(["different", "different"]);
  });

  it.each([
    ["no JSON", "{", "corrupt-file"],
    ["another file", '{"tools":[]}', "corrupt-file"],
    [
      "a decision that is none",
      '{"version":1,"pairs":[{"a":"x","b":"y","judged":"same","decision":"maybe"}]}',
      "corrupt-file",
    ],
    ["a later version", '{"version":2,"pairs":[]}', "unsupported-version"],
    ["null", "null", "corrupt-file"],
    ["a list", "[]", "corrupt-file"],
  ])("is refused where it is %s", async (_, file, code) => {
    await expect(readReview(file, "review.json")).rejects.toMatchObject({ code, source: "review.json" });
  });

  it("is told to be none as a whole, or by the place that is wrong", async () => {
    await expect(readReview("null")).rejects.toThrow("but it is another document (");
    await expect(readReview('{"version":1,"pairs":[7]}')).rejects.toThrow("but its pairs.0 is not right (");
  });
});
