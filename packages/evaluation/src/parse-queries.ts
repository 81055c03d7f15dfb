import { type LabelledQuery, SetwiseError } from "@setwise/core";
import { labelledQuerySchema } from "@setwise/core/schemas";

/**
 * Reads labelled queries from JSON Lines: one object a line with `id`, `query`, `tools` and optionally `subset` and
 * `candidates`; further fields are ignored, empty lines are skipped.
 *
 * @throws SetwiseError `invalid-syntax` with the line where a line is not JSON, `invalid-argument` where it is not a query.
 */
export function parseQueries(text: string, options: { readonly source?: string } = {}): LabelledQuery[] {
  const where = options.source === undefined ? {} : { source: options.source };
  const queries: LabelledQuery[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = { ...where, line: index + 1 };
    const parsed = labelledQuerySchema.safeParse(parseLine(line, at));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new SetwiseError(
        "invalid-argument",
        `Line ${index + 1}${options.source === undefined ? "" : ` of ${options.source}`} is not a labelled query: expected {"id", "query", "tools": [tool ids]}; "${issue?.path.join(".") ?? ""}": ${issue?.message ?? "unknown"}.`,
        at,
      );
    }
    queries.push(parsed.data);
  }
  return queries;
}

function parseLine(line: string, at: { readonly source?: string; readonly line: number }): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new SetwiseError(
      "invalid-syntax",
      `Line ${at.line}${at.source === undefined ? "" : ` of ${at.source}`} is not JSON: ${(cause as Error).message}. A queries file holds one JSON object a line.`,
      { ...at, cause },
    );
  }
}
