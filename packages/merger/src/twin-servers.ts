import { createHash } from "node:crypto";
import type { ToolDefinition } from "@setwise/core";

/** Two servers are twins from so many tools of the same text on, if these are at least this share of the smaller one's. */
const LEAST_TOOLS = 3;
const LEAST_SHARE = 0.6;
/** A tool that more servers have says nothing of two of them. */
const MOST_SERVERS = 64;

/** Whether two servers offer the same tools throughout: then they are rather two accounts or installations of one service. */
export type AreTwins = (a: ToolDefinition, b: ToolDefinition) => boolean;

/** Finds servers that have most of their tools in common, word for word. */
export function twinServers(tools: readonly ToolDefinition[]): AreTwins {
  const sizes = new Map<string, number>();
  const serversByText = new Map<string, Set<string>>();
  for (const { server, name, description, inputSchema } of tools) {
    if (server === undefined) continue;
    sizes.set(server, (sizes.get(server) ?? 0) + 1);
    const text = createHash("sha256")
      .update(JSON.stringify([name, description, inputSchema]))
      .digest("hex");
    const servers = serversByText.get(text);
    if (servers === undefined) serversByText.set(text, new Set([server]));
    else servers.add(server);
  }
  const shared = new Map<string, number>();
  for (const servers of serversByText.values()) {
    if (servers.size < 2 || servers.size > MOST_SERVERS) continue;
    const sorted = [...servers].sort();
    for (const [place, a] of sorted.entries()) {
      for (const b of sorted.slice(place + 1)) shared.set(keyOf(a, b), (shared.get(keyOf(a, b)) ?? 0) + 1);
    }
  }
  return ({ server: a }, { server: b }) => {
    if (a === undefined || b === undefined || a === b) return false;
    const count = shared.get(keyOf(a, b)) ?? 0;
    return count >= LEAST_TOOLS && count >= LEAST_SHARE * Math.min(sizes.get(a) ?? 0, sizes.get(b) ?? 0);
  };
}

function keyOf(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}
