import { describe, expect, it } from "vitest";
import { conversationRequests } from "./conversation.ts";

/** One conversation, "find it" then "mail it", as each format writes it. */
const openAi = {
  id: "c1",
  messages: [
    { role: "system", content: "be brief" },
    { role: "user", content: "find it" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", type: "function", function: { name: "search", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "1", content: "found" },
    { role: "assistant", content: "here" },
    { role: "user", content: [{ type: "text", text: "mail it" }] },
    { role: "assistant", tool_calls: [{ id: "2", type: "function", function: { name: "mail", arguments: "{}" } }] },
  ],
  tools: ["search", "mail", "draw"].map((name) => ({ type: "function", function: { name } })),
};
const openAiResponses = {
  id: "c1",
  input: [
    { role: "user", content: [{ type: "input_text", text: "find it" }] },
    { type: "function_call", call_id: "1", name: "search", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: "found" },
    { role: "assistant", content: [{ type: "output_text", text: "here" }] },
    { role: "user", content: "mail it" },
  ],
  tools: [...["search", "mail", "draw"].map((name) => ({ type: "function", name })), { type: "web_search" }],
  response: { output: [{ type: "reasoning" }, { type: "function_call", call_id: "2", name: "mail", arguments: "{}" }] },
};
const anthropic = {
  id: "c1",
  request: {
    system: "be brief",
    messages: [
      { role: "user", content: "find it" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "ok" },
          { type: "tool_use", id: "1", name: "search", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "found" }] },
      { role: "assistant", content: [{ type: "text", text: "here" }] },
      { role: "user", content: [{ type: "text", text: "mail it" }] },
    ],
    tools: ["search", "mail", "draw"].map((name) => ({ name, input_schema: { type: "object" } })),
  },
  response: { role: "assistant", content: [{ type: "tool_use", id: "2", name: "mail", input: {} }] },
};
const aiSdk = {
  id: "c1",
  messages: [
    { role: "user", content: "find it" },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "search", input: {} }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "search", output: {} }] },
    { role: "user", content: [{ type: "text", text: "mail it" }] },
  ],
  tools: { search: {}, mail: {}, draw: {} },
  response: {
    messages: [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "2", toolName: "mail", input: {} }] }],
  },
};
const aiSdkUi = {
  id: "c1",
  messages: [
    { role: "user", parts: [{ type: "text", text: "find it" }] },
    {
      role: "assistant",
      parts: [{ type: "step-start" }, { type: "tool-search", toolCallId: "1", state: "output-available" }],
    },
    { role: "user", parts: [{ type: "text", text: "mail it" }] },
    { role: "assistant", parts: [{ type: "dynamic-tool", toolName: "mail", toolCallId: "2" }] },
  ],
  tools: { search: {}, mail: {}, draw: {} },
};

describe("conversationRequests", () => {
  it.each([
    ["OpenAI chat completions", openAi],
    ["OpenAI Responses", openAiResponses],
    ["Anthropic messages", anthropic],
    ["AI SDK model messages", aiSdk],
    ["AI SDK UI messages", aiSdkUi],
  ])("reads what was asked, offered and called from %s", (_format, record) => {
    const requests = conversationRequests(record);
    expect(requests).toMatchObject([
      { id: "c1#1", query: "find it", called: ["search"], offered: ["search", "mail", "draw"], answered: true },
      { id: "c1#2", query: "mail it", called: ["mail"], answered: true },
    ]);
    expect(requests).toHaveLength(2);
  });

  it("reads a bare list of messages, a raw completion, a result of AI SDK and ToolBench's conversations", () => {
    expect(conversationRequests(openAi.messages)).toMatchObject([{ called: ["search"] }, { called: ["mail"] }]);
    const asked = { messages: [{ role: "user", content: "q" }] };
    const completion = {
      choices: [{ message: { tool_calls: [{ function: { name: "a" } }, { function: { name: "b" } }] } }],
    };
    expect(conversationRequests({ ...asked, ...completion })).toMatchObject([{ query: "q", called: ["a", "b"] }]);
    expect(conversationRequests({ ...asked, response: { steps: [{ toolCalls: [{ toolName: "a" }] }] } })).toMatchObject(
      [{ called: ["a"] }],
    );
    expect(
      conversationRequests({ input: "q", tools: [], output: [{ type: "function_call", name: "a" }] }),
    ).toMatchObject([{ query: "q", called: ["a"], offered: [] }]);
    const toolBench = [
      { from: "system", value: "You have access to …" },
      { from: "user", value: "q" },
      { from: "assistant", value: "Thought: hm\nAction: a_for_b\nAction Input: {}" },
      { from: "function", value: "{}" },
      { from: "assistant", value: "Thought: done\nAction: Finish\nAction Input: {}" },
    ];
    expect(conversationRequests({ conversations: toolBench })).toMatchObject([{ query: "q", called: ["a_for_b"] }]);
  });

  it("does not take a request without an answer for one that needed no tool", () => {
    expect(conversationRequests({ messages: [{ role: "user", content: "q" }] })).toMatchObject([{ answered: false }]);
    const thanked = {
      messages: [
        { role: "user", content: "thanks" },
        { role: "assistant", content: "welcome" },
      ],
    };
    expect(conversationRequests(thanked)).toMatchObject([{ answered: true, called: [] }]);
  });

  it.each([
    [null],
    [3],
    [{}],
    [{ messages: 5 }],
    [{ messages: [null, [], 7] }],
    [{ name: "tool", inputSchema: {} }],
    [[]],
  ])("says that %j is no conversation", (record) => {
    expect(conversationRequests(record)).toBeUndefined();
  });

  it("survives fields of any kind", () => {
    const odd = {
      messages: [
        { role: "user", content: 5 },
        { role: "user", content: "q", parts: null },
        { role: "assistant", tool_calls: "x", function_call: 1, content: [null, { type: "tool_use" }], toolCalls: {} },
      ],
      tools: [null, 4, { function: null }, "named"],
    };
    expect(conversationRequests(odd)).toMatchObject([{ query: "q", called: [], offered: ["named"] }]);
  });
});
