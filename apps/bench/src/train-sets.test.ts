import { createCatalog } from "@setwise/core";
import { buildIndex } from "@setwise/retriever";
import { readTools } from "setwise";
import { expect, test } from "vitest";
import { smallCatalogs, type TrainSet } from "./train-sets.ts";

function setOf(name: string, size: number, queries: number): TrainSet {
  const { tools } = readTools(
    Array.from({ length: size }, (_, i) => ({ name: `${name}_${i}`, description: "A tool." })),
  );
  const asked = Array.from({ length: queries }, (_, i) => ({
    id: `${i}`,
    query: `${name} ${i}`,
    tools: [`${name}_${i % size}`],
  }));
  return { name, tools, index: buildIndex(createCatalog(tools)), queries: asked };
}
const other = setOf("other", 5, 3);

test("small catalogs have 5 to 300 tools, all that their queries need among them", () => {
  const catalogs = smallCatalogs(setOf("large", 500, 20), [other]);
  for (const { index, own, foreign } of catalogs) {
    const ids = new Set(index.catalog.tools.map(({ id }) => id));
    expect(ids.size).toBeGreaterThanOrEqual(5);
    expect(ids.size).toBeLessThanOrEqual(300);
    expect(own.flatMap(({ tools }) => tools).filter((id) => !ids.has(id))).toEqual([]);
    expect(foreign.every(({ query }) => query.startsWith("other "))).toBe(true);
  }
  expect(new Set(catalogs.map(({ index }) => index.catalog.tools.length)).size).toBeGreaterThan(10);
});

// Each of these drew for ever, or gave tools that are none: a test that waits fails by its time.
test.each([
  ["three tools", setOf("few", 3, 3), [other]],
  ["no tools", { ...setOf("none", 5, 3), tools: [] }, [other]],
  ["tools with one id", { ...other, tools: other.tools.map(() => other.tools[0] as (typeof other.tools)[0]) }, [other]],
  ["no queries", { ...other, queries: [] }, [other]],
  ["no queries of others", other, [{ ...other, queries: [] }]],
  ["no others", other, []],
])("%s are refused and not waited for", (_, set, others) => {
  expect(() => smallCatalogs(set, others)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
});
