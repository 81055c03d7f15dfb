import { objectOf, textOf } from "./json-shape.ts";

/** A conversation that is longer than this is no longer held in memory as one. */
const MOST_MESSAGES = 10_000;
const ROLES: ReadonlySet<string> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/**
 * A file that is one conversation, each of its lines or elements a message: they are gathered, and are one record at the end of the file.
 */
export function looseMessages(): {
  /** Takes the message, if `record` is one; `false` for anything else and past 10,000. */
  add(record: unknown, line: number): boolean;
  /** The messages and the line of the first; `undefined` where there was none. */
  end(): { readonly value: readonly unknown[]; readonly line: number } | undefined;
} {
  const messages: unknown[] = [];
  let first = 0;
  return {
    add: (record, line) => {
      if (!isMessage(record) || messages.length === MOST_MESSAGES) return false;
      if (messages.length === 0) first = line;
      messages.push(record);
      return true;
    },
    end: () => (messages.length === 0 ? undefined : { value: messages, line: first }),
  };
}

function isMessage(record: unknown): boolean {
  const { role, type } = objectOf(record) ?? {};
  const kind = textOf(type) ?? "";
  return ROLES.has(textOf(role) ?? "") || kind.startsWith("function_call") || kind.startsWith("custom_tool_call");
}
