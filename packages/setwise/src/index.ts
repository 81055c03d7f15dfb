export { type Calibration, type Goal } from "@setwise/adaptive-k";
export {
  type Catalog,
  createCatalog,
  type CutPolicy,
  type Encoder,
  errorCodes,
  type ExplainedTool,
  type Explanation,
  type PairScorer,
  type Problem,
  type SelectedTool,
  type Selection,
  type SelectionDocument,
  SetwiseError,
  type Tool,
} from "@setwise/core";
export { type KernelInfo, kernelInfo } from "@setwise/native";
export { type ExportedTools, exportTools, type Provider, providers, readTools, type ToolList } from "@setwise/sources";
export { existingIndexFile } from "./index-file.ts";
export { loadSelector, type LoadSelectorOptions } from "./load-selector.ts";
export { loadTools, type LoadToolsOptions } from "./load-tools.ts";
export { type EncoderChoice, openEncoder, type OpenEncoderOptions } from "./open-encoder.ts";
export { type RerankerChoice } from "./open-reranker.ts";
export { type PipelineOptions, type SelectorAnswer, selectorPipeline } from "./pipeline.ts";
export { type Message } from "./query-text.ts";
export { readEdgesFile } from "./read-edges-file.ts";
export { readTextFile } from "./read-text-file.ts";
export { type SelectOptions } from "./select-options.ts";
export { DEFAULT_TIMEOUT_MS } from "./timeout.ts";
export { type TextCut } from "./text-cuts.ts";
export { type ModelChoice, openSetModel } from "./open-set-model.ts";
export { saveSetModel } from "./save-set-model.ts";
export { type TrainedModel, type TrainOptions } from "./train-from-log.ts";
export { type PlanOptions, type PlanProblem, type QueryPlan } from "./plan-query.ts";
export type {
  DriveOptions,
  GivenEdge,
  PlanRun,
  ReadyCall,
  RunOptions,
  RunQuestion,
  RunState,
  ToolPlan,
  TraceEvent,
} from "@setwise/planner";
export { createSelector, type SelectorOptions } from "./create-selector.ts";
export { type Selector } from "./selector.ts";
export { type MergeChoice } from "./merge-choice.ts";
export { mergeReview, readMergeReview } from "./merge-review.ts";
export {
  type MergedCatalog,
  type MergePin,
  type ResolvedCall,
  type ResolveOptions,
  type ToolCall,
} from "@setwise/merger";
