import { describe, expect, it } from "vitest";
import { compare } from "./compare.ts";
import { formatReport } from "./format-report.ts";
import { htmlReport } from "./html-report.ts";
import { measure, type Pipeline } from "./measure.ts";
import { summarise } from "./summarise.ts";

const toolIds = ["a", "b", "c"];
const hostile = `</title><script>alert(1)</script><img src=x onerror="x">\u001B[31m`;
const queries = [
  { id: "1", query: "one", tools: ["a"], subset: hostile },
  { id: "2", query: "two", tools: ["a", "b"], subset: "plain" },
  { id: "3", query: "three", tools: [], subset: "plain" },
];
const pipeline: Pipeline = ({ id }) => ({
  ranking: ["a", "c", "b"],
  selected: id === "3" ? [] : ["a"],
  tokens: { before: 1500, after: 150 },
  probabilities: new Map([
    ["a", 0.8],
    ["b", 0.3],
  ]),
  called: ["a"],
});
const measurement = await measure(pipeline, queries, { toolIds, now: () => 0 });
const report = summarise(measurement, {
  pricePerMillionTokens: 3,
  run: { pipeline: `mine ${hostile}`, seeds: { split: 4 }, versions: { setwise: "9.9.9" } },
});
const comparisons = compare({ name: "theirs", measurement }, [{ name: hostile, measurement }]);

describe("formatReport", () => {
  const text = formatReport(report, comparisons);
  it("shows what was measured, by size and by subset", () => {
    // F1: 1, 2/3 and 1; recall@1 1 and 1/2, @3 all: see the columns.
    expect(text).toMatch(/^ranking +@1 +@3 +@5 +@10$/m);
    expect(text).toMatch(/^Recall +75\.0 +100\.0 +100\.0 +100\.0$/m);
    expect(text).toMatch(/^all +3 +100\.0 +83\.3 +88\.9 +66\.7 +66\.7 +0\.7 +150$/m);
    expect(text).toMatch(/^right set of 2 +1 +100\.0 +50\.0 +66\.7 +0\.0 +0\.0 +1\.0 +150$/m);
    expect(text).toContain("1,500 before, 150 after: 90.0 % saved");
    expect(text).toContain("refused    100.0 % of 1 that no tool serves");
    // 1,000 queries of 1,500 tokens at 3 a million: 4.50.
    expect(text).toContain("4.50 before, 0.45 after, for 1,000 queries");
  });

  it("says by which versions, seeds and tests", () => {
    expect(text).toContain("setwise 9.9.9");
    expect(text).toContain("seeds: split 4");
    expect(text).toContain("paired bootstrap of 10000 (seed 7)");
  });

  it("lets no control character of a name through", () => {
    expect(text).not.toContain("\u001B");
  });
});

describe("htmlReport", () => {
  const html = htmlReport(report, comparisons);
  it("holds no tag of a hostile name, runs nothing and fetches nothing", () => {
    expect(html).not.toMatch(/<script|<img|onerror="/);
    expect(html).not.toContain("\u001B");
    expect(html).toContain("&#60;script&#62;");
    const tags = html.match(/<[^>]+>/g)?.join("") ?? "";
    expect(tags).not.toMatch(/\b(?:src|href|srcset|action)\s*=/);
    expect(html).not.toMatch(/url\(|@import/);
    expect(html).toContain("default-src 'none'");
  });

  it("closes what it opens", () => {
    const open: string[] = [];
    for (const [, closing, name = "", self] of html.matchAll(/<(\/?)([a-z1-6]+)[^>]*?(\/?)>/g)) {
      if (self === "/" || name === "meta") continue;
      if (closing === "/") expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  it("draws the reliability diagram, the groups and the differences", () => {
    expect(html.match(/<svg /g)).toHaveLength(4);
    expect(html).toContain("3 tools believed in at 0.80 on average, 0.67 right");
    expect(html).toContain("seeds: split 4");
    expect(html).not.toMatch(/NaN|undefined/);
  });
});

it("a report that is written as JSON and read again is the same", () => {
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});
