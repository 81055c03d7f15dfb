import { expect, it } from "vitest";
import { seededRandom } from "@setwise/core";
import { bfclAnswer, bfclRequests } from "./bfcl.ts";
import { conversationRequests } from "./conversation.ts";
import { gatewayRequests } from "./gateway-log.ts";
import { labelledRequests } from "./labelled-record.ts";
import type { LoggedRequest } from "./request.ts";
import { toolBenchRequests } from "./toolbench.ts";

const sound: readonly unknown[] = [
  { id: "1", query: "q", tools: ["a"], subset: "s", candidates: ["a", "b"] },
  { request: "r", query: "q", offered: ["a"], called: "a", ok: true },
  { id: "simple_0", question: [[{ role: "user", content: "q" }]], function: [{ name: "a" }] },
  { id: "simple_0", ground_truth: [{ a: { x: [1] } }, ["b(1)"]] },
  { query_id: 1, query: "q", api_list: [{ tool_name: "t", api_name: "a" }], "relevant APIs": [["t", "a"]] },
  {
    id: "c",
    request: {
      messages: [{ role: "user", content: [{ type: "text", text: "q" }] }],
      tools: [{ function: { name: "a" } }],
    },
    response: { choices: [{ message: { tool_calls: [{ function: { name: "a" } }], function_call: { name: "b" } } }] },
  },
  { input: [{ role: "user", content: "q" }], output: [{ type: "function_call", name: "a" }], tools: { a: {} } },
  { messages: [{ role: "user", parts: [{ type: "text", text: "q" }] }], steps: [{ toolCalls: [{ toolName: "a" }] }] },
  {
    conversations: [
      { from: "user", value: "q" },
      { from: "assistant", value: "Action: a" },
    ],
    response: { text: "t" },
  },
];
const odd: readonly unknown[] = [null, 5, "x", "", [], {}, [null], [[]], { name: 1 }, true, -0.5];

/** A copy with one value, anywhere within, replaced. */
function damaged(value: unknown, random: () => number): unknown {
  const copy = structuredClone(value);
  let at: unknown = copy;
  for (;;) {
    if (typeof at !== "object" || at === null) return copy;
    const keys = Object.keys(at);
    const key = keys[Math.floor(random() * keys.length)];
    if (key === undefined) return copy;
    const inside = at as Record<string, unknown>;
    if (random() < 0.4 || typeof inside[key] !== "object") {
      inside[key] = odd[Math.floor(random() * odd.length)];
      return copy;
    }
    at = inside[key];
  }
}

it("whatever a field holds in place of what it should, no reader throws, and what it gives is whole", () => {
  const random = seededRandom(5);
  const isText = (value: unknown): boolean => typeof value === "string";
  const broken: string[] = [];
  for (let round = 0; round < 10_000; round++) {
    const once = damaged(sound[round % sound.length], random);
    const record = random() < 0.5 ? once : damaged(once, random);
    const requests: readonly LoggedRequest[] = [
      ...(labelledRequests(record) ?? []),
      ...(gatewayRequests(record) ?? []),
      ...(bfclRequests(record, new Map()) ?? []),
      ...(toolBenchRequests(record) ?? []),
      ...(conversationRequests(record) ?? []),
    ];
    const texts = requests.flatMap(({ query, called, offered = [] }) => [query, ...called, ...offered]);
    if (![...texts, ...(bfclAnswer(record)?.called ?? [])].every(isText)) broken.push(JSON.stringify(record));
  }
  expect(broken).toEqual([]);
});
