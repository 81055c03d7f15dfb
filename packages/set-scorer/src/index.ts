export { adaptSetModel, type EncodedCatalog, type ModelChanges } from "./adapt-set-model.ts";
export { calibrate, goldIn, type LabelledEvidence, type PairTerms } from "./calibrate.ts";
export { calibrationError, reliability, type ReliabilityBin, type Statement } from "./calibration-error.ts";
export { checkLog } from "./check-log.ts";
export { cleanLog, type CleanLog, type CleanQuery, type LoggedQuery, type LogProblem } from "./clean-log.ts";
export { coverageOf } from "./covered-shares.ts";
export { explainSets, type ExplainSetsOptions } from "./explain-sets.ts";
export { type FigureRow, figuresOf, type PairedDifference } from "./figures.ts";
export { loggedQueryFinder } from "./logged-queries.ts";
export { checkSetModel } from "./model-fault.ts";
export { type RankingRule, rankTools } from "./rank-tools.ts";
export { scoreSets, type ScoreSetsOptions, type SetScores } from "./score-sets.ts";
export { type SetCandidates } from "./set-candidates.ts";
export {
  type RankingFigures,
  type SetCalibration,
  type SetModel,
  type SetModelFacts,
  type SetModelFeature,
  type SetModelTool,
} from "./set-model.ts";
export { readSetModel, type ReadSetModelOptions, writeSetModel } from "./set-model-file.ts";
export { type SetPool } from "./set-pool.ts";
export {
  type FeatureColumn,
  openSetScorer,
  type OpenSetScorerOptions,
  scoreEvidence,
  type SetEvidence,
  type SetQuery,
  type SetQueryOptions,
  type SetScorer,
} from "./set-scorer.ts";
export { developmentQueries, type DevelopmentOptions, type SplitBy } from "./split-log.ts";
export { type SuspectedPair } from "./suspected-pairs.ts";
export { type TrainingProgress } from "./train-stages.ts";
export { trainSetModel, type TrainingReport, type TrainSetModelOptions } from "./train-set-model.ts";
export { type Contender, type ContenderName } from "./trial.ts";
export { type TrainingCheckpoint } from "./training-checkpoint.ts";
export { queryAt, type TrainingData, type TrainingFeature } from "./training-data.ts";
