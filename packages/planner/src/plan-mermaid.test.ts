import { expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import { planMermaid } from "./plan-mermaid.ts";
import { planTools } from "./plan-tools.ts";

const graph = graphOf(
  [
    testTool("find_user", ["name"], ["user_id"]),
    testTool('close"]-account', ["user_id"]),
    testTool("send_mail", ["subject"]),
  ],
  [["find_user#out/user_id", 'close"]-account#in/user_id']],
);

test("calls stand in their sub-tasks, values on arrows, mere order is dotted, questions are round, and names are only text", () => {
  using expansion = new DeficitExpansion(graph);
  const plan = planTools(expansion, {
    query: "close the account of Ada and tell everyone",
    subTasks: [
      { goal: "close the account of Ada", ids: Uint32Array.of(1), scores: Float32Array.of(1) },
      { goal: "tell everyone", ids: Uint32Array.of(2), scores: Float32Array.of(1) },
      { goal: "sing", ids: new Uint32Array(0), scores: new Float32Array(0) },
    ],
  });
  expect(
    planMermaid(graph, plan)
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual([
    "flowchart TD",
    'subgraph task0["1. close the account of Ada"]',
    'call0["find_user"]',
    'call1["close#34;#93;-account"]',
    "end",
    'subgraph task1["2. tell everyone"]',
    'call2["send_mail"]',
    "end",
    'subgraph task2["3. sing"]',
    'none2["no tool"]',
    "end",
    'call0 -->|"user_id → user_id"| call1',
    "call1 -.-> call2",
    'ask5(["subject?"]) --> call2',
    "",
  ]);
});
