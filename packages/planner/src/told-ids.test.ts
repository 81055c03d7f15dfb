import type { Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { createCatalog } from "@setwise/core";
import { buildHypergraph } from "./build-hypergraph.ts";
import { nodesOf, producersOf } from "./hypergraph.ts";
import { toldIds } from "./told-ids.ts";

const ids = (name: string, description = ""): readonly string[] =>
  toldIds({ id: name, name, description, inputSchema: { type: "object" }, original: undefined } as Tool);

test("a name that ends with an id says what is given, up to what one asks with", () => {
  expect(ids("find_user_id_by_email")).toEqual(["user_id"]);
  expect(ids("getSessionToken")).toEqual(["session_token"]);
  expect(ids("get_user_details")).toEqual([]);
  expect(ids("get_user_by_id")).toEqual([]);
  expect(ids("find_id")).toEqual([]);
});

test("what is included in plural comes with its ids", () => {
  expect(ids("get_user", "Get the details of a user, including their orders.")).toEqual(["order_id"]);
  expect(ids("get_board", "A board including all open issues and its name")).toEqual(["open_issue_id"]);
  expect(ids("get_user", "Get a user, including the address.")).toEqual([]);
});

test("tools that change something tell of no ids", () => {
  expect(ids("reset_user_id")).toEqual([]);
  expect(ids("update_user", "Updates a user, including their orders.")).toEqual([]);
});

test("a hostile description is read in linear time and gives few ids", () => {
  expect(ids("get_x", "including ".repeat(20_000)).length).toBeLessThanOrEqual(8);
  expect(ids("get_x", `including ${"a ".repeat(50_000)}s`).length).toBeLessThanOrEqual(8);
});

test("what is told of is linked to what takes it, half as much as what a schema says", () => {
  const taking = (id: string, argument: string): Tool => ({
    id,
    name: id,
    description: "",
    inputSchema: { type: "object", properties: { [argument]: { type: "string" } }, required: [argument] },
    original: undefined,
  });
  const user = { type: "object", properties: { user_id: { type: "string" } } };
  const weightFrom = (finder: Tool): number => {
    const graph = buildHypergraph(createCatalog([finder, taking("delete_user", "user_id")]));
    return producersOf(graph, nodesOf(graph, 1, "takes")[0] ?? -1)[0]?.weight ?? 0;
  };
  const told = weightFrom(taking("find_user_id_by_email", "email"));
  const said = weightFrom({ ...taking("find_user_id_by_email", "email"), outputSchema: user });
  expect(told).toBeGreaterThan(0.3);
  expect(told).toBeLessThanOrEqual(0.5);
  expect(said).toBeGreaterThan(0.7);
});
