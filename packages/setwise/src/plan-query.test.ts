import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReadyCall } from "@setwise/planner";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSelector } from "./create-selector.ts";
import { openEncoder } from "./open-encoder.ts";
import type { PlanOptions } from "./plan-query.ts";
import type { Selector } from "./selector.ts";

interface Described {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
}

function tool(name: string, description: string, takes: object, gives: object): Described {
  const inputSchema = { type: "object", properties: takes, required: Object.keys(takes) };
  return {
    name,
    description,
    inputSchema,
    outputSchema: { type: "object", properties: gives, required: Object.keys(gives) },
  };
}

const text = (description: string): object => ({ type: "string", description });
const tools = [
  tool(
    "find_customer",
    "Find a customer by name.",
    { name: text("Full name of the customer") },
    { customer_id: text("Id of the customer") },
  ),
  tool(
    "search_customers",
    "Search the archive of customers.",
    { name: text("Name of the customer") },
    { customer_id: text("Id of the customer") },
  ),
  tool(
    "list_orders",
    "List the orders of a customer, newest first.",
    { customer_id: text("Id of the customer") },
    { order_id: text("Id of the order") },
  ),
  tool(
    "refund_order",
    "Refund an order.",
    { order_id: text("Id of the order") },
    { receipt: text("Number of the receipt") },
  ),
  tool(
    "send_mail",
    "Send a mail.",
    { recipient_email: text("Address of the recipient"), text: text("What to say") },
    { sent: { type: "boolean" } },
  ),
  tool("get_weather", "Weather for a city.", { city: text("Name of the city") }, { forecast: text("The forecast") }),
];
const query =
  'Refund the last order of Ada Lovelace. Then send a mail to ada@example.org with the text "it is refunded".';

/** What the shop answers; a customer is not found where people look first. */
const shop: Readonly<Record<string, (given: Record<string, unknown>) => readonly [status: number, body: unknown]>> = {
  find_customer: () => [503, { error: "try later" }],
  search_customers: ({ name }) => [200, { customer_id: name === "Ada Lovelace" ? "C-7" : null }],
  list_orders: ({ customer_id }) => [200, { order_id: `${String(customer_id)}-9` }],
  refund_order: ({ order_id }) => [200, { receipt: `R-${String(order_id)}` }],
  send_mail: ({ recipient_email }) => [200, { sent: recipient_email === "ada@example.org" }],
};

