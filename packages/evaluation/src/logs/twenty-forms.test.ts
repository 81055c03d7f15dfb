import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { LabelledQuery } from "@setwise/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readLogs } from "./read-logs.ts";
import type { ReadingProblem } from "./read-records.ts";

/*
 * One folder in which twenty programs have left their logs, each in its own form: in each the user asks "as FILE", and the tool `search` is called.
 */
const asked = (name: string): object => ({ role: "user", content: `as ${name}` });
const openAiCall = { id: "1", type: "function", function: { name: "search", arguments: "{}" } };
const openAi = { role: "assistant", content: null, tool_calls: [openAiCall] };
const anthropic = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "search", input: {} }] };
const responses = { type: "function_call", call_id: "1", name: "search", arguments: "{}" };
const aiSdk = { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "search", input: {} }] };
const line = (record: unknown): string => `${JSON.stringify(record)}\n`;
const api = { category_name: "Web", tool_name: "search", api_name: "all" };

const forms: Readonly<Record<string, (name: string) => string | Uint8Array>> = {
  "own.jsonl": (name) => line({ id: "1", query: `as ${name}`, tools: ["search"] }),
  "own-array.json": (name) => JSON.stringify([{ id: "1", query: `as ${name}`, tools: ["search"] }], null, 2),
  "own-gzipped.jsonl.gz": (name) => gzipSync(line({ id: "1", query: `as ${name}`, tools: ["search"] })),
  "openai-chat.jsonl": (name) => line({ messages: [asked(name), openAi] }),
  "openai-pretty.json": (name) => JSON.stringify({ messages: [asked(name), openAi] }, null, 2),
  "openai-answer-apart.ndjson": (name) =>
    line({ request: { messages: [asked(name)] }, response: { choices: [{ message: openAi }] } }),
  "openai-body.log": (name) => line({ body: { messages: [asked(name)] }, choices: [{ message: openAi }] }),
  "openai-function-call.jsonl": (name) =>
    line({ messages: [asked(name), { role: "assistant", function_call: { name: "search", arguments: "{}" } }] }),
  "openai-messages.json": (name) => line([asked(name), openAi]),
  "openai-responses.jsonl": (name) => line({ input: [asked(name), responses] }),
  "openai-responses-text.jsonl": (name) => line({ input: `as ${name}`, tools: [], output: [responses] }),
  "anthropic.jsonl": (name) => line({ messages: [asked(name), anthropic] }),
  "anthropic-answer-apart.txt": (name) => line({ request: { messages: [asked(name)] }, response: anthropic }),
  "ai-sdk.jsonl": (name) => line({ messages: [asked(name), aiSdk] }),
  "ai-sdk-ui.jsonl": (name) =>
    line({
      messages: [
        { role: "user", parts: [{ type: "text", text: `as ${name}` }] },
        { role: "assistant", parts: [{ type: "tool-search", toolCallId: "1" }] },
      ],
    }),
  "ai-sdk-steps.jsonl": (name) =>
    line({ messages: [asked(name)], response: { steps: [{ toolCalls: [{ toolName: "search" }] }] } }),
  "gateway.jsonl": (name) => line({ request: "1", query: `as ${name}`, offered: ["search"], called: "search" }),
  "bfcl.json": (name) => line({ id: "simple_0", question: [[asked(name)]], function: [{ name: "search" }] }),
  "toolbench.json": (name) =>
    JSON.stringify([{ query_id: 1, query: `as ${name}`, api_list: [api], "relevant APIs": [["search", "all"]] }]),
  "toolbench-conversations.json": (name) =>
    JSON.stringify([
      {
        conversations: [
          { from: "user", value: `as ${name}` },
          { from: "assistant", value: "Action: search\nAction Input: {}" },
        ],
      },
    ]),
};

let folder = "";
async function written(name: string, data: string | Uint8Array): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, data);
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-twenty-"));
  for (const [name, form] of Object.entries(forms)) await written(name, form(name));
  await written("possible_answer/bfcl.json", line({ id: "simple_0", ground_truth: [{ search: {} }] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(): Promise<{ readonly queries: readonly LabelledQuery[]; readonly problems: ReadingProblem[] }> {
  const queries: LabelledQuery[] = [];
  const problems: ReadingProblem[] = [];
  for await (const query of readLogs(folder, { onProblem: (problem) => problems.push(problem) })) queries.push(query);
  return { queries, problems };
}

const called = ({ tools }: LabelledQuery): string => tools.join(" ");

it("twenty forms in one folder are all read, each request once", async () => {
  const names = Object.keys(forms);
  expect(names).toHaveLength(20);
  const { queries, problems } = await read();
  expect(problems).toEqual([]);
  expect(queries.map(({ query }) => query)).toEqual(names.toSorted().map((name) => `as ${name}`));
  for (const query of queries)
    expect(called(query)).toBe(query.query === "as toolbench.json" ? "search.all" : "search");
});

it("what is no log among them costs nothing but its own lines", async () => {
  await written("access.log", '127.0.0.1 - - "GET /" 200\n{"level":"info"}\n');
  await written("half.jsonl", `${line({ id: "h", query: "as half.jsonl", tools: ["search"] })}{"id":"i","que`);
  const { queries, problems } = await read();
  expect(queries).toHaveLength(21);
  expect(problems.map(({ source, line: at }) => [source.slice(folder.length + 1), at])).toEqual([
    ["access.log", 1],
    ["access.log", 2],
    ["half.jsonl", 2],
  ]);
});

it("a file of messages, one a line, is one conversation, and messages without a request are told of", async () => {
  const path = join(folder, "messages.jsonl");
  const said = [asked("one"), openAi, { role: "tool", content: "found" }, asked("two"), anthropic];
  await writeFile(path, said.map(line).join(""));
  const queries: LabelledQuery[] = [];
  for await (const query of readLogs(path)) queries.push(query);
  expect(queries).toEqual([
    { id: "messages.jsonl:1", query: "as one", tools: ["search"] },
    { id: "messages.jsonl:1#2", query: "as two", tools: ["search"] },
  ]);
  await writeFile(path, line(anthropic).repeat(2));
  const problems: ReadingProblem[] = [];
  for await (const query of readLogs(path, { onProblem: (problem) => problems.push(problem) })) queries.push(query);
  expect(queries).toHaveLength(2);
  expect(problems).toMatchObject([{ line: 1, sentence: expect.stringMatching(/no question of a user/) as string }]);
});
