import { createCatalog } from "@setwise/core";
import { expect, test } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import { explainCandidate } from "./explain-candidate.ts";
import { retrieve } from "./retrieve.ts";

const index = buildIndex(
  createCatalog([
    tool("cancel_order", "Cancel an order that was not sent.", { properties: { order_id: {} } }),
    tool("update_order", "Change the items of an order."),
    tool("send_mail", "Mail a text to somebody.", { server: "post" }),
    tool("get_photo", "Fetch one."),
  ]),
);

test("each word is named with the fields that hold it", () => {
  const { sentence, children } = explainCandidate(index, "cancel my order", 0);
  expect(sentence).toBe('cancel_order matches "cancel" and "order" of the query.');
  expect(children.map((child) => child.sentence)).toEqual([
    '"cancel" is in the name and description',
    '"order" is in the name, description and parameters',
  ]);
});

test("what stands for a word of the query is named beside it", () => {
  const sentences = (query: string, ordinal: number): string[] =>
    explainCandidate(index, query, ordinal).children.map((child) => child.sentence);
  expect(sentences("modify it", 1)).toContain('"modify" (as "update") is in the name');
  expect(sentences("photography", 3)).toEqual(['"photography" (as "photo") is in the name']);
  expect(sentences("mail by post", 2)).toContain('"post" is in the server name');
});

test("the parts add up to the score that retrieve gives, with one clause and with several", () => {
  for (const query of [
    "cancel the order",
    "Cancel my order and then send a mail to Ada. Her name is Ada. Change the photos in 'order'.",
  ]) {
    const { ids, scores } = retrieve(index, query);
    expect(ids.length).toBeGreaterThan(1);
    for (const [place, ordinal] of ids.entries()) {
      const { value, children } = explainCandidate(index, query, ordinal);
      expect(value).toBe(scores[place]);
      expect(children.reduce((sum, child) => sum + child.value, 0)).toBeCloseTo(value, 5);
      for (const child of children) {
        expect(child.children.reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(child.value, 10);
      }
    }
  }
});

test("the parts add up with the caller's clauses and allowed tools", () => {
  const options = { clauses: ["cancel it", "order mails"], allow: Uint32Array.of(0, 2) };
  const { ids, scores } = retrieve(index, "cancel everything", options);
  expect([...ids].sort()).toEqual([0, 2]);
  for (const [place, ordinal] of ids.entries()) {
    const { children } = explainCandidate(index, "cancel everything", ordinal, options);
    expect(children.reduce((sum, child) => sum + child.value, 0)).toBeCloseTo(scores[place] ?? 0, 5);
  }
});

test("a tool without a word of the query says so", () => {
  expect(explainCandidate(index, "weather", 0)).toEqual({
    value: 0,
    sentence: "cancel_order has no word of the query.",
    children: [],
  });
});

test("an ordinal that the catalog has not is refused", () => {
  for (const ordinal of [-1, 4, 0.5, Number.NaN]) {
    expect(() => explainCandidate(index, "order", ordinal)).toThrow(expect.objectContaining({ code: "unknown-tool" }));
  }
});
