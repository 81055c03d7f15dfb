import { SetwiseError } from "@setwise/core";
import type { LoggedQuery } from "./clean-log.ts";

/**
 * That a log is a list of requests with their tools.
 *
 * @throws SetwiseError `invalid-argument`, which names the first entry that is none, with its `position`.
 */
export function checkLog(log: readonly LoggedQuery[]): void {
  if (!Array.isArray(log)) throw noLog(`it is ${kindOf(log)}`);
  for (const [position, entry] of (log as readonly Partial<LoggedQuery>[]).entries()) {
    const { query, tools } = entry ?? {};
    if (typeof query !== "string") throw noLog(`the query of entry ${position} is ${kindOf(query)}`, position);
    if (!Array.isArray(tools)) throw noLog(`the tools of entry ${position} are ${kindOf(tools)}`, position);
    const other = tools.findIndex((tool: unknown) => typeof tool !== "string");
    if (other >= 0) throw noLog(`a tool of entry ${position} is ${kindOf(tools[other])}`, position);
  }
}

function noLog(what: string, position?: number): SetwiseError {
  return new SetwiseError(
    "invalid-argument",
    `Expected a log as a list of { query, tools: [ids] }, but ${what}. A file is read by setwise train --log.`,
    position === undefined ? {} : { position },
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value === "undefined" ? "missing" : `a ${typeof value}`;
}
