import type { ToolDefinition } from "@setwise/core";
import { canFold } from "./fold-schemas.ts";
import { judgePair } from "./judge-pair.ts";

/** Audits a cluster: tools that do one job stay together, others are split off or dropped (ToolScope's Auto-Correction). */
export interface MergeValidator {
  readonly name: string;
  /** Groups of ids; a tool in no group, or alone in one, is dropped from the cluster. */
  validate(
    members: readonly ToolDefinition[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly groups: readonly (readonly string[])[]; readonly reason: string }>;
}

/** With a larger group only the first so many are compared: the rest is like them. */
const MOST_COMPARED = 24;
/** Of the tools of a group that a tool is compared with, at least this share must do the same job by themselves. */
const LEAST_SHARE_SAME = 0.67;

/** Why two tools must not be in one cluster; `undefined` where nothing speaks against it. */
export type Apart = (a: number, b: number) => string | undefined;

/**
 * Splits a cluster so that in each part no two tools are known to differ, and each is the same as at least half of those before it. In order,
 * so that the same cluster is always split the same way.
 */
export function splitCluster(
  tools: readonly ToolDefinition[],
  members: readonly number[],
  isSame: (a: number, b: number) => boolean,
  apart: Apart,
): {
  readonly groups: readonly (readonly number[])[];
  readonly dropped: readonly (readonly [number, number, string])[];
} {
  const groups: number[][] = [];
  const dropped: (readonly [number, number, string])[] = [];
  for (const member of members) {
    const reasons: (readonly [number, number, string])[] = [];
    const home = groups.find((group) => {
      const reason = reasonAgainst(group, member, isSame, apart);
      if (reason !== undefined) reasons.push(reason);
      return reason === undefined;
    });
    if (home !== undefined) home.push(member);
    else {
      groups.push([member]);
      dropped.push(...reasons);
    }
  }
  return { groups, dropped };
}

function reasonAgainst(
  group: readonly number[],
  member: number,
  isSame: (a: number, b: number) => boolean,
  apart: Apart,
): readonly [number, number, string] | undefined {
  const compared = group.slice(0, MOST_COMPARED);
  for (const other of compared) {
    const reason = apart(other, member);
    if (reason !== undefined) return [other, member, reason];
  }
  const same = compared.filter((other) => isSame(other, member)).length;
  if (same >= compared.length * LEAST_SHARE_SAME) return undefined;
  const [first = member] = compared;
  return [first, member, "It is like some tools of that cluster, but not like most of them."];
}

/** What the words and schemas of two tools say against folding them. */
export function apartByWords(a: ToolDefinition, b: ToolDefinition): string | undefined {
  const verdict = judgePair(a, b);
  if (!verdict.same && verdict.score === 0) return verdict.reason;
  return canFold(a, b) ? undefined : "No one schema could be called for both without losing a call.";
}
