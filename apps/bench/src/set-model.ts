import type { Encoder } from "@setwise/core";
import {
  adaptSetModel,
  calibrationError,
  type FigureRow,
  figuresOf,
  figuresOfScores,
  openSetScorer,
  rankTools,
  reliability,
  type SetModel,
  type Statement,
  trainSetModel,
} from "@setwise/set-scorer";
import { encoderLevels } from "./levels.ts";
import { type PreparedQuery, trainingData } from "./set-model-data.ts";
import { type SetModelTrial, setModelTrials } from "./set-model-trials.ts";

const DEFAULT_SEEDS = 5;
const THREADS = 2;
/** Figures of a query: of {@link figuresOf}. */
const columns = ["R@3", "N@3", "C@3", "R@5", "C@5", "exact"] as const;

export interface SetModelOptions {
  /** Keeps what transformers encoded from one run to the next. */
  readonly cache?: string | undefined;
  /** How many seeds, from 1 on. */
  readonly seeds?: string | undefined;
  /** Only trials whose name begins so. */
  readonly only?: string | undefined;
}

/** What sets learned from logs are worth on test splits: trained on train splits, everything chosen on a part of those. */
export async function setModel(
  folder: string,
  print: (line: string) => void,
  { cache, seeds = String(DEFAULT_SEEDS), only = "" }: SetModelOptions = {},
): Promise<void> {
  for (const { name, encoder } of (await encoderLevels(cache)).toReversed()) {
    if (encoder === undefined) continue;
    print(`\n## ${name}\n`);
    print(`| trial | ranking | ${columns.join(" | ")} | ECE | training |`);
    print(`|---|---|${columns.map(() => "---").join("|")}|---|---|`);
    for await (const trial of setModelTrials(folder, encoder)) {
      if (trial.name.startsWith(only))
        await runTrial(trial, encoder, print, trial.isOneOfMany === true ? 1 : Number(seeds));
    }
  }
}

async function runTrial(
  trial: SetModelTrial,
  encoder: Encoder,
  print: (line: string) => void,
  seeds: number,
): Promise<void> {
  const data = trainingData(trial.library, trial.train);
  const results: { readonly model: SetModel; readonly seconds: number; readonly chosen: string }[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const started = performance.now();
    const options = { seed, threads: THREADS, ...(trial.splitBy === undefined ? {} : { splitBy: trial.splitBy }) };
    const { model, report } = await trainSetModel(data, options);
    const seconds = (performance.now() - started) / 1000;
    const toolVectors = trial.full.index.embeddings?.vectors ?? new Float32Array(0);
    const adapted = adaptSetModel(model, { catalog: trial.full.catalog, encoder: encoder.name, toolVectors });
    results.push({ model: adapted.model, seconds, chosen: report.chosen });
    process.stderr.write(`${trial.name}, seed ${seed}: ${report.verdict}\n`);
  }
  const seconds = `${(results.reduce((sum, result) => sum + result.seconds, 0) / seeds).toFixed(1)} s`;
  for (const test of trial.tests) {
    print(row(trial, test.name, "untrained", [untrained(test.queries, test.only)], "–", "–"));
    const measured = results.map(({ model }) => measure(model, test.queries, test.only));
    const chosen = [...new Set(results.map((result) => result.chosen))].join(", ");
    const errors = spread(measured.map(({ error }) => 100 * error));
    print(
      row(
        trial,
        test.name,
        chosen,
        measured.map(({ rows }) => rows),
        errors,
        seconds,
      ),
    );
    if (test.only === undefined)
      print(`<!-- ${trial.name}, ${test.name}, said → was: ${measured[0]?.diagram ?? ""} -->`);
  }
}

/** The figures of the first feature, which is what the untrained pipeline ranks by. */
function untrained(queries: readonly PreparedQuery[], only: ReadonlySet<number> | undefined): FigureRow[] {
  return queries.map(({ features, gold }) =>
    figuresOf(features["hybrid"]?.ids ?? new Uint32Array(0), asked(gold, only)),
  );
}

interface Measured {
  readonly rows: readonly FigureRow[];
  readonly error: number;
  readonly diagram: string;
}

function measure(model: SetModel, queries: readonly PreparedQuery[], only: ReadonlySet<number> | undefined): Measured {
  const scorer = openSetScorer(model);
  const statements = queries.map((query): Statement => ({ scored: scorer.score(query), gold: query.gold }));
  scorer.dispose();
  const bins = reliability(statements).map(
    ({ said, was, count }) => `${said.toFixed(2)} → ${was.toFixed(2)} (${count})`,
  );
  return {
    rows: statements.map(({ scored, gold }) =>
      only === undefined ? figuresOfScores(scored, gold) : figuresOf(rankTools(scored).ids, asked(gold, only)),
    ),
    error: calibrationError(statements),
    diagram: bins.join(", "),
  };
}

function asked(gold: Uint32Array, only: ReadonlySet<number> | undefined): Uint32Array {
  return only === undefined ? gold : gold.filter((tool) => only.has(tool));
}

function row(
  { name, train }: SetModelTrial,
  test: string,
  ranking: string,
  bySeed: readonly (readonly FigureRow[])[],
  error: string,
  seconds: string,
): string {
  const figures = columns.map((_, column) =>
    spread(bySeed.map((rows) => (100 * rows.reduce((sum, figure) => sum + (figure[column] ?? 0), 0)) / rows.length)),
  );
  return `| ${name} (${train.length}), ${test} (${bySeed[0]?.length ?? 0}) | ${ranking} | ${figures.join(" | ")} | ${error} | ${seconds} |`;
}

/** The mean and, of several seeds, the standard deviation. */
function spread(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (Number.isNaN(mean)) return "–";
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return values.length === 1 ? mean.toFixed(1) : `${mean.toFixed(1)} ± ${Math.sqrt(square).toFixed(1)}`;
}
