import { SetwiseError } from "@setwise/core";
import type { LoggedQuery } from "@setwise/set-scorer";

/**
 * That a log is a list of requests with their tools.
 *
 * @throws SetwiseError `invalid-argument`, which names the first entry that is none.
 */
export function checkLog(log: readonly LoggedQuery[]): void {
  if (!Array.isArray(log)) throw noLog(`it is ${kindOf(log)}`);
  for (const [place, entry] of (log as readonly Partial<LoggedQuery>[]).entries()) {
    const { query, tools } = entry ?? {};
    if (typeof query !== "string") throw noLog(`the query of entry ${place} is ${kindOf(query)}`);
    if (!Array.isArray(tools)) throw noLog(`the tools of entry ${place} are ${kindOf(tools)}`);
    const other: unknown = tools.find((tool: unknown) => typeof tool !== "string");
    if (other !== undefined) throw noLog(`a tool of entry ${place} is ${kindOf(other)}`);
  }
}

function noLog(what: string): SetwiseError {
  return new SetwiseError(
    "invalid-argument",
    `Expected a log as a list of { query, tools: [ids] }, but ${what}. A file is read by setwise train --log.`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value === "undefined" ? "missing" : `a ${typeof value}`;
}