let server: Server;
let selector: Selector;
const seen: string[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const name = (request.url ?? "").slice(1);
    const given = await bodyOf(request);
    seen.push(name);
    const [status, body] = shop[name]?.(given) ?? [404, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  selector = await createSelector({ tools: { tools } });
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

async function execute(call: ReadyCall): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/${call.tool}`, {
    method: "POST",
    body: JSON.stringify(call.arguments),
  });
  if (!response.ok) throw new Error(`${call.tool} answered ${response.status}`);
  return response.json();
}

describe("selector.plan", () => {
  it("says which tools to call in which order, what flows between them, and what is missing", async () => {
    const { plan, problems, mermaid } = await selector.plan(query);
    expect(plan.tools).toEqual(["find_customer", "list_orders", "refund_order", "send_mail"]);
    expect(plan.edges).toEqual([
      { from: "find_customer", output: "customer_id", to: "list_orders", input: "customer_id" },
      { from: "list_orders", output: "order_id", to: "refund_order", input: "order_id" },
    ]);
    expect(plan.missing).toEqual([]);
    expect(problems).toEqual([]);
    expect(mermaid()).toContain('call0 -->|"customer_id → customer_id"| call1');
  });

  it("is carried out against a server: an id is found first, a call fails, the rest is planned anew, and the trace gives the same state", async () => {
    const planned = await selector.plan(query);
    const run = await planned.carryOut({ execute, maxCalls: 10 });
    const { state } = run;
    expect(state.status).toBe("done");
    expect(seen).toEqual(["find_customer", "search_customers", "list_orders", "refund_order", "send_mail"]);
    expect(state.bindings.map(({ input, value }) => [input, value])).toEqual(
      expect.arrayContaining([
        ["list_orders#in/customer_id", "C-7"],
        ["refund_order#in/order_id", "C-7-9"],
        ["send_mail#in/recipient_email", "ada@example.org"],
      ]),
    );
    const trace = JSON.parse(JSON.stringify(run.trace)) as typeof run.trace;
    expect(planned.replay(trace).state).toEqual(state);
  });

  it("understands the last turn of a conversation from those before", async () => {
    const { plan } = await selector.plan([
      { role: "user", content: "What is the weather tomorrow?" },
      { role: "assistant", content: "In which city do you want the weather?" },
      { role: "user", content: "Rome." },
    ]);
    expect(plan.subTasks).toEqual([{ goal: "What is the weather tomorrow (Rome)", tools: ["get_weather"] }]);
  });

  it("plans only with what is allowed, and takes another decomposer", async () => {
    const without = await selector.plan(query, { exclude: ["find_customer", "search_customers"] });
    expect(without.plan.missing).toEqual([{ tool: "refund_order", input: "order_id" }]);
    const decomposer = { name: "one", decompose: async () => [{ goal: "weather in Rome", tools: [] }] };
    expect((await selector.plan("whatever", { decomposer })).plan.tools).toEqual(["get_weather"]);
  });

  it("has nothing to plan where nothing is said, and refuses what is no option", async () => {
    expect((await selector.plan("…")).plan.calls).toEqual([]);
    await expect(selector.plan(query, { budget: 3 } as object)).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(selector.plan(query, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });

  it("plans nothing, and says so, where no tool of many fits the request", async () => {
    const many = [...tools, ...Array.from({ length: 20 }, (_, at) => tool(`note_${at}`, `Write note ${at}.`, {}, {}))];
    const own = await createSelector({ tools: { tools: many } });
    const { plan, problems, start } = await own.plan("asdf qwer");
    expect(plan.calls).toEqual([]);
    expect(plan.subTasks).toEqual([{ goal: "asdf qwer", tools: [] }]);
    expect(start().status).toBe("stuck");
    // The links of the tools were not read: this is all that is told.
    expect(problems).toEqual([
      { code: "nothing-fits", message: "No tool fits the request, so there is nothing to plan." },
    ]);
    expect((await own.plan("asdf qwer", { exclude: ["note_3"] })).plan.calls).toEqual([]);
    expect((await own.plan(query)).plan.tools).toContain("refund_order");
    await own.close();
  });

  it("takes what a decomposer gives only if it is a list of goals, and plans the first twelve", async () => {
    const giving = (given: unknown): PlanOptions => ({
      decomposer: { name: "mine", decompose: async () => given as [] },
    });
    for (const given of [null, [null], [{}], [{ goal: 5 }]]) {
      await expect(selector.plan(query, giving(given))).rejects.toMatchObject({ code: "invalid-argument" });
    }
    const goals = Array.from({ length: 2_000 }, () => ({ goal: "weather in Rome", tools: [] }));
    const { plan, problems } = await selector.plan(query, giving(goals));
    expect(plan.subTasks).toHaveLength(12);
    expect(problems).toEqual([{ code: "decomposer", message: "mine gave 2000 sub-tasks; the first 12 are planned." }]);
  });

  it("obeys edges that are given, follows changed tools, and carries out plans of before", async () => {
    const edges = [{ from: { tool: "get_weather" }, to: { tool: "refund_order" } }];
    const own = await createSelector({ tools: { tools }, edges });
    const before = await own.plan(query);
    expect(before.plan.tools).toContain("get_weather");
    const sign = tool(
      "sign_receipt",
      "Sign a receipt.",
      { receipt: text("Number of the receipt") },
      { signed: text("") },
    );
    await own.update({ tools: [...tools.filter(({ name }) => name !== "send_mail"), sign] });
    const { plan } = await own.plan("refund the last order of Ada Lovelace");
    expect(plan.tools).toEqual(expect.arrayContaining(["get_weather", "list_orders", "refund_order"]));
    expect((await own.plan("sign a receipt")).plan.tools).toContain("sign_receipt");
    await own.close();
    expect(before.start().take().length).toBeGreaterThan(0);
    const wrong = [{ from: { tool: "a" }, to: {} }] as unknown as typeof edges;
    await expect(createSelector({ tools: { tools }, edges: wrong })).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });
});

it("encodes the request once, for the question whether anything fits and for the search", async () => {
  const own = (await openEncoder("static"))!;
  const asked: string[] = [];
  const encoder: typeof own = {
    name: own.name,
    dimensions: own.dimensions,
    encode: (texts, options) => {
      if (options?.as === "query") asked.push(...texts);
      return own.encode(texts, options);
    },
  };
  const counting = await createSelector({ tools, encoder });
  await counting.plan(query);
  expect(asked.filter((each) => each === query)).toHaveLength(1);
});

it("refuses options that are none", async () => {
  const planning = await createSelector({ tools, encoder: "none" });
  for (const wrong of [null, { decomposer: null }, { decomposer: {} }]) {
    await expect(planning.plan(query, wrong as never)).rejects.toMatchObject({ code: "invalid-argument" });
  }
  const found = await planning.plan(query);
  for (const wrong of [undefined, null, {}, { execute: 7 }, { execute: () => undefined, ask: 7 }]) {
    await expect(found.carryOut(wrong as never)).rejects.toMatchObject({ code: "invalid-argument" });
  }
});
