import { SetwiseError } from "@setwise/core";

/** One turn of a conversation, as most SDKs write it; `content` is a text or a list of parts, of which the texts count. */
export interface Message {
  readonly role: string;
  readonly content: string | readonly unknown[] | null;
}

/** Words beyond this many characters are not searched: a pasted document is not a request. */
const MAX_QUERY_CHARACTERS = 20_000;

/**
 * What is asked: the query itself, or the text of the last message whose role is `user`.
 *
 * @throws SetwiseError `invalid-argument` when there is neither.
 */
export function queryText(query: string | readonly Message[]): string {
  if (typeof query === "string") return query.slice(0, MAX_QUERY_CHARACTERS);
  if (Array.isArray(query)) {
    const last = (query as readonly Message[]).findLast((message) => message?.role === "user");
    if (last !== undefined) return textOf(last.content).slice(0, MAX_QUERY_CHARACTERS);
  }
  throw new SetwiseError(
    "invalid-argument",
    `Expected a query text or messages with at least one of role "user", but got ${Array.isArray(query) ? "messages without one" : typeof query}.`,
  );
}

/** What user and assistant said, oldest turn first; a query alone is one turn of the user. */
export function conversationTurns(
  query: string | readonly Message[],
): readonly { readonly role: "user" | "assistant"; readonly text: string }[] {
  if (typeof query === "string") return [{ role: "user", text: query }];
  return query.flatMap((message) => {
    const role = message?.role;
    return role === "user" || role === "assistant" ? [{ role, text: textOf(message.content) }] : [];
  });
}

/** Whether there is a letter or a digit in any script: blanks, signs and emoji ask for no tool, though some encoders give them a vector. */
export function hasWords(query: string): boolean {
  return /[\p{L}\p{N}]/u.test(query);
}

function textOf(content: Message["content"]): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (typeof part === "string" ? part : ((part as { text?: unknown } | null)?.text ?? "")))
    .filter((text): text is string => typeof text === "string" && text !== "")
    .join("\n");
}
