import { isContainer, isRecord } from "./named-values.ts";

/** Longer texts are not read as JSON. */
const LONGEST_JSON = 1_000_000;

/**
 * What a tool gave back, taken out of the envelope of a server of the Model Context Protocol (`CallToolResult`: structured content, or its
 * texts), which may say that the call failed. A text that is JSON is read, unless a schema says that a text is what is given.
 *
 * @param mayBeText Whether the tool says that it gives back a text.
 */
export function plainResult(
  result: unknown,
  mayBeText: boolean,
): { readonly value: unknown } | { readonly error: string } {
  if (!isEnvelope(result)) return { value: mayBeText ? result : fromJson(result) };
  const { content = [], structuredContent, isError } = result;
  const texts = content.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  if (isError === true) return { error: texts.join("\n") || "The server says that the call failed." };
  if (structuredContent !== undefined) return { value: structuredContent };
  if (content.length === 0 || texts.length < content.length) return { value: result };
  const text = texts.join("\n");
  return { value: mayBeText ? text : fromJson(text) };
}

interface Envelope {
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

const ENVELOPE: ReadonlySet<string> = new Set(["content", "structuredContent", "isError", "_meta"]);
const PARTS: ReadonlySet<unknown> = new Set(["text", "image", "audio", "resource", "resource_link"]);

/** Whether it has what the protocol's answers have, and nothing else: a document of the tool's own may have a `content` too. */
function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || !Object.hasOwn(value, "content")) return false;
  const { content } = value;
  const isContent = Array.isArray(content) && content.every((part) => isRecord(part) && PARTS.has(part["type"]));
  return isContent && Object.keys(value).every((key) => ENVELOPE.has(key));
}

function fromJson(value: unknown): unknown {
  if (typeof value !== "string" || value.length > LONGEST_JSON || !/^\s*[[{]/u.test(value)) return value;
  try {
    const read: unknown = JSON.parse(value);
    return isContainer(read) ? read : value;
  } catch {
    return value;
  }
}
