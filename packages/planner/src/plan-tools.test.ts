import { describe, expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { checkCalls } from "./check-calls.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import type { PlanRequest } from "./plan-calls.ts";
import { planTools } from "./plan-tools.ts";
import type { ToolPlan } from "./describe-plan.ts";

const shop = graphOf(
  [
    testTool("find_customer", ["name"], ["customer_id"]),
    testTool("list_orders", ["customer_id"], ["order_id"]),
    testTool("refund_order", ["order_id"], ["receipt"]),
    testTool("send_mail", ["recipient_email", "text"]),
    testTool("create_customer", ["name"], ["customer_id"]),
  ],
  [
    ["find_customer#out/customer_id", "list_orders#in/customer_id"],
    ["create_customer#out/customer_id", "list_orders#in/customer_id"],
    ["list_orders#out/order_id", "refund_order#in/order_id"],
  ],
);

function planOf(
  graph: ToolHypergraph,
  query: string,
  subTasks: readonly (readonly [goal: string, ...tools: string[]])[],
  more: Partial<PlanRequest> = {},
): ToolPlan {
  using expansion = new DeficitExpansion(graph);
  const plan = planTools(expansion, {
    query,
    subTasks: subTasks.map(([goal, ...tools]) => ({
      goal,
      ids: Uint32Array.from(tools, (id) => graph.catalog.ordinalOf(id) ?? -1),
      scores: Float32Array.from(tools, (_, place) => 1 / (place + 1)),
    })),
    ...more,
  });
  expect(checkCalls(graph, plan.calls)).toEqual([]);
  return plan;
}

describe("planTools", () => {
  test("what a tool needs is brought by others first, along links", () => {
    const query = 'refund the last order of Ada Lovelace and mail ada@example.org "it is done"';
    const plan = planOf(shop, query, [
      ["refund the last order of Ada Lovelace", "refund_order"],
      ["mail ada@example.org about it", "send_mail"],
    ]);
    expect(plan.tools).toEqual(["find_customer", "list_orders", "refund_order", "send_mail"]);
    expect(plan.edges).toEqual([
      { from: "find_customer", output: "customer_id", to: "list_orders", input: "customer_id" },
      { from: "list_orders", output: "order_id", to: "refund_order", input: "order_id" },
    ]);
    expect(plan.subTasks.map((task) => task.tools)).toEqual([
      ["find_customer", "list_orders", "refund_order"],
      ["send_mail"],
    ]);
    expect(plan.missing).toEqual([]);
    // The mail goes out after the refund, though nothing flows between them.
    expect(plan.tasks.edges).toEqual([{ from: 0, to: 1, kind: "order", links: [] }]);
    expect(plan.tasks.groundedShare).toBe(0);
  });

  test("values come from the request where they fit", () => {
    const plan = planOf(shop, 'refund order #A17 of Ada and mail ada@example.org "done"', [
      ["refund order #A17", "refund_order"],
      ['mail ada@example.org "done"', "send_mail"],
    ]);
    expect(plan.tools).toEqual(["refund_order", "send_mail"]);
    const values = plan.calls.flatMap((call) =>
      call.inputs.map(({ source }) => ("value" in source ? source.value : source.kind)),
    );
    expect(values).toEqual(["A17", "ada@example.org", "done"]);
  });

  test("what nothing brings is missing and asked of the user", () => {
    const plan = planOf(shop, "send it", [["send it", "send_mail"]]);
    expect(plan.missing).toEqual([
      { tool: "send_mail", input: "recipient_email" },
      { tool: "send_mail", input: "text" },
    ]);
    expect(plan.questions[0]).toBe("What is `recipient_email` for send_mail?");
  });

  test("nothing is created only because it gives back an id, unless that is allowed", () => {
    const query = "list the orders of Ada";
    const without = planOf(shop, query, [[query, "list_orders"]], { exclude: Uint32Array.of(0) });
    expect([without.tools, without.missing]).toEqual([
      ["list_orders"],
      [{ tool: "list_orders", input: "customer_id" }],
    ]);
    const withIt = planOf(shop, query, [[query, "list_orders"]], { exclude: Uint32Array.of(0), allowMutating: true });
    expect(withIt.tools).toEqual(["create_customer", "list_orders"]);
  });

  test("one tool that feeds two inputs by the same output is called once for each", () => {
    const flights = graphOf(
      [
        testTool("find_airport", ["query"], ["airport_id"]),
        testTool("find_flight", ["origin_id", "destination_id"], ["flight"]),
      ],
      [
        ["find_airport#out/airport_id", "find_flight#in/origin_id"],
        ["find_airport#out/airport_id", "find_flight#in/destination_id"],
      ],
    );
    const plan = planOf(flights, "find a flight from Rome to Paris", [
      ["find a flight from Rome to Paris", "find_flight"],
    ]);
    expect(plan.calls.map((call) => flights.catalog.tools[call.tool]?.id)).toEqual([
      "find_airport",
      "find_airport",
      "find_flight",
    ]);
    expect(plan.calls.slice(0, 2).map((call) => call.inputs[0]?.source)).toEqual([
      { kind: "request", value: "Rome" },
      { kind: "request", value: "Paris" },
    ]);
    expect(plan.tools).toEqual(["find_airport", "find_flight"]);
  });

  test("an earlier sub-task's result serves a later one over a strong link", () => {
    const chain = graphOf(
      [testTool("find_hotel", ["city"], ["hotel"]), testTool("describe_place", ["hotel"], ["text"])],
      [["find_hotel#out/hotel", "describe_place#in/hotel", 0.6]],
    );
    const plan = planOf(chain, "find a hotel in Rome and describe it", [
      ["find a hotel in Rome", "find_hotel"],
      ["describe it (find a hotel in Rome)", "describe_place"],
    ]);
    expect(plan.edges).toEqual([{ from: "find_hotel", output: "hotel", to: "describe_place", input: "hotel" }]);
    expect(plan.tasks.groundedShare).toBe(1);
  });

  test("tools that need each other make no ring", () => {
    const ring = graphOf(
      [testTool("a", ["b_id"], ["a_id"]), testTool("b", ["a_id"], ["b_id"])],
      [
        ["a#out/a_id", "b#in/a_id"],
        ["b#out/b_id", "a#in/b_id"],
      ],
    );
    const plan = planOf(ring, "do both", [
      ["do a", "a"],
      ["do b", "b"],
    ]);
    expect(plan.calls.every((call, place) => call.after.every((before) => before.call < place))).toBe(true);
    expect(plan.missing.length).toBeGreaterThan(0);
  });

  test("a request without tools, and a catalog without tools, have an empty plan", () => {
    expect(planOf(shop, "sing", [["sing"]])).toMatchObject({
      tools: [],
      missing: [],
      subTasks: [{ goal: "sing", tools: [] }],
    });
    expect(planOf(graphOf([], []), "sing", [["sing"]]).calls).toEqual([]);
    expect(planOf(shop, "", []).subTasks).toEqual([]);
  });

  test("wrong columns are refused", () => {
    using expansion = new DeficitExpansion(shop);
    const subTasks = [{ goal: "x", ids: Uint32Array.of(9), scores: Float32Array.of(1) }];
    expect(() => planTools(expansion, { query: "x", subTasks })).toThrow(/below 5, but one is 9/);
    expect(() => planTools(expansion, { query: "x", subTasks: [], relevance: new Float32Array(2) })).toThrow(/5 tools/);
  });
});
