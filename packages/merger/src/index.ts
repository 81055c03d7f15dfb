export { type AskOptions, type ModelUse } from "@setwise/core";
export { type CandidatePair, DEFAULT_NEIGHBOURS, type ToolVectors } from "./candidate-pairs.ts";
export { type DecisionStore, deterministicJudge, type PairDecision } from "./decide-pairs.ts";
export { type MergeCoverage, mergeCoverage } from "./coverage.ts";
export { sampleCalls } from "./sample-calls.ts";
export { candidateCosine } from "./encoder-thresholds.ts";
export { type MemberMapping } from "./fold-schemas.ts";
export { judgePair, type Verdict } from "./judge-pair.ts";
export { createLanguageModelMerging, type LanguageModelMerging } from "./language-model-merging.ts";
export {
  type Folding,
  type ResolvedCall,
  type ResolveOptions,
  type ToolCall,
  type Translation,
} from "./merged-catalog.ts";
export {
  type MergeCluster,
  type MergedCatalog,
  type MergeOptions,
  type MergeReport,
  mergeTools,
  type RejectedPair,
} from "./merge-tools.ts";
export { type MergePin, type MergeProblem } from "./pins.ts";
export { readReview, type ReviewedPair, writeReview } from "./review-file.ts";
export { type Evidence } from "./pair-evidence.ts";
export { type MergeSynthesiser } from "./synthesise-tool.ts";
export { type MergeValidator } from "./validate-cluster.ts";
