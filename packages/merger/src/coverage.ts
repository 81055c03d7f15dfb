import { acceptsValue } from "./accepts-value.ts";
import type { Folding, ToolCall, Translation } from "./merged-catalog.ts";
import { sampleCalls } from "./sample-calls.ts";

/** ToolScope's bound: a capability that is called so many times or fewer is a rare one. */
const RARE = 3;

/** How much of what could be called before can be called after, in 0..1; 1 where there is nothing to count. */
export interface MergeCoverage {
  readonly calls: number;
  /** Tool-call coverage rate: calls that reach a member and are valid for it. */
  readonly callCoverage: number;
  /** Distinct tools among the calls. */
  readonly capabilities: number;
  /** Unique-capability coverage: tools all of whose calls are covered. */
  readonly capabilityCoverage: number;
  readonly rareCapabilities: number;
  /** The same among tools that are called 3 times or fewer. */
  readonly rareCoverage: number;
}

/**
 * Coverage of calls of the catalog before (ToolScope, section on evaluation, but stricter: a call is covered when the unified tool is called
 * with its arguments and a member takes them, not when a label can be renamed).
 *
 * @param isValid Whether arguments are valid for the member that was reached, for callers with a validator; all are by default.
 */
export function mergeCoverage(
  merged: Translation,
  calls: readonly ToolCall[],
  isValid: (memberId: string, given: Readonly<Record<string, unknown>>) => boolean = () => true,
): MergeCoverage {
  return counted(calls.map((call) => ({ tool: call.tool, isCovered: isCovered(merged, call, isValid) })));
}

/**
 * Coverage of logged requests that tell which tools were called but not with what. One counts as covered when the tool is still there and two
 * calls made up from its schema, with what it needs and with all it knows, reach a member that takes them.
 */
export function labelCoverage(
  merged: Translation,
  foldings: readonly Folding[],
  labels: Iterable<string>,
): MergeCoverage {
  const members = new Map(foldings.flatMap((folding) => folding.members.map((member) => [member.id, member] as const)));
  const known = new Map<string, boolean>();
  const isReached = (id: string): boolean => {
    const member = members.get(id);
    if (member === undefined) return merged.newIdOf(id) !== undefined;
    const valid = sampleCalls(member).filter((call) => acceptsValue(member.inputSchema, call.arguments ?? {}) !== "no");
    return valid.every((call) => isCovered(merged, call, () => true));
  };
  return counted(
    Array.from(labels, (tool) => {
      const found = known.get(tool) ?? isReached(tool);
      known.set(tool, found);
      return { tool, isCovered: found };
    }),
  );
}

function counted(calls: readonly { readonly tool: string; readonly isCovered: boolean }[]): MergeCoverage {
  const byTool = new Map<string, { count: number; covered: number }>();
  for (const call of calls) {
    const counts = byTool.get(call.tool) ?? { count: 0, covered: 0 };
    counts.count++;
    if (call.isCovered) counts.covered++;
    byTool.set(call.tool, counts);
  }
  const all = [...byTool.values()];
  const rare = all.filter(({ count }) => count <= RARE);
  const covered = all.reduce((sum, counts) => sum + counts.covered, 0);
  return {
    calls: calls.length,
    callCoverage: share(covered, calls.length),
    capabilities: all.length,
    capabilityCoverage: share(all.filter(isWhole).length, all.length),
    rareCapabilities: rare.length,
    rareCoverage: share(rare.filter(isWhole).length, rare.length),
  };
}

function isCovered(
  merged: Translation,
  call: ToolCall,
  isValid: (memberId: string, given: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  if (merged.newIdOf(call.tool) === undefined) return false;
  const resolved = merged.resolve(merged.translateCall(call));
  return resolved.status === "resolved" && isValid(resolved.member.id, resolved.arguments);
}

function isWhole({ count, covered }: { readonly count: number; readonly covered: number }): boolean {
  return count === covered;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
