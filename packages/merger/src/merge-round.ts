import type { ToolDefinition } from "@setwise/core";
import { type CandidatePair, candidatePairs, type ToolVectors } from "./candidate-pairs.ts";
import { contentKey } from "./content-key.ts";
import { decidePairs, type DecideOptions, type PairDecision } from "./decide-pairs.ts";
import { DisjointSets } from "./disjoint-sets.ts";
import { canFold } from "./fold-schemas.ts";
import { judgePair } from "./judge-pair.ts";
import type { MergeProblem, SettledPins } from "./pins.ts";
import { type Apart, splitCluster } from "./validate-cluster.ts";

const CANNOT_FOLD = "They do the same job, but no one schema could be called for both without losing a call.";

/** Two tools that were not folded, by ordinal. */
export interface RejectedOrdinals {
  readonly left: number;
  readonly right: number;
  readonly reason: string;
  readonly wouldChange: string;
}

/** One pass over all tools: which of them are one, and why. */
export interface MergeRound {
  /** Groups of two and more, with the reasons of the pairs that made them. */
  readonly groups: readonly { readonly members: readonly number[]; readonly reasons: readonly string[] }[];
  readonly rejected: readonly RejectedOrdinals[];
  readonly problems: readonly MergeProblem[];
  readonly judged: number;
  readonly remembered: number;
}

export interface MergeRoundOptions {
  readonly vectors: ToolVectors | undefined;
  readonly candidateFrom: number;
  readonly neighbours: number;
  readonly pins: SettledPins;
  /** What else keeps two tools apart, whatever the judge says; asked only for pairs that it would fold. */
  readonly apart: Apart;
  readonly decide: DecideOptions;
}

/** Candidates, decisions, connected components, and what is left of them when all members are compared. */
export async function mergeRound(tools: readonly ToolDefinition[], options: MergeRoundOptions): Promise<MergeRound> {
  const problems: MergeProblem[] = [...options.pins.problems];
  const reasons = new Map<number, string[]>();
  const atoms = joinedForSure(tools, options.pins, reasons, problems);
  const distinct = firstOfEach(tools);
  const pairs = pairsOf(tools, distinct, options);
  const { decisions, remembered } = await decidePairs(tools, pairs, options.decide);
  const edges = new Map<string, boolean>();
  const rejected: RejectedOrdinals[] = [];
  const components = new DisjointSets(tools.length);
  for (let ordinal = 0; ordinal < tools.length; ordinal++) components.join(ordinal, atoms.find(ordinal));
  for (const [place, pair] of pairs.entries()) {
    const decision = decisions[place];
    if (decision === undefined) continue;
    if (decision.fellBack === true) problems.push({ code: "judge-fell-back", message: decision.reason });
    const against = decision.same ? refusal(tools, pair, options) : decision;
    edges.set(edgeKey(atoms, pair.left, pair.right), against === undefined);
    if (against !== undefined) rejected.push({ left: pair.left, right: pair.right, ...said(against) });
    else {
      components.join(pair.left, pair.right);
      note(reasons, pair.left, decision.reason);
      note(reasons, pair.right, decision.reason);
    }
  }
  const split = splitComponents(tools, components, atoms, edges, options);
  rejected.push(...split.rejected);
  const groups = split.groups.map((members) => ({
    members,
    reasons: [...new Set(members.flatMap((member) => reasons.get(member) ?? []))],
  }));
  return { groups, rejected, problems, judged: pairs.length - remembered, remembered };
}

function said({ reason, wouldChange }: Pick<PairDecision, "reason" | "wouldChange">): {
  readonly reason: string;
  readonly wouldChange: string;
} {
  return { reason, wouldChange };
}

function note(reasons: Map<number, string[]>, ordinal: number, reason: string): void {
  const known = reasons.get(ordinal);
  if (known === undefined) reasons.set(ordinal, [reason]);
  else known.push(reason);
}

/** Copies, and what pins join: no judge is asked about these. */
function joinedForSure(
  tools: readonly ToolDefinition[],
  pins: SettledPins,
  reasons: Map<number, string[]>,
  problems: MergeProblem[],
): DisjointSets {
  const atoms = new DisjointSets(tools.length);
  for (const [a, b] of pins.same) {
    const [x, y] = [tools[a], tools[b]];
    if (x === undefined || y === undefined) continue;
    if (!canFold(x, y)) {
      problems.push({
        code: "cannot-fold",
        message: `A pin joins ${x.id} and ${y.id}, but ${CANNOT_FOLD.charAt(0).toLowerCase()}${CANNOT_FOLD.slice(1)}`,
      });
      continue;
    }
    atoms.join(a, b);
    note(reasons, a, "A pin joins them.");
    note(reasons, b, "A pin joins them.");
  }
  const first = new Map<string, number[]>();
  for (const [ordinal, tool] of tools.entries()) {
    const key = contentKey(tool);
    const copies = first.get(key) ?? [];
    first.set(key, copies);
    const twin = copies.find((copy) => !pins.isForbidden(copy, ordinal));
    if (twin === undefined) copies.push(ordinal);
    else if (canFold(tool, tool)) {
      atoms.join(twin, ordinal);
      note(reasons, twin, "They are copies: name, description and schema are the same.");
      note(reasons, ordinal, "They are copies: name, description and schema are the same.");
    }
  }
  return atoms;
}

