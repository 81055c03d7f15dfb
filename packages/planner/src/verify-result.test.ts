import { createCatalog, type Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { buildHypergraph } from "./build-hypergraph.ts";
import { nodesOf } from "./hypergraph.ts";
import { resultProblem } from "./verify-result.ts";

const tool = (name: string, description: string, outputSchema?: Record<string, unknown>): Tool => ({
  id: name,
  name,
  description,
  inputSchema: { type: "object", properties: {} },
  ...(outputSchema === undefined ? {} : { outputSchema }),
  original: undefined,
});
const problem = (of: Tool, result: unknown): string | undefined =>
  resultProblem(buildHypergraph(createCatalog([of])), { tool: 0, wanted: [], isTerminal: true }, result);

test("a tool that only tells of ids may give back anything but nothing", () => {
  const finder = tool("find_user_id_by_email", "Find a user id.");
  expect(problem(finder, "sara_doe_496")).toBeUndefined();
  expect(problem(finder, { name: "Sara" })).toBeUndefined();
  expect(problem(tool("get_user", "A user, including their orders."), { name: "Sara" })).toBeUndefined();
  expect(problem(finder, "")).toBe("find_user_id_by_email found nothing.");
});

test("a tool with a schema has to give back something of what that says", () => {
  const said = tool("get_user", "A user.", { type: "object", properties: { email: { type: "string" } } });
  expect(problem(said, { email: "a@b.c" })).toBeUndefined();
  expect(problem(said, { other: 1 })).toBe("get_user gave back none of what it says it gives.");
});

test("a value that a later call needs must be there", () => {
  const taker: Tool = {
    ...tool("delete_user", "Deletes a user."),
    inputSchema: { type: "object", properties: { user_id: { type: "string" } }, required: ["user_id"] },
  };
  const graph = buildHypergraph(createCatalog([tool("find_user_id_by_email", "Find a user id."), taker]));
  const output = graph.nodeOf("find_user_id_by_email#out/user_id") ?? -1;
  const wanted = [{ output, input: nodesOf(graph, 1, "takes")[0] ?? -1 }];
  expect(resultProblem(graph, { tool: 0, wanted, isTerminal: false }, "u1")).toBeUndefined();
  expect(resultProblem(graph, { tool: 0, wanted, isTerminal: false }, "Error: user not found")).toMatch(
    /has no value for delete_user#in\/user_id/,
  );
});
