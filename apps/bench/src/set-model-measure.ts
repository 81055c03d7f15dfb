import { calibrationOf, type Calibration } from "@setwise/evaluation";
import {
  adaptSetModel,
  figuresOf,
  openSetScorer,
  rankTools,
  type SetModel,
  type SetScores,
  trainSetModel,
} from "@setwise/set-scorer";
import { mean } from "./ranking-row.ts";
import { type PreparedQuery, trainingData } from "./set-model-data.ts";
import type { SetModelTrial } from "./set-model-trials.ts";

const THREADS = 2;
/** Tools hardly believed in are no statement: nearly all are right, and would hide the others. */
const LEAST_PROBABILITY = 0.01;

/** Figures of a ranking and of the likeliest set. */
export const setModelColumns = ["R@3", "N@3", "C@3", "R@5", "C@5", "C@10", "exact"] as const;

/** Means over queries, in 0..1; the exact set is missing where only some of the right tools are asked for. */
export type SetModelFigures = Readonly<Partial<Record<(typeof setModelColumns)[number], number>>>;

/** What one training reached on each test of its trial. */
export interface SeedResult {
  readonly chosen: string;
  readonly verdict: string;
  readonly seconds: number;
  readonly tests: readonly TestResult[];
}

/** What was kept, and the share of exact sets of the untrained ranking with its probabilities calibrated on the same log. */
export interface TestResult {
  readonly figures: SetModelFigures;
  readonly calibration: Calibration;
  readonly untrainedExact?: number;
}

type Test = SetModelTrial["tests"][number];

/** Trains by one seed and measures what was kept. */
export async function measureSeed(trial: SetModelTrial, seed: number): Promise<SeedResult> {
  const data = trainingData(trial.library, trial.train);
  const started = performance.now();
  const options = { seed, threads: THREADS, ...(trial.splitBy === undefined ? {} : { splitBy: trial.splitBy }) };
  const { model, report } = await trainSetModel(data, options);
  const seconds = (performance.now() - started) / 1000;
  const { catalog, index, encoder } = trial.full;
  const toolVectors = index.embeddings?.vectors ?? new Float32Array(0);
  const measure = (given: SetModel): TestResult[] => {
    const scorer = openSetScorer(adaptSetModel(given, { catalog, encoder: encoder.name, toolVectors }).model);
    const results = trial.tests.map((test) => measureTest(test, (query) => scorer.score(query)));
    scorer.dispose();
    return results;
  };
  const untrained = measure(report.contenders[0]!.model);
  const tests = measure(model).map((result, at): TestResult => {
    const exact = untrained[at]?.figures.exact;
    return { ...result, ...(exact === undefined ? {} : { untrainedExact: exact }) };
  });
  return { chosen: report.chosen, verdict: report.verdict, seconds, tests };
}

function measureTest({ queries, only }: Test, scoreOf: (query: PreparedQuery) => SetScores): TestResult {
  const scores = queries.map(scoreOf);
  const rows = queries.map(({ gold }, at) => {
    const scored = scores[at]!;
    const best = only === undefined ? (scored.best[0]?.ids ?? new Uint32Array(0)) : undefined;
    return figureRow(rankTools(scored).ids, asked(gold, only), best);
  });
  const beliefs = queries.flatMap(({ gold }, at) => beliefsOf(scores[at]!, gold));
  return { figures: meansOf(rows), calibration: calibrationOf(beliefs, { leastProbability: LEAST_PROBABILITY }) };
}

/** The figures of the first feature, which is what the untrained pipeline ranks by. */
export function untrainedFigures({ queries, only }: Test): SetModelFigures {
  return meansOf(
    queries.map(({ features, gold }) => figureRow(features["hybrid"]?.ids ?? new Uint32Array(0), asked(gold, only))),
  );
}

/** P(t ∈ E) of each tool of the pool, and whether it is in the right set. */
export function beliefsOf(
  { pool, inclusion }: Pick<SetScores, "pool" | "inclusion">,
  gold: Uint32Array,
): { readonly probability: number; readonly holds: boolean }[] {
  return Array.from(inclusion, (probability, place) => ({ probability, holds: gold.includes(pool[place] ?? -1) }));
}

function asked(gold: Uint32Array, only: ReadonlySet<number> | undefined): Uint32Array {
  return only === undefined ? gold : gold.filter((tool) => only.has(tool));
}

function figureRow(ranking: Uint32Array, gold: Uint32Array, best?: Uint32Array): number[] {
  const [recall3, ndcg3, completeness3, recall5, completeness5, exact] = figuresOf(ranking, gold, best);
  const ten = ranking.subarray(0, 10);
  return [recall3, ndcg3, completeness3, recall5, completeness5, Number(gold.every((t) => ten.includes(t))), exact];
}

function meansOf(rows: readonly (readonly number[])[]): SetModelFigures {
  const means = setModelColumns.map((name, column) => [name, mean(rows.map((row) => row[column]!))] as const);
  return Object.fromEntries(means.filter(([, value]) => !Number.isNaN(value)));
}
