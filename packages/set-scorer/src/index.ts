export { explainSets, type ExplainSetsOptions } from "./explain-sets.ts";
export { type RankingRule, rankTools } from "./rank-tools.ts";
export { DEFAULT_POOL, scoreSets, type ScoreSetsOptions, type SetScores } from "./score-sets.ts";
export { type SetCandidates } from "./set-candidates.ts";
export { type SetPool } from "./set-pool.ts";
