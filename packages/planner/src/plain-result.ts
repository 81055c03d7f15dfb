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
  if (!isRecord(result) || !isContent(result["content"])) return { value: mayBeText ? result : fromJson(result) };
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  if (isError === true) return { error: texts.join("\n") || "The server says that the call failed." };
  if (structuredContent !== undefined) return { value: structuredContent };
  if (texts.length < content.length) return { value: result };
  const text = texts.join("\n");
  return { value: mayBeText ? text : fromJson(text) };
}

/** Parts of a protocol's answer: each has a type. */
function isContent(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part) => isRecord(part) && typeof part["type"] === "string")
  );
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
