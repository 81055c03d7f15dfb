import type { ToolDefinition } from "@setwise/core";
import { pairContent } from "./content-key.ts";
import { DisjointSets } from "./disjoint-sets.ts";

/** A decision about two tools that a person made: it stands above every judge. */
export interface MergePin {
  /** Ids of the two tools. */
  readonly a: string;
  readonly b: string;
  readonly decision: "same" | "different";
  readonly note?: string;
  /** What the two tools said when it was decided, from a review file: "same" holds only as long as they say so. */
  readonly content?: string;
}

/** Something about a merge that a person should know. */
export interface MergeProblem {
  readonly code:
    | "contradictory-pins"
    | "unknown-pin"
    | "stale-pin"
    | "cannot-fold"
    | "judge-fell-back"
    | "validator-fell-back"
    | "synthesiser-fell-back";
  readonly message: string;
}

/** Pins by ordinal, those that contradict each other settled. */
export interface SettledPins {
  readonly same: readonly (readonly [number, number])[];
  isForbidden(a: number, b: number): boolean;
  readonly problems: readonly MergeProblem[];
}

/**
 * Pins as they are used: where pins contradict each other, directly or through a chain, the tools stay apart, because a wrong merge
 * breaks an agent and a spare tool only costs tokens. Order does not matter.
 */
export function settlePins(tools: readonly ToolDefinition[], pins: readonly MergePin[]): SettledPins {
  const ordinals = new Map(tools.map((tool, ordinal) => [tool.id, ordinal]));
  const problems: MergeProblem[] = [];
  const same: [number, number][] = [];
  const forbidden = new Set<string>();
  for (const pin of inOrder(pins)) {
    const [a, b] = [ordinals.get(pin.a), ordinals.get(pin.b)];
    if (a === undefined || b === undefined || a === b) {
      problems.push({
        code: "unknown-pin",
        message: `A pin names ${pin.a} and ${pin.b}, which are not two tools here.`,
      });
    } else if (pin.decision === "same") same.push([a, b]);
    else forbidden.add(keyOf(a, b));
  }
  const kept = withoutContradictions(tools, same, forbidden, problems);
  return { same: kept, problems, isForbidden: (a, b) => forbidden.has(keyOf(a, b)) };
}

/**
 * Pins without those that join tools of which one says something else since: who changes a tool must not be called under a name that a
 * person trusted. What keeps tools apart holds on.
 */
export function currentPins(
  toolOf: (id: string) => ToolDefinition | undefined,
  pins: readonly MergePin[],
  problems: MergeProblem[],
): readonly MergePin[] {
  return pins.filter((pin) => {
    if (!isStale(pin, toolOf)) return true;
    problems.push({
      code: "stale-pin",
      message: `${pin.a} or ${pin.b} has changed since a person said that they are the same; the judge decides until that is reviewed again.`,
    });
    return false;
  });
}

/** Whether a pin joins two tools that are there, of which one says something else than when it was decided. */
export function isStale(
  { a, b, decision, content }: MergePin,
  toolOf: (id: string) => ToolDefinition | undefined,
): boolean {
  const [x, y] = [toolOf(a), toolOf(b)];
  // A tool and itself are no pair that anyone vouched for.
  if (a === b || decision === "different" || content === undefined || x === undefined || y === undefined) return false;
  return content !== pairContent(x, y);
}

/** How many of `pins` are about two tools that are there, and that became what they say. */
export function obeyedPins(pins: readonly MergePin[], newIdOf: (id: string) => string | undefined): number {
  return pins.filter(({ a, b, decision }) => {
    const [x, y] = [newIdOf(a), newIdOf(b)];
    return a !== b && x !== undefined && y !== undefined && (x === y) === (decision === "same");
  }).length;
}

function withoutContradictions(
  tools: readonly ToolDefinition[],
  same: readonly (readonly [number, number])[],
  forbidden: ReadonlySet<string>,
  problems: MergeProblem[],
): readonly (readonly [number, number])[] {
  const sets = new DisjointSets(tools.length);
  for (const [a, b] of same) sets.join(a, b);
  const broken = new Set<number>();
  for (const key of [...forbidden].sort()) {
    const [a = 0, b = 0] = key.split(" ").map(Number);
    if (sets.find(a) !== sets.find(b)) continue;
    broken.add(sets.find(a));
    problems.push({
      code: "contradictory-pins",
      message: `Pins say that ${tools[a]?.id} and ${tools[b]?.id} are the same and that they are different; no pin that joins them is followed.`,
    });
  }
  return same.filter(([a]) => !broken.has(sets.find(a)));
}

function keyOf(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function inOrder(pins: readonly MergePin[]): readonly MergePin[] {
  return pins
    .map((pin) => ({ pin, key: [pin.a, pin.b].sort().join("\n") }))
    .sort((x, y) => (x.key < y.key ? -1 : x.key > y.key ? 1 : 0))
    .map(({ pin }) => pin);
}
