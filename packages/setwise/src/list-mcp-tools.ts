import { SetwiseError } from "@setwise/core";

/** One page of a `tools/list` result. */
export interface ToolsPage {
  readonly tools: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** A cursor that never ends is a broken or hostile server. */
const MAX_PAGES = 200;
const MAX_TOOLS = 20_000;

/**
 * All pages of a server's tool list, joined.
 *
 * @throws SetwiseError `server-failed` when a cursor comes back or the list does not end.
 */
export async function listAllPages(
  server: string,
  askPage: (cursor: string | undefined) => Promise<ToolsPage>,
): Promise<unknown[]> {
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await askPage(cursor);
    if (tools.length + answer.tools.length > MAX_TOOLS) throw failed(server, `it lists more than ${MAX_TOOLS} tools`);
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined || cursor === "") return tools;
    if (seen.has(cursor)) throw failed(server, "its list never ends: a page points back to an earlier one");
    seen.add(cursor);
  }
  throw failed(server, `its list has more than ${MAX_PAGES} pages`);
}

function failed(server: string, reason: string): SetwiseError {
  return new SetwiseError("server-failed", `The MCP server "${server}" was left out: ${reason}.`, { source: server });
}
