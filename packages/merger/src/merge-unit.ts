import type { Tool } from "@setwise/core";
import type { AreTwins } from "./twin-servers.ts";
import { apartByWords } from "./validate-cluster.ts";

/** One tool of a round with all that it stands for. */
export interface MergeUnit {
  readonly tool: Tool;
  readonly members: readonly Tool[];
  readonly row: number;
  readonly reasons: readonly string[];
}

/** Tools whose members are known to differ although their own texts look the same, by id: a second merge must not join them. */
const keptApart = new WeakMap<Tool, Set<string>>();

/** Members that are compared one by one where two unified tools look alike. */
const MOST_COMPARED = 24;

export function accountsApart(
  a: MergeUnit | undefined,
  b: MergeUnit | undefined,
  areTwins: AreTwins,
): string | undefined {
  for (const x of a?.members.slice(0, MOST_COMPARED) ?? []) {
    for (const y of b?.members.slice(0, MOST_COMPARED) ?? []) {
      if (areTwins(x, y))
        return `The servers ${x.server} and ${y.server} offer the same tools throughout, so they may be two accounts of one service.`;
    }
  }
  return undefined;
}

export function membersApart(a: MergeUnit | undefined, b: MergeUnit | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (keptApart.get(a.tool)?.has(b.tool.id) || keptApart.get(b.tool)?.has(a.tool.id)) return "Their members differ.";
  if (a.members.length === 1 && b.members.length === 1) return undefined;
  for (const x of a.members.slice(0, MOST_COMPARED)) {
    for (const y of b.members.slice(0, MOST_COMPARED)) {
      const reason = apartByWords(x, y);
      if (reason === undefined) continue;
      keepApart(a, b);
      return reason;
    }
  }
  return undefined;
}

export function idsKey(a: MergeUnit | undefined, b: MergeUnit | undefined): string {
  return [a?.tool.id ?? "", b?.tool.id ?? ""].sort().join("\n");
}

function keepApart(a: MergeUnit, b: MergeUnit): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (one.members.length === 1) continue;
    const known = keptApart.get(one.tool) ?? new Set<string>();
    known.add(other.tool.id);
    keptApart.set(one.tool, known);
  }
}