/** One tool of each content, so that a catalog of copies is as quick as one of its originals. */
function firstOfEach(tools: readonly ToolDefinition[]): readonly number[] {
  const seen = new Map<string, number>();
  for (const [ordinal, tool] of tools.entries()) {
    const key = contentKey(tool);
    if (!seen.has(key)) seen.set(key, ordinal);
  }
  return [...seen.values()];
}

function pairsOf(
  tools: readonly ToolDefinition[],
  distinct: readonly number[],
  { vectors, candidateFrom, neighbours }: MergeRoundOptions,
): readonly CandidatePair[] {
  const asked = distinct.flatMap((ordinal) => tools[ordinal] ?? []);
  const rows = vectors === undefined ? undefined : { ...vectors, values: rowsOf(vectors, distinct) };
  return candidatePairs(asked, { vectors: rows, candidateFrom, neighbours }).map((pair) => ({
    left: distinct[pair.left] ?? 0,
    right: distinct[pair.right] ?? 0,
    cosine: pair.cosine,
  }));
}

/** The rows of these ordinals, one behind the other. */
export function rowsOf({ values, dimensions }: ToolVectors, ordinals: readonly number[]): Float32Array {
  const rows = new Float32Array(ordinals.length * dimensions);
  for (const [place, ordinal] of ordinals.entries()) {
    rows.set(values.subarray(ordinal * dimensions, (ordinal + 1) * dimensions), place * dimensions);
  }
  return rows;
}

function refusal(
  tools: readonly ToolDefinition[],
  { left, right }: CandidatePair,
  { pins, apart }: MergeRoundOptions,
): Pick<PairDecision, "reason" | "wouldChange"> | undefined {
  if (pins.isForbidden(left, right)) return { reason: "A pin keeps them apart.", wouldChange: "That pin taken away." };
  const reason = apart(left, right);
  if (reason !== undefined) return { reason, wouldChange: "A pin, where they can be called through one schema." };
  const [a, b] = [tools[left], tools[right]];
  if (a !== undefined && b !== undefined && canFold(a, b)) return undefined;
  return { reason: CANNOT_FOLD, wouldChange: "Schemas that are plain lists of arguments, or the same in both." };
}

function edgeKey(atoms: DisjointSets, left: number, right: number): string {
  const [a, b] = [atoms.find(left), atoms.find(right)];
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function splitComponents(
  tools: readonly ToolDefinition[],
  components: DisjointSets,
  atoms: DisjointSets,
  edges: ReadonlyMap<string, boolean>,
  options: MergeRoundOptions,
): { readonly groups: readonly (readonly number[])[]; readonly rejected: readonly RejectedOrdinals[] } {
  const groups: (readonly number[])[] = [];
  const rejected: RejectedOrdinals[] = [];
  for (const component of components.groups()) {
    const members = membersByAtom(component, atoms);
    const heads = [...members.keys()];
    const isSame = (a: number, b: number): boolean => {
      const known = edges.get(edgeKey(atoms, a, b));
      if (known !== undefined) return known;
      const [x, y] = [tools[a], tools[b]];
      return x !== undefined && y !== undefined && judgePair(x, y).same;
    };
    const apart: Apart = (a, b) =>
      apartAtoms(tools, members.get(a) ?? [a], members.get(b) ?? [b], edges.get(edgeKey(atoms, a, b)), options);
    const split = splitCluster(tools, heads, isSame, apart);
    for (const group of split.groups) {
      const all = group.flatMap((head) => members.get(head) ?? [head]);
      if (all.length > 1) groups.push(all.sort((a, b) => a - b));
    }
    for (const [left, right, reason] of split.dropped) {
      rejected.push({ left, right, reason, wouldChange: "A pin that joins them." });
    }
  }
  return { groups, rejected };
}

function membersByAtom(component: readonly number[], atoms: DisjointSets): ReadonlyMap<number, readonly number[]> {
  const members = new Map<number, number[]>();
  for (const ordinal of component) {
    const head = atoms.find(ordinal);
    const known = members.get(head);
    if (known === undefined) members.set(head, [ordinal]);
    else known.push(ordinal);
  }
  return members;
}

/** Members of a pinned or copied group that are looked at one by one. */
const MOST_OF_AN_ATOM = 16;

function apartAtoms(
  tools: readonly ToolDefinition[],
  left: readonly number[],
  right: readonly number[],
  isEdge: boolean | undefined,
  { pins, apart }: MergeRoundOptions,
): string | undefined {
  for (const a of left.slice(0, MOST_OF_AN_ATOM)) {
    for (const b of right.slice(0, MOST_OF_AN_ATOM)) {
      if (pins.isForbidden(a, b)) return "A pin keeps them apart.";
      const known = apart(a, b);
      if (known !== undefined) return known;
      const [x, y] = [tools[a], tools[b]];
      if (x === undefined || y === undefined) continue;
      if (!canFold(x, y)) return CANNOT_FOLD;
      if (isEdge === true) continue;
      const verdict = judgePair(x, y);
      if (!verdict.same && verdict.score === 0) return verdict.reason;
    }
  }
  return undefined;
}
