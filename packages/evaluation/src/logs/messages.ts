import { type JsonObject, objectOf, objectsOf, textOf } from "./json-shape.ts";

/*
 * What the messages of a conversation say, for tool selection: what the user asked, and which tools were called. One function a
 * format; each reads only its own fields, so that a message of another format gives nothing.
 */

/** Something that happened, in order. */
export type TurnEvent =
  | { readonly kind: "asked"; readonly text: string }
  | { readonly kind: "called"; readonly tool: string }
  | { readonly kind: "answered" };

/** What one message, or item, says. */
export function eventsOf(message: JsonObject): readonly TurnEvent[] {
  if (message.role === "user" || message.from === "user") return asked(userText(message));
  const called = [
    ...openAiCalls(message),
    ...responsesCalls(message),
    ...anthropicCalls(message),
    ...aiSdkCalls(message),
    ...toolBenchCalls(message),
  ];
  const events = called.map((tool): TurnEvent => ({ kind: "called", tool }));
  const speaks = message.role === "assistant" || message.from === "assistant" || called.length > 0;
  return speaks ? [{ kind: "answered" }, ...events] : events;
}

function asked(text: string): readonly TurnEvent[] {
  return text === "" ? [] : [{ kind: "asked", text }];
}

/** The user's words: a text, or the text parts; results of tools, which Anthropic sends as the user, are none. */
function userText({ content, parts, value }: JsonObject): string {
  const whole = textOf(content) ?? textOf(value);
  if (whole !== undefined) return whole;
  return [...objectsOf(content), ...objectsOf(parts)]
    .filter(({ type }) => type === "text" || type === "input_text")
    .flatMap(({ text }) => textOf(text) ?? [])
    .join("\n");
}

/** Chat completions: `tool_calls`, and `function_call` of old. */
function openAiCalls({ tool_calls: calls, function_call: call }: JsonObject): readonly string[] {
  return [...objectsOf(calls).map(({ function: called }) => objectOf(called)?.name), objectOf(call)?.name].flatMap(
    (name) => textOf(name) ?? [],
  );
}

/** The Responses API: an item of type `function_call`. */
function responsesCalls({ type, name }: JsonObject): readonly string[] {
  return type === "function_call" || type === "custom_tool_call" ? names([name]) : [];
}

/** Anthropic: blocks of type `tool_use`. */
function anthropicCalls({ content }: JsonObject): readonly string[] {
  return names(objectsOf(content).flatMap(({ type, name }) => (type === "tool_use" ? [name] : [])));
}

/** AI SDK: `tool-call` parts of a model message, `tool-NAME`, `dynamic-tool` and `tool-invocation` parts of a UI message, `toolCalls` of a result. */
function aiSdkCalls({ content, parts, toolCalls }: JsonObject): readonly string[] {
  const inContent = objectsOf(content).flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []));
  const inParts = objectsOf(parts).flatMap((part) => {
    if (part.type === "dynamic-tool" || part.type === "tool-call") return [part.toolName];
    if (part.type === "tool-invocation") return [objectOf(part.toolInvocation)?.toolName];
    const typed = textOf(part.type);
    return typed?.startsWith("tool-") === true && "toolCallId" in part ? [typed.slice("tool-".length)] : [];
  });
  return names([...inContent, ...inParts, ...objectsOf(toolCalls).map(({ toolName }) => toolName)]);
}

/** ToolBench's conversations: `Thought: … Action: NAME Action Input: …`. */
function toolBenchCalls({ from, value }: JsonObject): readonly string[] {
  if (from !== "assistant" || typeof value !== "string") return [];
  const action = /(?:^|\n)\s*Action:[ \t]*(\S{1,200})/.exec(value)?.[1];
  return action === undefined || action === "Finish" ? [] : [action];
}

function names(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => textOf(value) ?? []);
}
