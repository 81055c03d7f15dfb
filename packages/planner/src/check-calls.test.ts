import { expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { checkCalls, readyCalls } from "./check-calls.ts";
import type { PlannedCall } from "./planned-call.ts";

const graph = graphOf(
  [testTool("find", ["name"], ["id", "mail"]), testTool("open", ["id"])],
  [["find#out/id", "open#in/id"]],
);
const node = (id: string): number => graph.nodeOf(id) ?? -1;
const find: PlannedCall = {
  tool: 0,
  subTask: 0,
  isTerminal: false,
  inputs: [{ input: node("find#in/name"), source: { kind: "user" } }],
  after: [],
};
const open = (more: Partial<PlannedCall> = {}, output = "find#out/id", from = 0): PlannedCall => ({
  tool: 1,
  subTask: 0,
  isTerminal: true,
  inputs: [{ input: node("open#in/id"), source: { kind: "call", call: from, output: node(output), weight: 1 } }],
  after: [{ call: 0, kind: "data" }],
  ...more,
});
const codes = (...calls: readonly PlannedCall[]): readonly string[] =>
  checkCalls(graph, calls).map((problem) => problem.code);

test("calls in order with grounded inputs have no problem", () => {
  expect(codes(find, open())).toEqual([]);
});

test.each([
  ["an input without a source", [open({ inputs: [] })], ["unknown-call", "no-source"].slice(1)],
  ["a value where no link leads from", [find, open({}, "find#out/mail")], ["ungrounded"]],
  ["a value of a call that is not waited for", [find, open({ after: [] })], ["wrong-order"]],
  [
    "a call that stands too early",
    [open({ after: [{ call: 1, kind: "data" }], inputs: open({}, "find#out/id", 1).inputs }), find],
    ["wrong-order"],
  ],
  ["a ring", [{ ...find, after: [{ call: 1, kind: "order" }] }, open()], ["cycle", "cycle"]],
  [
    "a call of nowhere",
    [
      find,
      open({
        after: [
          { call: 0, kind: "data" },
          { call: 7, kind: "order" },
        ],
      }),
    ],
    ["unknown-call"],
  ],
  ["a tool of nowhere", [{ ...find, tool: 9 }], ["unknown-port"]],
  ["an input of another tool", [{ ...find, inputs: [...find.inputs, ...open().inputs] }], ["unknown-port"]],
] as const)("%s is a problem", (_, calls, expected) => {
  const given = calls.length === 1 && calls[0].tool === 1 ? [{ ...calls[0], after: [] }] : calls;
  expect(codes(...given)).toEqual(expected);
});

test("ready are the calls that wait for nothing that is not done", () => {
  const calls = [{ after: [] }, { after: [{ call: 0, kind: "data" }] }, { after: [] }] as const;
  expect(readyCalls(calls, new Set())).toEqual([0, 2]);
  expect(readyCalls(calls, new Set([0]))).toEqual([1, 2]);
});
