export { evaluate, type EvaluateOptions, type Pipeline, type PipelineAnswer } from "./evaluate.ts";
export { parseQueries } from "./parse-queries.ts";
export { averagePrecisionAtK, completenessAtK, ndcgAtK, recallAtK } from "./ranking-metrics.ts";
export { type EvaluationReport } from "./report.ts";
export { setMetrics, type SetMetrics } from "./set-metrics.ts";
