import type { LabelledQuery } from "@setwise/core";
import { measure, type MeasureOptions, type Pipeline } from "./measure.ts";
import type { EvaluationReport } from "./report.ts";
import { summarise, type SummariseOptions } from "./summarise.ts";

export interface EvaluateOptions extends MeasureOptions, SummariseOptions {}

/**
 * Runs `pipeline` over labelled queries, one at a time, and reports means over queries (macro averages): `measure`, then
 * `summarise`. Keep the measurement instead, where two pipelines are to be compared.
 *
 * @throws SetwiseError `invalid-argument` when there is no query to evaluate, `aborted` when the signal fires.
 */
export async function evaluate(
  pipeline: Pipeline,
  queries: Iterable<LabelledQuery> | AsyncIterable<LabelledQuery>,
  options: EvaluateOptions,
): Promise<EvaluationReport> {
  return summarise(await measure(pipeline, queries, options), options);
}
