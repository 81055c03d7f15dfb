import {
  type Catalog,
  createCatalog,
  isFloat32Array,
  type MergeJudge,
  refuseAborted,
  SetwiseError,
  type TokenCounter,
  type Tool,
} from "@setwise/core";
import { labelCoverage, type MergeCoverage } from "./coverage.ts";
import { DEFAULT_NEIGHBOURS, type ToolVectors } from "./candidate-pairs.ts";
import { type DecisionStore, deterministicJudge, type PairDecision } from "./decide-pairs.ts";
import { candidateCosine } from "./encoder-thresholds.ts";
import { createTranslation, type Folding, type Translation } from "./merged-catalog.ts";
import { mergeRound, type MergeRound, rowsOf } from "./merge-round.ts";
import { currentPins, type MergePin, type MergeProblem, obeyedPins, settlePins } from "./pins.ts";
import { type AreTwins, twinServers } from "./twin-servers.ts";
import { type MergeSynthesiser, unifyTools } from "./synthesise-tool.ts";
import type { MergeValidator } from "./validate-cluster.ts";
import { joinUnits } from "./join-units.ts";
import { wordLikeness } from "./word-likeness.ts";
import { accountsApart, idsKey, membersApart, type MergeUnit as Unit } from "./merge-unit.ts";

/** A merged tool may be a copy of another one; so often it is looked again. In all data sets tried two times were enough. */
const MOST_ROUNDS = 5;

export interface MergeOptions {
  /** Vectors of the catalog's tools, in its order: candidates are found by meaning too. */
  readonly vectors?: ToolVectors;
  /** Decides about pairs; by words and schemas by default. */
  readonly judge?: MergeJudge;
  /** Audits what the words left of a cluster. */
  readonly validator?: MergeValidator;
  /** Words the descriptions of unified tools; by default the representative's own. */
  readonly synthesiser?: MergeSynthesiser;
  /** Decisions of a person, which stand above every judge. */
  readonly pins?: readonly MergePin[];
  /** Decisions of former runs: a `Map` kept by the caller. Only pairs it does not know are judged. */
  readonly decisions?: DecisionStore;
  /** Nearest tools that each is compared with, by vectors and by words each; 10 by default. */
  readonly neighbours?: number;
  /** Counts tokens for the report and the new catalog; an estimate by default. */
  readonly tokenCounter?: TokenCounter;
  readonly signal?: AbortSignal;
  /** Told after each decision how many pairs of this round are decided. */
  readonly onProgress?: (progress: { readonly round: number; readonly decided: number }) => void;
}

/** Tools that became one. */
export interface MergeCluster {
  /** Id of the unified tool, which is that of its representative. */
  readonly representative: string;
  /** Ids, the representative first. */
  readonly members: readonly string[];
  readonly reason: string;
}

/** Two tools that look alike and stay two. */
export interface RejectedPair {
  readonly members: readonly [string, string];
  readonly reason: string;
  readonly wouldChange: string;
  /** How alike they are, in 0..1: of the words that either name or first sentence has, the share that both have. */
  readonly likeness: number;
}

export interface MergeReport {
  readonly before: { readonly tools: number; readonly tokens: number };
  readonly after: { readonly tools: number; readonly tokens: number };
  /** Pairs that the judge was asked about, and those that former decisions answered. */
  readonly judged: number;
  readonly remembered: number;
  /** Pins that were followed: of two tools that are there, not out of date, and not contradicted. */
  readonly obeyed: number;
  readonly problems: readonly MergeProblem[];
}

export interface MergedCatalog extends Translation {
  readonly catalog: Catalog;
  /** What each unified tool is made of: its members and the names of their arguments. */
  readonly foldings: readonly Folding[];
  readonly clusters: readonly MergeCluster[];
  /** The most alike first, ties by ids. */
  readonly rejected: readonly RejectedPair[];
  readonly report: MergeReport;
  /** Vectors of the new catalog: a unified tool has its representative's. */
  readonly vectors: ToolVectors | undefined;
  /** Coverage of logged requests by the ids of the tools that were called, as often as each was called. */
  coverageOf(called: Iterable<string>): MergeCoverage;
}

