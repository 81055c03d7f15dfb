import { createCatalog } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { buildHypergraph } from "./build-hypergraph.ts";
import { drivePlan, startPlan } from "./drive-plan.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import type { PlanRequest } from "./plan-calls.ts";
import { replayTrace } from "./replay-trace.ts";
import type { PlanRun } from "./run-plan.ts";
import type { ReadyCall } from "./run-state.ts";

const tools = [
  testTool("find_customer", ["name"], ["customer_id"]),
  testTool("search_people", ["name"], ["person_id"]),
  testTool("list_orders", ["customer_id"], ["order_id"]),
  testTool("refund_order", ["order_id"], ["receipt"]),
];
const graph = graphOf(tools, [
  ["find_customer#out/customer_id", "list_orders#in/customer_id", 0.9],
  ["search_people#out/person_id", "list_orders#in/customer_id", 0.5],
  ["list_orders#out/order_id", "refund_order#in/order_id"],
]);
const expansion = new DeficitExpansion(graph);
const query = "refund the last order of Ada Lovelace";
const request: PlanRequest = {
  query,
  subTasks: [{ goal: query, ids: Uint32Array.of(3), scores: Float32Array.of(1) }],
};

/** Tools that answer like this; a function may throw. */
const server =
  (answers: Readonly<Record<string, (given: ReadyCall["arguments"]) => unknown>>) =>
  async (call: ReadyCall): Promise<unknown> => {
    const answer = answers[call.tool];
    if (answer === undefined) throw new Error(`${call.tool} is not there`);
    return answer(call.arguments);
  };

const good = {
  find_customer: () => ({ customer_id: "C1" }),
  list_orders: ({ customer_id }: ReadyCall["arguments"]) => ({ order_id: `O-${String(customer_id)}` }),
  refund_order: ({ order_id }: ReadyCall["arguments"]) => ({ receipt: `R-${String(order_id)}` }),
};
const kinds = (run: PlanRun): readonly string[] => run.trace.map((event) => event.kind);

