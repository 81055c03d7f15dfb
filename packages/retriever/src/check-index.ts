import { isDimensions, type ToolDefinition } from "@setwise/core";
import type { LexicalOptions } from "./lexical-options.ts";
import type { Postings } from "./tool-index.ts";

/*
 * A checksum tells a damaged file, not a forged one. So that no saved index can hang or crash a search, everything a search
 * relies on is checked once when it is read. Each check gives the fault in a few words, or `undefined`.
 */

/** What of an index is kept as JSON. */
export interface IndexDescription {
  readonly options: LexicalOptions;
  readonly revision: string;
  readonly tools: readonly ToolDefinition[];
  /** The callers' objects where they are plain JSON that differs from the definition; else null. */
  readonly originals: readonly unknown[];
  /** All terms in order; none contains a line feed. */
  readonly vocabulary: string;
  readonly tokens: number;
  readonly textPostings: number;
  readonly namePostings: number;
  /** Whose vectors of the tools stand behind the other columns. */
  readonly encoder?: { readonly name: string; readonly dimensions: number };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function descriptionFault(value: unknown): string | undefined {
  if (!isObject(value)) return "its description is no object";
  const { tools, originals, vocabulary, revision, options } = value;
  if (!isObject(options)) return "its options are missing";
  if (typeof revision !== "string" || typeof vocabulary !== "string") return "its revision or vocabulary is no text";
  if (!Array.isArray(tools) || !tools.every(isDefinition)) return "its tools are no tool definitions";
  if (new Set(tools.map((tool) => tool.id)).size !== tools.length) return "two of its tools have one id";
  if (!Array.isArray(originals) || originals.length !== tools.length) return "its originals do not belong to its tools";
  if (value["tokens"] !== tools.length) return "its token counts do not belong to its tools";
  const { encoder } = value;
  const isEncoder = isObject(encoder) && typeof encoder["name"] === "string" && isDimensions(encoder["dimensions"]);
  if (encoder !== undefined && !isEncoder) return "its encoder has no name or dimensions";
  const counts = [value["textPostings"], value["namePostings"]];
  return counts.every((count) => Number.isSafeInteger(count) && (count as number) >= 0)
    ? undefined
    : "its counts are no whole numbers";
}

function isDefinition(value: unknown): value is ToolDefinition {
  if (!isObject(value) || typeof value["id"] !== "string" || typeof value["name"] !== "string") return false;
  const { description, inputSchema, outputSchema, server, annotations } = value;
  const isOptional = (field: unknown, is: (field: unknown) => boolean): boolean => field === undefined || is(field);
  return (
    typeof description === "string" &&
    isObject(inputSchema) &&
    isOptional(outputSchema, isObject) &&
    isOptional(annotations, isObject) &&
    isOptional(server, (field) => typeof field === "string")
  );
}

/** Offsets rise from 0 to the number of postings, ordinals name tools, weights are numbers. */
export function postingsFault({ offsets, ordinals, weights }: Postings, tools: number): string | undefined {
  if (offsets[0] !== 0 || offsets.at(-1) !== ordinals.length) return "its postings have no end";
  for (let term = 1; term < offsets.length; term++) {
    if (offsets[term]! < offsets[term - 1]!) return "its postings are out of order";
  }
  for (let posting = 0; posting < ordinals.length; posting++) {
    if (ordinals[posting]! >= tools) return "its postings name tools that it does not have";
    if (!Number.isFinite(weights[posting]!)) return "its weights are no numbers";
  }
  return undefined;
}
