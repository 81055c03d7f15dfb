import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Evidence, judgePair } from "@setwise/merger";
import { HELD_OUT_PAIRS, LABELLED_PAIRS } from "./merge-labels.ts";
import { type PairTool, readPairs, type ReadPair, toolOf } from "./merge-pairs.ts";
import { columns, percent } from "./merge-table.ts";

/** Evidence that speaks for a pair; the rest speaks against it. A weight of the wrong sign is none: it would be chance. */
const SPEAKS_FOR: ReadonlySet<string> = new Set(["sharedNames", "likeArguments", "alignedArguments"]);
const STEPS = 3000;
const RATE = 0.5;
/** Ridge on weights of evidence that was scaled to unit variance. */
const RIDGE = 1;
const FOLDS = 5;
/** log(p / (1 − p)) from which on pairs are counted as folded in the table. */
const THRESHOLDS = [0, 0.5, 1, 1.25, 1.5];

interface Row {
  /** Absent where something rules the pair out. */
  readonly evidence: Evidence | undefined;
  readonly isSame: boolean;
}

/** Fits the weights of `weigh-evidence.ts` and says what they are worth on pairs that they were not fitted on. */
export async function fitEvidence(folder: string, file: string, print: (line: string) => void): Promise<void> {
  const parts = { given: rowsOf(await readPairs(file, "dev")), own: rowsOf(await ownPairs(folder, LABELLED_PAIRS)) };
  const heldOut = rowsOf(await ownPairs(folder, HELD_OUT_PAIRS));
  const rows = [...parts.given, ...parts.own];
  print("\n## Weights of evidence\n");
  print(columns(["fitted on", "judged", ...THRESHOLDS.map((least) => `P / R from ${least}`)]));
  print(columns(Array.from({ length: 2 + THRESHOLDS.length }, () => "---")));
  const scores = new Map<Row, number>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const logit = fit(rows.filter((_, place) => place % FOLDS !== fold));
    for (const [place, row] of rows.entries()) if (place % FOLDS === fold) scores.set(row, logit(row));
  }
  print(line(`${FOLDS - 1} of ${FOLDS} folds`, "the other fold", rows, (row) => scores.get(row) ?? 0));
  print(line("own pairs", "given pairs", parts.given, fit(parts.own)));
  print(line("given pairs", "own pairs", parts.own, fit(parts.given)));
  print(line("all of these", "held-out pairs", heldOut, fit(rows)));
  print(`\n${fit(rows).weights}`);
}

function rowsOf(pairs: readonly ReadPair[]): readonly Row[] {
  return pairs
    .filter(({ label }) => label !== "unsure")
    .map(({ tools, label }) => ({ evidence: judgePair(...tools).evidence, isSame: label === "same" }));
}

async function ownPairs(folder: string, text: string): Promise<readonly ReadPair[]> {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const tools = new Map<string, PairTool>();
  for (const source of new Set(lines.flatMap((fields) => [fields[1] ?? "", fields[3] ?? ""]))) {
    const list = await readFile(join(folder, source, "tools.jsonl"), "utf8");
    for (const tool of list.trim().split("\n")) {
      const read = JSON.parse(tool) as PairTool;
      tools.set(`${source}\t${read.id}`, { ...read, parameters: read.parameters ?? null, source });
    }
  }
  const labels = { s: "same", d: "different", u: "unsure" } as const;
  return lines.flatMap(([label = "", ...ids]) => {
    const [a, b] = [tools.get(ids.slice(0, 2).join("\t")), tools.get(ids.slice(2).join("\t"))];
    if (a === undefined || b === undefined) return [];
    return [{ tools: [toolOf(a, "a"), toolOf(b, "b")], label: labels[label as keyof typeof labels], kind: "" }];
  });
}

function line(fittedOn: string, judged: string, rows: readonly Row[], logit: (row: Row) => number): string {
  const positive = rows.filter((row) => row.isSame).length;
  const shares = THRESHOLDS.map((least) => {
    const folded = rows.filter((row) => row.evidence !== undefined && logit(row) >= least);
    const right = folded.filter((row) => row.isSame).length;
    return `${percent(right, folded.length)} / ${percent(right, positive)}`;
  });
  return columns([fittedOn, judged, ...shares]);
}

/** Logistic regression by gradient descent over the rows that nothing rules out. */
function fit(all: readonly Row[]): ((row: Row) => number) & { readonly weights: string } {
  const rows = all.flatMap(({ evidence, isSame }) => (evidence === undefined ? [] : [{ evidence, isSame }]));
  const names = Object.keys(rows[0]?.evidence ?? {}) as (keyof Evidence)[];
  const scales = names.map((name) => deviation(rows.map(({ evidence }) => evidence[name])));
  const inputs = rows.map(({ evidence }) => names.map((name, i) => evidence[name] / (scales[i] ?? 1)));
  const weights = names.map(() => 0);
  let start = 0;
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight);
    let startGradient = 0;
    for (const [place, values] of inputs.entries()) {
      const logit = values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), start);
      const error = 1 / (1 + Math.exp(-logit)) - Number(rows[place]?.isSame);
      startGradient += error;
      for (const [i, value] of values.entries()) gradient[i] = (gradient[i] ?? 0) + error * value;
    }
    start -= (RATE * startGradient) / rows.length;
    for (const [i, name] of names.entries()) {
      const weight = (weights[i] ?? 0) - (RATE * (gradient[i] ?? 0)) / rows.length;
      weights[i] = weight > 0 === SPEAKS_FOR.has(name) ? weight : 0;
    }
  }
  const plain = weights.map((weight, i) => weight / (scales[i] ?? 1));
  const logitOf = ({ evidence }: Row): number =>
    names.reduce((sum, name, i) => sum + (evidence?.[name] ?? 0) * (plain[i] ?? 0), start);
  const told = names.map((name, i) => `${name} ${(plain[i] ?? 0).toFixed(2)}`).join(", ");
  return Object.assign(logitOf, { weights: `start ${start.toFixed(2)}, ${told}` });
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
}
