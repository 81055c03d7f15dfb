import { createHash } from "node:crypto";
import { idOf, type JsonObject, objectOf, objectsOf, textOf } from "./json-shape.ts";
import { eventsOf, type TurnEvent } from "./messages.ts";
import { offeredTools } from "./offered-tools.ts";
import type { LoggedRequest } from "./request.ts";

/**
 * The requests of a logged conversation, one a turn of the user: OpenAI's chat completions and Responses, Anthropic's messages, AI
 * SDK's model and UI messages, ToolBench's conversations. The record holds the request's fields itself or under `request` or `body`, and
 * the answer, if it is apart, under `response`. `undefined` for what is no conversation.
 */
export function conversationRequests(record: unknown): readonly LoggedRequest[] | undefined {
  const outer = Array.isArray(record) ? { messages: record } : objectOf(record);
  if (outer === undefined) return undefined;
  const request = objectOf(outer.request) ?? objectOf(outer.body) ?? outer;
  const messages = messagesOf(request);
  if (messages === undefined) return undefined;
  const offered = offeredTools(request.tools) ?? offeredTools(request.functions) ?? offeredTools(outer.tools);
  const session = SESSION_FIELDS.flatMap((field) => idOf(outer[field]) ?? idOf(request[field]) ?? [])[0] ?? "";
  const turns = turnsOf([...messages, ...answerOf(outer)], session);
  const id = idOf(outer.id) ?? idOf(request.id);
  return turns.map(({ text, called, answered, key }, index) => ({
    ...(id === undefined ? {} : { id: turns.length === 1 ? id : `${id}#${index + 1}` }),
    query: text,
    called,
    ...(offered === undefined ? {} : { offered }),
    ...(typeof outer.subset === "string" ? { subset: outer.subset } : {}),
    answered,
    growth: { key, extent: messages.length, adds: false },
  }));
}

/** Names of a conversation. A mere `id` is none: it may name the record. */
const SESSION_FIELDS = [
  "conversation_id",
  "conversationId",
  "session_id",
  "sessionId",
  "thread_id",
  "threadId",
  "chatId",
] as const;

function messagesOf(request: JsonObject): readonly JsonObject[] | undefined {
  const { messages, input, conversations } = request;
  if (typeof input === "string" && ("output" in request || "tools" in request))
    return [{ role: "user", content: input }];
  const list = objectsOf(messages ?? conversations ?? input);
  const known = list.some(
    ({ role, from, type }) => role === "user" || from === "user" || type === "function_call" || role === "assistant",
  );
  return known ? list : undefined;
}

/** The messages of the answer, where it stands apart from the conversation. */
function answerOf(outer: JsonObject): readonly JsonObject[] {
  const response = objectOf(outer.response) ?? outer;
  const choice = objectOf(objectsOf(response.choices)[0]?.message);
  if (choice !== undefined) return [{ role: "assistant", ...choice }];
  if (Array.isArray(response.output)) return [{ role: "assistant" }, ...objectsOf(response.output)];
  if (Array.isArray(response.messages) && response !== outer) return objectsOf(response.messages);
  if (Array.isArray(response.steps)) return objectsOf(response.steps).map((step) => ({ ...step, role: "assistant" }));
  if ("toolCalls" in response || (response !== outer && "content" in response))
    return [{ ...response, role: "assistant" }];
  return response !== outer && textOf(response.text) !== undefined ? [{ role: "assistant" }] : [];
}

interface Turn {
  readonly text: string;
  readonly called: readonly string[];
  readonly answered: boolean;
  /** Hash of the session, where it has a name, and all that the user said up to here. */
  readonly key: string;
}

function turnsOf(messages: readonly JsonObject[], session: string): readonly Turn[] {
  const turns: { text: string; called: string[]; answered: boolean; key: string }[] = [];
  const hash = createHash("sha256").update(session).update("\0");
  for (const event of messages.flatMap((message): readonly TurnEvent[] => eventsOf(message))) {
    const turn = turns.at(-1);
    if (event.kind === "asked") {
      hash.update(event.text).update("\0");
      turns.push({ text: event.text, called: [], answered: false, key: hash.copy().digest("base64") });
    } else if (turn !== undefined) {
      turn.answered = true;
      if (event.kind === "called") turn.called.push(event.tool);
    }
  }
  return turns;
}
