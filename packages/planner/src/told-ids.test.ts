import { createCatalog, type Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { buildHypergraph } from "./build-hypergraph.ts";
import { nodesOf, producersOf } from "./hypergraph.ts";
import { toldIds } from "./told-ids.ts";

const ids = (name: string, description = "", takes: readonly string[] = []): readonly string[] =>
  toldIds({
    id: name,
    name,
    description,
    inputSchema: { type: "object", properties: Object.fromEntries(takes.map((argument) => [argument, {}])) },
    original: undefined,
  }).map((id) => id.name);

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
  for (const one of ["the address", "status", "its analysis", "the latest news"]) {
    expect(ids("get_user", `Get a user, including ${one}.`)).toEqual([]);
  }
});

test("what is not included is not told of", () => {
  for (const part of ["not including their orders", "without including orders", "including all of its components"]) {
    expect(ids("get_user", `Gets a user by name, ${part}.`)).toEqual([]);
  }
  expect(ids("get_users_without_id")).toEqual([]);
});

test("an id that a tool takes or checks is not given by it", () => {
  expect(ids("get_user_id", "", ["userId"])).toEqual([]);
  expect(ids("validate_access_token", "", ["token"])).toEqual([]);
});

test("tools that change something tell of no ids", () => {
  expect(ids("reset_user_id")).toEqual([]);
  expect(ids("update_user", "Updates a user, including their orders.")).toEqual([]);
});

test("of a long description the beginning is read, and eight ids are enough", () => {
  expect(ids("get_x", `${" ".repeat(1_000)}including orders.`)).toEqual([]);
  const plurals = ["cats", "dogs", "cows", "pigs", "hens", "bees", "ants", "bats", "owls", "rats"];
  expect(ids("get_x", plurals.map((word) => `including ${word}.`).join(" "))).toHaveLength(8);
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
