export {
  type DeficitResults,
  DeficitSearch,
  type DeficitSearchOptions,
  type DeficitSearchQuery,
} from "./deficit-search.ts";
export {
  enumerateHyperedges,
  type EnumerateHyperedgesOptions,
  type HyperedgeDistribution,
  type Hyperedges,
} from "./enumerate-hyperedges.ts";
export { KernelError, type KernelErrorCode } from "./errors.ts";
export type { Alignment } from "./hyperedge-kernel.ts";
export type { HyperedgeOptions, SetConstraintOptions } from "./hyperedge-request.ts";
export {
  HypergraphModel,
  type HypergraphModelFunctionOptions,
  type HypergraphModelOptions,
  type HypergraphModelRunOptions,
  type HypergraphModelWeights,
  type ModelRankings,
  type ModelRankOptions,
  type ModelSetOptions,
  type ModelSets,
  type ModelShortlists,
  type PoolOptions,
} from "./hypergraph-model.ts";
export type { PoolProblem } from "./hypergraph-model-kernel.ts";
export { HypergraphTrainer, type SetStepResult, type TrainingRunOptions } from "./hypergraph-trainer.ts";
export type { NegativeSource } from "./hypergraph-trainer-kernel.ts";
export {
  hysetNegatives,
  hysetSetStage,
  type MatchStageOptions,
  type SetStageOptions,
  type StageOptions,
  type TrainedPart,
} from "./hypergraph-trainer-options.ts";
export type {
  CandidateSets,
  HypergraphTrainerOptions,
  HypergraphTrainerWeights,
} from "./hypergraph-trainer-request.ts";
export type { KernelChoice } from "./kernel-choice.ts";
export type { Kernels, SimdLevel } from "./kernels.ts";
export { type KernelInfo, kernelInfo, openKernels } from "./open-kernels.ts";
export { projectRows, type ProjectRowsOptions } from "./project-rows.ts";
export { type MarginalGainOptions, type MarginalGainRankings, rankByMarginalGain } from "./rank-by-marginal-gain.ts";
export { openSafetensors, type SafetensorsFile, type SafetensorsKind } from "./safetensors.ts";
export type { TensorPlace, TensorType } from "./safetensors-header.ts";
export { type HyperedgeScore, scoreHyperedge } from "./score-hyperedge.ts";
export type { NegativeCounts, TrainingEpoch } from "./training-epoch.ts";
export type { ToolFeature, ToolLists, TrainingQueries } from "./training-queries.ts";
export { type SetDistributions, setDistributions, type SetDistributionsOptions } from "./set-distributions.ts";
export {
  VectorIndex,
  type VectorIndexLoadOptions,
  type VectorIndexOptions,
  type VectorMatches,
  type VectorSearchOptions,
} from "./vector-index.ts";
export type { Precision, Similarity } from "./vector-index-kernel.ts";
export { type SafetensorsContent, type Tensor, writeSafetensors } from "./write-safetensors.ts";
