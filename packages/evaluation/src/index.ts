export { type Calibration, type CalibrationOptions, calibrationOf, type ReliabilityBin } from "./calibration.ts";
export { reliabilityDiagram } from "./charts.ts";
export {
  compare,
  type CompareOptions,
  type ComparedMetric,
  type Comparison,
  type MetricComparison,
  type NamedMeasurement,
} from "./compare.ts";
export { correctSelection, modelChooser, type ModelChooserOptions, type ToolChooser } from "./correct-selection.ts";
export {
  type AtomicTask,
  type CompositionMode,
  type ContextDecision,
  type Dialogue,
  type DialogueTurn,
  type Scenario,
  scenarios,
  type Slot,
} from "./dialogues/dialogue.ts";
export {
  type DialogueQueriesOptions,
  dialogueQueries,
  type DialogueQuery,
  type ScenarioReport,
  scenarioReport,
} from "./dialogues/dialogue-queries.ts";
export { type DialogueStatistics, dialogueStatistics } from "./dialogues/dialogue-statistics.ts";
export {
  type DialogueWriter,
  type History,
  modelWriter,
  type ModelWriterOptions,
  templateWriter,
} from "./dialogues/dialogue-writer.ts";
export { generateDialogues, type GenerateDialoguesOptions } from "./dialogues/generate-dialogues.ts";
export { type Pending, type PlannedTurn, switchProbability } from "./dialogues/plan-turn.ts";
export { type InteractionState, states, type UserIntent } from "./dialogues/states.ts";
export { type DialogueProblem, validateDialogue } from "./dialogues/validate-dialogue.ts";
export { evaluate, type EvaluateOptions } from "./evaluate.ts";
export { findLeaks, type FindLeaksOptions, type Leak } from "./find-leaks.ts";
export { formatReport } from "./format-report.ts";
export { holm } from "./holm.ts";
export { type McNemar, mcnemar } from "./mcnemar.ts";
export { htmlReport } from "./html-report.ts";
export { readLogs, type ReadLogsOptions } from "./logs/read-logs.ts";
export { type ReadingProblem, type ReadRecordsOptions } from "./logs/read-records.ts";
export { type NameResolver, nameResolver } from "./logs/resolve-names.ts";
export { measure, type Measurement, type MeasureOptions, type Pipeline, type PipelineAnswer } from "./measure.ts";
export { type BootstrapOptions, type Difference, pairedBootstrap } from "./paired-bootstrap.ts";
export { parseQueries } from "./parse-queries.ts";
export { type Belief, type QueryResult, type RankingMetric, type SetMetric } from "./query-result.ts";
export { averagePrecisionAtK, completenessAtK, ndcgAtK, recallAtK } from "./ranking-metrics.ts";
export { type Refusals, refusalsOf } from "./refusals.ts";
export { type EvaluationReport, type GroupReport, type NamedGroup, type RunFacts, type Savings } from "./report.ts";
export {
  bm25Scores,
  dense,
  keywordMatcher,
  plainBm25,
  type Ranker,
  rankerPipeline,
  type RankerPipelineOptions,
} from "./rivals.ts";
export { measurementLines, readMeasurement } from "./saved-measurement.ts";
export { setMetrics, type SetMetrics } from "./set-metrics.ts";
export { summarise, type SummariseOptions } from "./summarise.ts";