/**
 * Folds tools that do the same job into unified tools that can still be called. Neither the order of the tools nor a second run changes
 * the outcome (after ToolScope: candidates, judge, components, validator, representative, synthesiser).
 *
 * @throws SetwiseError `invalid-argument` for vectors that do not fit the catalog, `aborted` when the signal fires.
 */
export async function mergeTools(catalog: Catalog, options: MergeOptions = {}): Promise<MergedCatalog> {
  checkOptions(catalog, options);
  refuseAborted(options.signal);
  // By id, so that ties fall the same way whatever order the tools come in.
  const order = catalog.tools
    .map((_, ordinal) => ordinal)
    .sort((a, b) => (idAt(catalog, a) < idAt(catalog, b) ? -1 : 1));
  let units: readonly Unit[] = order.flatMap((ordinal) => {
    const tool = catalog.tools[ordinal];
    return tool === undefined ? [] : [{ tool, members: [tool], row: ordinal, reasons: [] }];
  });
  const rejected = new Map<string, RejectedPair>();
  const problems: MergeProblem[] = [];
  const counts = { judged: 0, remembered: 0 };
  const separated = new Set<string>();
  const areTwins = twinServers(catalog.tools);
  const decisions = options.decisions ?? new Map<string, PairDecision>();
  const toolOf = (id: string): Tool | undefined => catalog.tools[catalog.ordinalOf(id) ?? -1];
  const pins = currentPins(toolOf, options.pins ?? [], problems);
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const found = await runRound(units, round, { ...options, pins, decisions }, separated, areTwins);
    counts.judged += found.judged;
    counts.remembered += found.remembered;
    const told = new Set(problems.map(({ message }) => message));
    for (const problem of found.problems) {
      if (!told.has(problem.message)) problems.push(problem);
      told.add(problem.message);
    }
    keepRejected(rejected, units, found);
    if (found.groups.length === 0) break;
    units = await joinUnits(units, found, { ...options, pins }, problems, separated);
  }
  return assemble(catalog, units, rejected, { ...counts, problems }, { ...options, pins });
}

function idAt(catalog: Catalog, ordinal: number): string {
  return catalog.tools[ordinal]?.id ?? "";
}

function checkOptions(catalog: Catalog, { vectors, neighbours }: MergeOptions): void {
  if (neighbours !== undefined && !(Number.isInteger(neighbours) && neighbours > 0 && neighbours <= 1000)) {
    throw new SetwiseError(
      "invalid-argument",
      `neighbours must be a whole number from 1 to 1000, but is ${neighbours}.`,
    );
  }
  if (vectors === undefined) return;
  const { values, dimensions } = vectors;
  const expected = catalog.tools.length * dimensions;
  if (!isFloat32Array(values) || values.length !== expected) {
    throw new SetwiseError(
      "invalid-argument",
      `vectors.values must be a Float32Array of ${catalog.tools.length} tools × ${dimensions} numbers, ${expected} in all, but has ${isFloat32Array(values) ? values.length : "another type"}.`,
    );
  }
}

async function runRound(
  units: readonly Unit[],
  round: number,
  options: MergeOptions,
  separated: ReadonlySet<string>,
  areTwins: AreTwins,
): Promise<MergeRound> {
  const { vectors, judge = deterministicJudge, pins = [], signal, onProgress } = options;
  const tools = units.map((unit) => unit.tool);
  const rows = vectors && {
    ...vectors,
    values: rowsOf(
      vectors,
      units.map((unit) => unit.row),
    ),
  };
  const ordinals = new Map(
    units.flatMap((unit, ordinal) => unit.members.map((member) => [member.id, ordinal] as const)),
  );
  const settled = settlePins(tools, round === 1 ? pins : pins.flatMap((pin) => pinOfUnits(pin, ordinals, tools)));
  return mergeRound(tools, {
    vectors: rows,
    candidateFrom: vectors === undefined ? 0 : candidateCosine(vectors.encoder),
    neighbours: options.neighbours ?? DEFAULT_NEIGHBOURS,
    pins: settled,
    apart: (a, b) => {
      if (separated.has(idsKey(units[a], units[b]))) return "The validator told them apart.";
      return accountsApart(units[a], units[b], areTwins) ?? membersApart(units[a], units[b]);
    },
    decide: {
      judge,
      store: options.decisions,
      signal,
      onDecided: (decided) => onProgress?.({ round, decided }),
    },
  });
}

