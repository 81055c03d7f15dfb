import { expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { drivePlan, startPlan } from "./drive-plan.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import type { PlanRequest } from "./plan-calls.ts";
import { replayTrace } from "./replay-trace.ts";
import type { TraceEvent } from "./run-trace.ts";

const graph = graphOf(
  [testTool("get_user", [], ["user_id"]), testTool("get_orders", ["user_id"], ["order_id"])],
  [["get_user#out/user_id", "get_orders#in/user_id"]],
);
const expansion = new DeficitExpansion(graph);
const request: PlanRequest = {
  query: "the orders",
  subTasks: [{ goal: "the orders", ids: Uint32Array.of(1), scores: Float32Array.of(1) }],
};
const answered =
  (value: unknown) =>
  async ({ tool }: { readonly tool: string }): Promise<unknown> =>
    tool === "get_user" ? value : { order_id: "o" };

const called = { kind: "called", call: 0, tool: "get_user", arguments: {} };
test.each([
  [null],
  [[null]],
  [[{}]],
  [[{ kind: "x" }]],
  [[{ ...called, tool: "z" }]],
  [[{ ...called, arguments: { other: 1 } }]],
  [[{ kind: "called", call: 0, tool: "get_user" }]],
  [[{ kind: "result", call: 0 }]],
  [[called, { kind: "error", call: 0 }]],
  [[called, { kind: "result", value: {} }]],
  [[{ kind: "answered", input: "x" }]],
])("a trace that no run of the plan wrote is refused: %j", (trace) => {
  expect(() => replayTrace(expansion, request, trace as unknown as TraceEvent[])).toThrow(
    expect.objectContaining({ code: "corrupt-file" }),
  );
});

test.each([
  [
    "has a getter that throws",
    {
      get user_id() {
        throw new Error("not now");
      },
    },
  ],
  [
    "cannot be read at all",
    new Proxy(
      {},
      {
        get() {
          throw new Error("not now");
        },
        getOwnPropertyDescriptor() {
          throw new Error("not now");
        },
      },
    ),
  ],
  ["has an empty id", { user_id: "" }],
])("a result that %s is a failure of its call, and nothing rests on it", async (_, result) => {
  const run = startPlan(expansion, request, { maxFailures: 1 });
  const state = await drivePlan(run, { execute: answered(result) });
  expect(state.status).toBe("stuck");
  expect(state.calls[0]).toEqual({ call: 0, tool: "get_user", status: "failed" });
});

test("what is thrown may be anything, also what has no text", async () => {
  const run = startPlan(expansion, request);
  const execute = async (): Promise<unknown> => {
    throw Object.create(null);
  };
  const state = await drivePlan(run, { execute });
  expect(state.calls.map(({ status }) => status)).not.toContain("running");
  expect(run.trace).toContainEqual({ kind: "error", call: 0, message: "what was thrown is no error and has no text" });
  expect(replayTrace(expansion, request, run.trace).state).toEqual(state);
});
