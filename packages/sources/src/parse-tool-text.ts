import { SetwiseError } from "@setwise/core";
import { jsonError } from "./json-error.ts";

/** How often one YAML anchor may be expanded, all nested ones counted: a bomb needs billions, a real document hundreds. */
const MAX_ALIASES = 10_000;
/** Endings of file names that say the text is YAML although it begins like JSON. */
const yamlEnding = /\.ya?ml$/i;

export interface ParseToolTextOptions {
  /** The file or address, for messages; an ending of .yaml or .yml says that the text is YAML. */
  readonly source?: string;
}

/**
 * JSON, YAML or JSON Lines to plain values, for `readTools`. Which of them it is, is recognised; the YAML library is loaded
 * only for YAML.
 *
 * @throws SetwiseError `invalid-syntax` with line and column; `too-large` when it is nested or multiplied beyond measure.
 */
export async function parseToolText(text: string, options: ParseToolTextOptions = {}): Promise<unknown> {
  const { source } = options;
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const start = body.trimStart()[0];
  if (start === undefined) throw syntaxError(1, 1, "The text is empty", source);
  const looksLikeJson = start === "{" || start === "[";
  if (looksLikeJson && !yamlEnding.test(source ?? "")) return parseJson(body, source);
  return parseYaml(body, source);
}

function parseJson(text: string, source: string | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const lines = text.split("\n");
    if (isJsonLines(lines)) return parseLines(lines, source);
    const error = jsonError(text);
    const { line, column } = placeOf(text, error?.offset ?? 0);
    throw syntaxError(line, column, `Invalid JSON: expected ${error?.expected ?? "JSON"}`, source, cause);
  }
}

/** Whether the first line with anything on it is a whole JSON value and more follows. */
function isJsonLines(lines: readonly string[]): boolean {
  const [first, second] = lines.filter((line) => line.trim() !== "").slice(0, 2);
  return first !== undefined && second !== undefined && jsonError(first) === undefined;
}

function parseLines(lines: readonly string[], source: string | undefined): unknown[] {
  const values: unknown[] = [];
  for (const [position, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      values.push(JSON.parse(line));
    } catch (cause) {
      const error = jsonError(line);
      throw syntaxError(
        position + 1,
        (error?.offset ?? 0) + 1,
        `Invalid JSON on this line: expected ${error?.expected ?? "JSON"}`,
        source,
        cause,
      );
    }
  }
  return values;
}

async function parseYaml(text: string, source: string | undefined): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { merge: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error?.code === "RESOURCE_EXHAUSTION") throw new RangeError(error.message, { cause: error });
    if (error !== undefined) {
      const [place] = error.linePos ?? [];
      throw syntaxError(place?.line ?? 1, place?.col ?? 1, `Invalid YAML: ${firstLine(error.message)}`, source, error);
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (cause) {
    if (SetwiseError.isInstance(cause)) throw cause;
    // The library throws RangeError past the stack and ReferenceError past the count of aliases.
    const isTooLarge =
      cause instanceof RangeError || (cause instanceof ReferenceError && /excessive alias/i.test(cause.message));
    if (!isTooLarge) throw syntaxError(1, 1, `Invalid YAML: ${firstLine(String(cause))}`, source, cause);
    throw new SetwiseError(
      "too-large",
      `${source ?? "The text"}: the YAML is nested too deeply or its aliases multiply beyond ${MAX_ALIASES}. Write it without them.`,
      {
        cause,
        ...(source === undefined ? {} : { source }),
      },
    );
  }
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function firstLine(message: string): string {
  return (message.split("\n", 1)[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}

function syntaxError(
  line: number,
  column: number,
  message: string,
  source: string | undefined,
  cause?: unknown,
): SetwiseError {
  return new SetwiseError("invalid-syntax", `${source ?? "text"}:${line}:${column}: ${message}.`, {
    line,
    column,
    ...(source === undefined ? {} : { source }),
    ...(cause === undefined ? {} : { cause }),
  });
}
