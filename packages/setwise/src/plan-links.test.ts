import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSelector } from "./create-selector.ts";
import { loadTools } from "./load-tools.ts";
import type { ReadyCall } from "@setwise/planner";

/** A library whose cards are the readers of its loans; nothing in the names says so. */
const document = (links: object): object => {
  const text = (description: string): object => ({ type: "string", description });
  const answer = (properties: object, more: object = {}): object => ({
    200: { content: { "application/json": { schema: { type: "object", properties } } }, ...more },
  });
  return {
    openapi: "3.0.3",
    info: { title: "Library" },
    paths: {
      "/cards/search": {
        get: {
          operationId: "searchCards",
          summary: "Look up a card",
          parameters: [{ name: "name", in: "query", required: true, schema: text("Full name of the person") }],
          responses: answer({ data: { type: "object", properties: { serial: text("Serial") } } }, { links }),
        },
      },
      "/readers/{reader_id}/loans": {
        get: {
          operationId: "listLoans",
          summary: "List the loans of a reader",
          parameters: [{ name: "reader_id", in: "path", required: true, schema: text("Reader") }],
          responses: answer({ titles: { type: "array", items: text("Title") } }),
        },
      },
    },
  };
};
const links = {
  loans: { operationId: "listLoans", parameters: { reader_id: "$response.body#/data/serial" } },
};
const query = "List the loans of the reader Ada Lovelace";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-links-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("A plan takes a value along a link of the tools' own document, and carries it from answer to call", async () => {
  const without = await createSelector({ tools: document({}) });
  expect((await without.plan(query)).plan).toMatchObject({ tools: ["listLoans"], edges: [] });

  const file = join(folder, "library.json");
  await writeFile(file, JSON.stringify(document(links)));
  const selector = await createSelector({ tools: await loadTools([file]) });
  const planned = await selector.plan(query);
  expect(planned.problems).toEqual([]);
  expect(planned.plan.edges).toEqual([
    { from: "searchCards", output: "data/serial", to: "listLoans", input: "reader_id" },
  ]);

  const calls: (readonly [string, unknown])[] = [];
  const execute = async (call: ReadyCall): Promise<unknown> => {
    calls.push([call.tool, call.arguments]);
    return call.tool === "searchCards" ? { data: { serial: "S-7" } } : { titles: ["Notes"] };
  };
  expect((await planned.carryOut({ execute })).state.status).toBe("done");
  expect(calls).toEqual([
    ["searchCards", { name: "Ada Lovelace" }],
    ["listLoans", { reader_id: "S-7" }],
  ]);
});

it("What a person says of a link stands above the document, and new tools bring their own links", async () => {
  const edges = [
    { from: { tool: "searchCards", output: "/data/serial" }, to: { tool: "listLoans", input: "reader_id" }, weight: 0 },
  ];
  const forbidding = await createSelector({ tools: document(links), edges });
  expect((await forbidding.plan(query)).plan.edges).toEqual([]);

  const selector = await createSelector({ tools: document({}) });
  await selector.plan(query);
  await selector.update(document(links));
  expect((await selector.plan(query)).plan.tools).toEqual(["searchCards", "listLoans"]);
});

it("A link from a place that the answer is not said to have is told of and not followed", async () => {
  const wrong = { loans: { operationId: "listLoans", parameters: { reader_id: "$response.body#/data/number" } } };
  const selector = await createSelector({ tools: document(wrong) });
  const { plan, problems } = await selector.plan(query);
  expect(plan.edges).toEqual([]);
  expect(problems).toEqual([
    {
      code: "graph",
      message: "An edge names the output searchCards#out/data/number, which is not there; it was left out.",
    },
  ]);
});
