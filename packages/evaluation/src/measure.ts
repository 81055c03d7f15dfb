import { setImmediate } from "node:timers/promises";
import { type LabelledQuery, SetwiseError, type TokenUse, untilAborted } from "@setwise/core";
import { LEAST_PROBABILITY } from "./calibration.ts";
import { checkAnswer } from "./check-answer.ts";
import { correctSelection, type ToolChooser } from "./correct-selection.ts";
import { type Belief, type QueryResult, rankingMetrics, setMetricsOf } from "./query-result.ts";

/** What a pipeline says to one query. */
export interface PipelineAnswer {
  /** Tool ids, best first: the full ranking, at least ten where there are as many. */
  readonly ranking: readonly string[];
  /** Tool ids the pipeline would hand to an agent. */
  readonly selected: readonly string[];
  readonly tokens: TokenUse;
  /** P(tool ∈ right set), in 0..1, of those tools the pipeline has one for; calibration is measured with it. */
  readonly probabilities?: ReadonlyMap<string, number>;
  /** Ids of the tools that a model called when it was handed `selected`, where a log or a run says so. */
  readonly called?: readonly string[];
}

/** Any way from a query to tools. */
export type Pipeline = (query: LabelledQuery) => PipelineAnswer | Promise<PipelineAnswer>;

export interface MeasureOptions {
  /** Ids of all tools the pipeline knows. */
  readonly toolIds: Iterable<string>;
  /** Called after each query; the total of a stream is not known and counts as Infinity. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** Milliseconds from any fixed moment; `performance.now` by default. */
  readonly now?: () => number;
  /** Who picks among the selected tools, for CSR; see `modelChooser`. It is asked outside of the time that latency counts. */
  readonly chooser?: ToolChooser;
  /** Offer the chooser the first so many of the ranking, for ToolScope's CSR@k, instead of the selected tools. */
  readonly chooserK?: number;
}

/** The answers of one pipeline to labelled queries, as numbers: what reports and comparisons are made from. */
export interface Measurement {
  readonly results: readonly QueryResult[];
  /** Tools of the catalog. */
  readonly tools: number;
  /** Gold tools that the catalog does not have; they are left out of the gold sets. */
  readonly unknownGold: number;
  /** Queries left out because the catalog has none of their gold tools. */
  readonly skipped: number;
}

/**
 * Runs `pipeline` over labelled queries, one at a time. Queries may be a stream, of which only numbers are kept.
 *
 * @throws SetwiseError `invalid-argument` when there is no query to evaluate, or a pipeline's answer is not one;
 * `aborted` when the signal fires.
 */
export async function measure(
  pipeline: Pipeline,
  queries: Iterable<LabelledQuery> | AsyncIterable<LabelledQuery>,
  options: MeasureOptions,
): Promise<Measurement> {
  const known = new Set(options.toolIds);
  const total = Array.isArray(queries) ? queries.length : Number.POSITIVE_INFINITY;
  const results: QueryResult[] = [];
  let done = 0;
  let unknownGold = 0;
  let skipped = 0;
  for await (const query of queries) {
    if (options.signal?.aborted) throw new SetwiseError("aborted", `Evaluation was stopped after ${done} queries.`);
    const gold = [...new Set(query.tools)].filter((id) => known.has(id));
    unknownGold += new Set(query.tools).size - gold.length;
    if (gold.length === 0 && query.tools.length > 0) skipped += 1;
    else results.push(await resultOf(pipeline, query, gold, options));
    done += 1;
    options.onProgress?.(done, total);
    // Lets signals and timers in, of which one may stop this loop: a pipeline that only computes never would.
    await setImmediate();
  }
  if (results.length === 0) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected queries whose gold tools are in the catalog; of ${done} queries none has one. Check that queries and tools belong together.`,
    );
  }
  return { results, tools: known.size, unknownGold, skipped };
}

async function resultOf(
  pipeline: Pipeline,
  query: LabelledQuery,
  gold: readonly string[],
  { now = () => performance.now(), signal, chooser, chooserK }: MeasureOptions,
): Promise<QueryResult> {
  const start = now();
  const answer = await untilAborted(signal, async () => pipeline(query));
  const latencyMs = now() - start;
  checkAnswer(answer, query.id);
  const wanted = new Set(gold);
  const offered = chooserK === undefined ? answer.selected : answer.ranking.slice(0, chooserK);
  const called =
    answer.called ??
    (chooser === undefined ? undefined : await untilAborted(signal, async () => chooser(query, offered)));
  return {
    id: query.id,
    ...(query.subset === undefined ? {} : { subset: query.subset }),
    goldSize: gold.length,
    ranking: rankingMetrics(answer.ranking, gold),
    set: setMetricsOf(answer.selected, gold),
    size: new Set(answer.selected).size,
    tokens: answer.tokens,
    latencyMs,
    ...(answer.probabilities === undefined ? {} : { beliefs: beliefsOf(answer.probabilities, wanted) }),
    ...(called === undefined ? {} : { correctSelection: correctSelection(called, gold) }),
  };
}

function beliefsOf(probabilities: ReadonlyMap<string, number>, gold: ReadonlySet<string>): readonly Belief[] {
  const beliefs: Belief[] = [];
  for (const [id, probability] of probabilities)
    if (probability > LEAST_PROBABILITY) beliefs.push({ probability, holds: gold.has(id) });
  return beliefs;
}
