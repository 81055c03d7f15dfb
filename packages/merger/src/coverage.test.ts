import { createCatalog } from "@setwise/core";
import { expect, it } from "vitest";
import { text, tool } from "../test/tool.ts";
import { mergeCoverage } from "./coverage.ts";
import { mergeTools } from "./merge-tools.ts";

it("Coverage counts calls that reach a member, and tools all of whose calls do", async () => {
  const merged = await mergeTools(
    createCatalog([
      tool("word_count", "Count the words in a text", { text }),
      tool("count_words", "Counts the words of a given text", { text, language: text }),
      tool("send_mail", "Send a mail", { address: text }),
    ]),
  );
  expect(merged.clusters).toHaveLength(1);
  const calls = [
    { tool: "count_words", arguments: { text: "a b", language: "en" } },
    { tool: "count_words", arguments: { text: "a b", language: "en" } },
    { tool: "count_words", arguments: { text: "a b", language: "en" } },
    // No member takes a number for a text.
    { tool: "count_words", arguments: { text: 1 } },
    { tool: "word_count", arguments: { text: "a" } },
    { tool: "send_mail", arguments: { address: "a@b" } },
    { tool: "gone", arguments: {} },
  ];
  // 5 of 7 calls; word_count and send_mail of 4 tools; of the 3 tools called three times or fewer, 2.
  expect(mergeCoverage(merged, calls)).toEqual({
    calls: 7,
    callCoverage: 5 / 7,
    capabilities: 4,
    capabilityCoverage: 2 / 4,
    rareCapabilities: 3,
    rareCoverage: 2 / 3,
  });
  expect(mergeCoverage(merged, [])).toMatchObject({ callCoverage: 1, capabilityCoverage: 1, rareCoverage: 1 });
});

it("Logged labels are covered where calls made up from the tool's schema still reach a member", async () => {
  const merged = await mergeTools(
    createCatalog([
      tool("word_count", "Count the words in a text", { text }),
      tool("count_words", "Counts the words of a given text", { text, language: text }),
      tool("send_mail", "Send a mail", { address: text }),
    ]),
  );
  const called = ["word_count", "count_words", "count_words", "count_words", "count_words", "send_mail", "gone"];
  // 6 of 7 calls, 3 of 4 tools; count_words was called more than three times, so 2 of 3 rare ones.
  expect(merged.coverageOf(called)).toEqual({
    calls: 7,
    callCoverage: 6 / 7,
    capabilities: 4,
    capabilityCoverage: 3 / 4,
    rareCapabilities: 3,
    rareCoverage: 2 / 3,
  });
});
