import { describe, expect, test } from "vitest";
import { clausesOf, givenClause, splitClauses } from "./split-clauses.ts";

describe("splitClauses", () => {
  test("sentences are clauses", () => {
    const { clauses, requests } = splitClauses("Book a flight to Rome. Then find a hotel near the station!");
    expect(clauses).toEqual(["Book a flight to Rome", "find a hotel near the station"]);
    expect(requests).toBe(2);
  });

  test.each([
    ["find the cheapest flight and send it to Ada", ["find the cheapest flight", "send it to Ada"]],
    ["read the last mail, and then delete it from the inbox", ["read the last mail", "delete it from the inbox"]],
    ["list my open tickets, close the oldest one", ["list my open tickets", "close the oldest one"]],
    ["convert it to dollars as well as check the weather", ["convert it to dollars", "check the weather"]],
    ["I need a hotel in Rome, I'd also like a rental car", ["I need a hotel in Rome", "I'd also like a rental car"]],
  ])("a request joined to another is a clause of its own: %s", (query, expected) => {
    expect(splitClauses(query)).toEqual({ clauses: expected, requests: expected.length });
  });

  test.each([
    "find the distance between Rome and Paris",
    "buy bread and butter",
    "compare apples, pears and plums",
    "Ask Dr. Smith, e.g. about version 2.5",
  ])("what belongs together is not split: %s", (query) => {
    expect(splitClauses(query).clauses).toEqual([query]);
  });

  test("sentences that ask for nothing are clauses but no requests", () => {
    const { clauses, requests } = splitClauses("Your name is Ada Lovelace. You are polite. Cancel the order #12.");
    expect(clauses).toHaveLength(3);
    expect(requests).toBe(1);
  });

  test("there is at least one clause and one request, even of nothing", () => {
    expect(splitClauses("")).toEqual({ clauses: [""], requests: 1 });
    expect(splitClauses(" ?!. ")).toEqual({ clauses: ["?!."], requests: 1 });
    expect(splitClauses("grep")).toEqual({ clauses: ["grep"], requests: 1 });
  });

  test("other scripts are split at the ends of their sentences", () => {
    expect(splitClauses("今天天气怎么样？帮我订机票。").clauses).toEqual(["今天天气怎么样", "帮我订机票"]);
  });

  test("no more than twelve clauses are made, however long the query", () => {
    expect(splitClauses("Send a mail to Ada. ".repeat(40)).clauses).toHaveLength(12);
    expect(splitClauses(", and ".repeat(20_000)).clauses.length).toBeGreaterThan(0);
  });

  test("the same query always gives the same clauses", () => {
    const query = "First find a hotel, then book it; finally tell me the price and thank the staff.";
    expect(splitClauses(query)).toEqual(splitClauses(query));
  });
});

test("a clause knows whether it asks for something", () => {
  const asks = (text: string): boolean => givenClause(text).isRequest;
  expect(["cancel my order", "could you check it", "what is new", "I need a car", "to find a car"].map(asks)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(["Your name is Ada", "it was a good day"].map(asks)).toEqual([false, false]);
  expect(clausesOf("My name is Ada Lovelace. Cancel my order.").map((clause) => clause.isRequest)).toEqual([
    false,
    true,
  ]);
});