describe("a run that is driven", () => {
  test("binds what earlier calls gave back and ends done", async () => {
    const run = startPlan(expansion, request);
    const state = await drivePlan(run, { execute: server(good) });
    expect(state.status).toBe("done");
    expect(state.bindings).toEqual([
      { call: 0, input: "find_customer#in/name", value: "Ada Lovelace" },
      { call: 1, input: "list_orders#in/customer_id", value: "C1" },
      { call: 2, input: "refund_order#in/order_id", value: "O-C1" },
    ]);
    expect(kinds(run)).toEqual(["called", "result", "called", "result", "called", "result"]);
  });

  test("plans anew without the tool that failed, and its trace gives the same state again", async () => {
    const run = startPlan(expansion, request);
    const broken = {
      ...good,
      find_customer: () => Promise.reject(new Error("503")),
      search_people: () => ({ person_id: "P7" }),
    };
    const state = await drivePlan(run, { execute: server(broken) });
    expect(state.status).toBe("done");
    expect(state.calls.map((call) => `${call.tool} ${call.status}`)).toEqual([
      "find_customer failed",
      "search_people done",
      "list_orders done",
      "refund_order done",
    ]);
    const written = JSON.parse(JSON.stringify(run.trace)) as typeof run.trace;
    const again = replayTrace(expansion, request, written);
    expect(again.state).toEqual(state);
    expect(again.trace).toEqual(run.trace);
  });

  test.each([
    ["breaks its schema", { customer_id: 17 }, /expected "string", but it is 17/],
    ["lacks what was wanted", { name: "Ada" }, /no value for list_orders#in\/customer_id/],
    ["is null where a value was wanted", { customer_id: null }, /no value for/],
  ])("a result that %s is rejected", async (_, answer, reason) => {
    const run = startPlan(expansion, request);
    const state = await drivePlan(run, {
      execute: server({ ...good, find_customer: () => answer, search_people: () => ({ person_id: "P7" }) }),
    });
    expect(state.status).toBe("done");
    expect(run.trace.find((event) => event.kind === "rejected")?.reason).toMatch(reason);
  });

  test("lets no other tool stand in for a change that failed, until the user says something new", async () => {
    const both = {
      ...request,
      subTasks: [{ goal: query, ids: Uint32Array.of(3, 2), scores: Float32Array.of(1, 0.9) }],
    };
    const run = startPlan(expansion, both);
    const declined = { ...good, refund_order: () => Promise.reject(new Error("card expired")) };
    const state = await drivePlan(run, { execute: server(declined) });
    expect(state.status).toBe("stuck");
    expect(state.subTasks).toEqual(["failed"]);
    expect(state.calls.map(({ tool }) => tool)).toEqual(["find_customer", "list_orders", "refund_order"]);
    run.answer("refund_order#in/order_id", "O-2");
    const again = await drivePlan(run, { execute: server(good) });
    expect(again.status).toBe("done");
    expect(again.bindings.at(-1)).toMatchObject({ input: "refund_order#in/order_id", value: "O-2" });
  });

  test("asks for what a tool in the middle was to bring, where no other brings it", async () => {
    const run = startPlan(expansion, request);
    const broken = { ...good, list_orders: () => Promise.reject(new Error("timeout")) };
    const state = await drivePlan(run, { execute: server(broken) });
    expect(state.status).toBe("needs-user");
    expect(state.questions.map(({ input }) => input)).toEqual(["refund_order#in/order_id"]);
  });

  test("a tool of which nobody knows what it does may give back nothing", async () => {
    const skip = testTool("skip_track", [], []);
    const only = new DeficitExpansion(buildHypergraph(createCatalog([skip])));
    const asked = { query: "skip", subTasks: [{ goal: "skip", ids: Uint32Array.of(0), scores: Float32Array.of(1) }] };
    const run = startPlan(only, asked);
    expect((await drivePlan(run, { execute: () => Promise.resolve(undefined) })).status).toBe("done");
  });

  test("gives a sub-task back to the caller after two failures", async () => {
    const run = startPlan(expansion, request);
    const state = await drivePlan(run, { execute: server({}) });
    expect(state).toMatchObject({ status: "stuck", subTasks: ["failed"] });
    expect(state.calls.map((call) => call.tool)).toEqual(["find_customer", "search_people"]);
    expect(kinds(run)).toContain("gave-up");
  });

  test("makes no more calls than allowed", async () => {
    const run = startPlan(expansion, request, { maxCalls: 2 });
    expect((await drivePlan(run, { execute: server(good) })).status).toBe("out-of-budget");
  });

  test("stops when the signal fires, with what was learned", async () => {
    const controller = new AbortController();
    const run = startPlan(expansion, request);
    const execute = server({
      ...good,
      list_orders: () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    const state = await drivePlan(run, { execute, signal: controller.signal });
    expect(state.status).toBe("aborted");
    expect(state.bindings).toContainEqual({ call: 1, input: "list_orders#in/customer_id", value: "C1" });
    expect(run.take()).toEqual([]);
    expect(replayTrace(expansion, request, run.trace).state).toEqual(state);
    const never = await drivePlan(startPlan(expansion, request), { execute, signal: AbortSignal.abort() });
    expect([never.status, never.calls.filter((call) => call.status !== "waiting")]).toEqual(["aborted", []]);
  });
});

describe("a run that the caller drives", () => {
  const asking: PlanRequest = { ...request, query: "refund her last order" };

  test("asks what only the user knows, and goes on when it is said", () => {
    const run = startPlan(expansion, asking);
    expect([run.status, run.take()]).toEqual(["needs-user", []]);
    expect(run.questions).toEqual([
      { call: 0, input: "find_customer#in/name", tool: "find_customer", question: "What is `name` for find_customer?" },
    ]);
    run.answer("find_customer#in/name", "Ada");
    expect(run.take()).toMatchObject([{ tool: "find_customer", arguments: { name: "Ada" } }]);
  });

  test("a fact that was not asked for makes calls needless", () => {
    const run = startPlan(expansion, asking);
    run.answer("refund_order#in/order_id", "O9");
    expect(run.take()).toMatchObject([{ tool: "refund_order", arguments: { order_id: "O9" }, unfilled: [] }]);
    run.report(run.state.calls.findLast((call) => call.status === "running")?.call ?? -1, { result: { receipt: "R" } });
    expect(run.status).toBe("done");
  });

  test("refuses reports and answers of what is not there", () => {
    const run = startPlan(expansion, request);
    expect(() => run.report(0, { result: {} })).toThrow(/not under way/);
    expect(() => run.answer("nobody#in/x", 1)).toThrow(/There is no input/);
    expect(() => startPlan(expansion, request, { maxCalls: 0 })).toThrow(/at least 1/);
    expect(() => replayTrace(expansion, request, [{ kind: "called", call: 5, tool: "sing", arguments: {} }])).toThrow(
      /the plan calls find_customer/,
    );
  });

  test("an empty catalog has nothing to run", () => {
    const empty = new DeficitExpansion(graphOf([], []));
    const run = startPlan(empty, {
      query: "sing",
      subTasks: [{ goal: "sing", ids: new Uint32Array(0), scores: new Float32Array(0) }],
    });
    expect(run.state).toMatchObject({ status: "stuck", subTasks: ["no-tool"], calls: [] });
  });
});

describe("what the user says", () => {
  const requestFor = ({ graph: { catalog } }: DeficitExpansion, id: string): PlanRequest => {
    const ids = Uint32Array.of(catalog.ordinalOf(id) ?? -1);
    return { query: id, subTasks: [{ goal: id, ids, scores: Float32Array.of(1) }] };
  };
  const wanted = (subject: DeficitExpansion, id: string, more: Partial<PlanRequest> = {}): PlanRun =>
    startPlan(subject, { ...requestFor(subject, id), ...more });

  test("is kept for the call that asked: origin and destination are two cities", async () => {
    const flights = new DeficitExpansion(
      graphOf(
        [
          testTool("airport_code", ["city"], ["iata_code"]),
          testTool("search_flights", ["origin_code", "destination_code"], ["flight"]),
        ],
        [
          ["airport_code#out/iata_code", "search_flights#in/origin_code"],
          ["airport_code#out/iata_code", "search_flights#in/destination_code"],
        ],
      ),
    );
    const run = wanted(flights, "search_flights");
    expect(run.questions.map(({ call, input }) => [call, input])).toEqual([
      [0, "airport_code#in/city"],
      [1, "airport_code#in/city"],
    ]);
    const cities = ["Rome", "Oslo"];
    const state = await drivePlan(run, {
      execute: async (call) =>
        call.tool === "airport_code" ? { iata_code: `${String(call.arguments["city"])}-1` } : { flight: "F1" },
      ask: async () => cities.shift(),
    });
    expect(state.bindings.map(({ value }) => value)).toEqual(["Rome", "Oslo", "Rome-1", "Oslo-1"]);
    expect(replayTrace(flights, requestFor(flights, "search_flights"), run.trace).state).toEqual(state);
    expect(() => run.answer("airport_code#in/city", "Bonn", 7)).toThrow(/Call 7 does not wait/);
  });

  test("of a precondition only `true` makes the call", () => {
    const catalog = createCatalog([testTool("login"), testTool("send_tweet")]);
    const edges = [{ from: { tool: "login" }, to: { tool: "send_tweet" } }];
    const subject = new DeficitExpansion(buildHypergraph(catalog, { edges }));
    for (const [said, status, calls] of [
      [false, "stuck", 0],
      ["no", "stuck", 0],
      [true, "ready", 1],
    ] as const) {
      const run = wanted(subject, "send_tweet", { exclude: Uint32Array.of(0) });
      expect(run.questions.map(({ input }) => input)).toEqual(["send_tweet#pre/login"]);
      run.answer("send_tweet#pre/login", said);
      expect([run.status, run.take().length]).toEqual([status, calls]);
    }
  });

  test("a correction that nobody asked for holds for every call", () => {
    const run = wanted(expansion, "refund_order");
    run.answer("find_customer#in/name", "Ada");
    run.answer("find_customer#in/name", "Grace");
    expect(run.take()).toMatchObject([{ tool: "find_customer", arguments: { name: "Grace" } }]);
  });
});

test("a type that JSON Schema does not know rejects no result", () => {
  const taker = testTool("get_user", [], ["name"], {
    inputSchema: { type: "object", required: ["user_id"], properties: { user_id: { type: "uuid" } } },
  });
  const subject = new DeficitExpansion(
    graphOf([testTool("find_user", [], ["user_id"]), taker], [["find_user#out/user_id", "get_user#in/user_id"]]),
  );
  const run = startPlan(subject, {
    query: "get",
    subTasks: [{ goal: "get", ids: Uint32Array.of(1), scores: Float32Array.of(1) }],
  });
  const [first] = run.take();
  run.report(first?.call ?? -1, { result: { user_id: "u1" } });
  expect(run.take()).toMatchObject([{ tool: "get_user", arguments: { user_id: "u1" } }]);
});