/** A pin of two tools as a pin of the unified tools that they are in. */
function pinOfUnits(pin: MergePin, ordinals: ReadonlyMap<string, number>, tools: readonly Tool[]): readonly MergePin[] {
  const [a, b] = [ordinals.get(pin.a), ordinals.get(pin.b)];
  if (a === undefined || b === undefined || a === b) return [];
  const [x, y] = [tools[a]?.id, tools[b]?.id];
  return x === undefined || y === undefined ? [] : [{ ...pin, a: x, b: y }];
}

function keepRejected(rejected: Map<string, RejectedPair>, units: readonly Unit[], round: MergeRound): void {
  for (const { left, right, reason, wouldChange } of round.rejected) {
    const ids = [units[left]?.tool.id ?? "", units[right]?.tool.id ?? ""].sort() as [string, string];
    const key = ids.join("\n");
    if (rejected.has(key)) continue;
    const likeness = likenessOf(units[left]?.tool, units[right]?.tool);
    rejected.set(key, { members: ids, reason, wouldChange, likeness });
  }
}

function likenessOf(a: Tool | undefined, b: Tool | undefined): number {
  return a === undefined || b === undefined ? 0 : wordLikeness(a, b);
}

/** Of the reasons of a cluster so many are told. */
const MOST_REASONS = 3;

function assemble(
  before: Catalog,
  units: readonly Unit[],
  rejected: ReadonlyMap<string, RejectedPair>,
  counts: Pick<MergeReport, "judged" | "remembered" | "problems">,
  { vectors, tokenCounter, pins = [] }: MergeOptions,
): MergedCatalog {
  const place = (unit: Unit): number => Math.min(...unit.members.map((member) => before.ordinalOf(member.id) ?? 0));
  const sorted = units
    .map((unit) => ({ unit, at: place(unit) }))
    .sort((a, b) => a.at - b.at)
    .map(({ unit }) => unit);
  const after = createCatalog(
    sorted.map((unit) => unit.tool),
    tokenCounter === undefined ? {} : { tokenCounter },
  );
  const merged = sorted.filter((unit) => unit.members.length > 1);
  const foldings = merged.map(({ tool, members }): Folding => {
    const [first, ...others] = members;
    const { mappings } = unifyTools([first as Tool, ...others]);
    return { tool, members, mappings };
  });
  const clusters = merged.map(({ tool, members, reasons }) => ({
    representative: tool.id,
    members: members.map((member) => member.id),
    reason: reasons.slice(0, MOST_REASONS).join(" "),
  }));
  const translation = createTranslation(after, foldings);
  return {
    ...translation,
    catalog: after,
    foldings,
    clusters,
    coverageOf: (called) => labelCoverage(translation, foldings, called),
    // What was told apart first and came together over others is no rejection.
    rejected: [...rejected.values()]
      .filter(({ members: [a, b] }) => translation.newIdOf(a) !== translation.newIdOf(b))
      .sort((a, b) => b.likeness - a.likeness || (a.members.join("\n") < b.members.join("\n") ? -1 : 1)),
    report: {
      before: { tools: before.tools.length, tokens: sum(before.tokens) },
      after: { tools: after.tools.length, tokens: sum(after.tokens) },
      ...counts,
      obeyed: obeyedPins(pins, translation.newIdOf),
    },
    vectors: vectors && {
      ...vectors,
      values: rowsOf(
        vectors,
        sorted.map((unit) => unit.row),
      ),
    },
  };
}

function sum(numbers: Uint32Array): number {
  return numbers.reduce((total, number) => total + number, 0);
}
