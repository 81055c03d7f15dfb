import { Validator } from "@cfworker/json-schema";
import { createCatalog, type MergeJudge, type Tool } from "@setwise/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyConverter, argumentsFor } from "../test/arguments-for.ts";
import { mergeTools } from "./merge-tools.ts";

/** Folds whatever can be called through one schema, so that schemas meet that a careful judge would keep apart. */
const generous: MergeJudge = { name: "generous", judge: async () => ({ same: true, reason: "It is a test." }) };

const isValid = (schema: object, value: unknown): boolean => new Validator(schema, "2020-12").validate(value).valid;

it("Every call that was valid for a member is possible afterwards and valid for the member it reaches", async () => {
  let folded = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyConverter, { minLength: 2, maxLength: 6 }).chain((drafts) => {
        const tools = drafts.map((draft, place): Tool => ({ ...draft, id: `tool-${place}`, original: null }));
        return fc.tuple(
          fc.constant(tools),
          fc.tuple(...tools.map((tool) => fc.array(argumentsFor(tool.inputSchema), { minLength: 2, maxLength: 4 }))),
        );
      }),
      async ([tools, calls]) => {
        const merged = await mergeTools(createCatalog(tools), { judge: generous });
        folded += merged.clusters.length;
        for (const [place, tool] of tools.entries()) {
          for (const given of calls[place] ?? []) {
            expect(isValid(tool.inputSchema, given)).toBe(true);
            const call = merged.translateCall({ tool: tool.id, arguments: given });
            const unified = merged.catalog.tools[merged.catalog.ordinalOf(call.tool) ?? -1];
            expect(isValid(unified?.inputSchema ?? {}, call.arguments)).toBe(true);
            const resolved = merged.resolve(call);
            if (resolved.status !== "resolved") throw new Error(resolved.reason);
            expect(isValid(resolved.member.inputSchema, resolved.arguments)).toBe(true);
            if (resolved.member.id === tool.id) expect(resolved.arguments).toEqual(given);
          }
        }
      },
    ),
    { numRuns: 300, seed: 20261130 },
  );
  // The test is worth nothing where nothing is folded.
  expect(folded).toBeGreaterThan(100);
});

it("Neither the order of the tools nor a second merge changes anything, whatever the tools", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyConverter, { minLength: 2, maxLength: 8 }), async (drafts) => {
      const tools = drafts.map((draft, place): Tool => ({ ...draft, id: `tool-${place}`, original: null }));
      const forwards = await mergeTools(createCatalog(tools));
      const backwards = await mergeTools(createCatalog(tools.toReversed()));
      expect(backwards.clusters.toSorted(byId)).toEqual(forwards.clusters.toSorted(byId));
      const again = await mergeTools(forwards.catalog);
      expect(again.clusters).toEqual([]);
    }),
    { numRuns: 200, seed: 7 },
  );
});

const byId = (a: { readonly representative: string }, b: { readonly representative: string }): number =>
  a.representative < b.representative ? -1 : 1;
