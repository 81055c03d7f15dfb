import { conversationTurns, type Message } from "./query-text.ts";

/** What the user said, oldest first: where the values of a request stand. */
export function userWords(query: string | readonly Message[]): string {
  const turns = conversationTurns(query).filter((turn) => turn.role === "user");
  return turns.map((turn) => turn.text).join("\n");
}
