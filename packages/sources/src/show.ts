/** Long texts are shown in messages by their beginning. */
const SHOWN_CHARACTERS = 80;

/** `text` in quotes, shortened, on one line: what a hostile list puts into a name must not fill a terminal. */
export function quote(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is taken out
  const line = text.slice(0, SHOWN_CHARACTERS).replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, " ");
  return `"${line}${text.length > SHOWN_CHARACTERS ? "…" : ""}"`;
}

/** What `value` is, in a few words, for a message that says what came instead of a tool list. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (typeof value === "string") return `the text ${quote(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (value instanceof Promise) return "a promise (await it first)";
  if (typeof value !== "object") return `a ${typeof value}${typeof value === "function" ? "" : ` (${String(value)})`}`;
  const keys = keysOf(value);
  if (keys.length === 0)
    return `an object without keys${value instanceof Map || value instanceof Set ? " (a Map or Set; give an array or a plain object)" : ""}`;
  const shown = keys.slice(0, 6).map((key) => quote(key));
  return `an object with ${keys.length === 1 ? "the key" : "the keys"} ${shown.join(", ")}${keys.length > 6 ? " …" : ""}`;
}

function keysOf(value: object): string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}
