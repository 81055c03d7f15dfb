export { type BuildHypergraphOptions, buildHypergraph } from "./build-hypergraph.ts";
export {
  DeficitExpansion,
  type DeficitExpansionOptions,
  type ExpansionQuery,
  type SupportSubgraph,
} from "./expand-deficit.ts";
export {
  type GraphProblem,
  type LinkKind,
  linkKinds,
  nodesOf,
  type PortLinks,
  type Producer,
  producersOf,
  type ToolHypergraph,
} from "./hypergraph.ts";
export { type PortKind, type PortNode, portId, portName } from "./ports.ts";
export { embedPorts, type PortVectors } from "./port-vectors.ts";
export { saidInputs } from "./request-bindings.ts";
export { type AddedSupport, type Support, supportFor, type SupportRequest } from "./support.ts";
export { clauseDecomposer, decompose, requestClauses, type Turn } from "./decompose.ts";
export {
  type CounterfactualWeights,
  counterfactualReward,
  decompositionReward,
  duplicateRate,
  groupAdvantages,
  type PreferencePair,
  preferencePairs,
  preferenceReward,
  type RetrievalQuality,
  type RewardedGroup,
  type RewardWeights,
} from "./decomposition-rewards.ts";
export {
  createLanguageModelDecomposer,
  type LanguageModelDecomposer,
  type LanguageModelDecomposerOptions,
} from "./language-model-decomposer.ts";
export { queryValues, type QueryValue, type ValueKind } from "./query-values.ts";
export { type CallProblem, checkCalls, readyCalls } from "./check-calls.ts";
export { type ToolPlan } from "./describe-plan.ts";
export { type DriveOptions, drivePlan, startPlan } from "./drive-plan.ts";
export { type PlanRequest, type SubTaskCandidates } from "./plan-calls.ts";
export { planMermaid } from "./plan-mermaid.ts";
export { type ReadSubTasks, readSubTasks } from "./read-sub-tasks.ts";
export { replayTrace } from "./replay-trace.ts";
export { planTools } from "./plan-tools.ts";
export { type InputSource, type PlannedCall, type PlannedInput } from "./planned-call.ts";
export { callStage } from "./call-stage.ts";
export { type RequestClause } from "./request-clauses.ts";
export { mentionPositions, type OrderEvidence, orderTools } from "./order-tools.ts";
export { type PlanRun } from "./run-plan.ts";
export {
  type ReadyCall,
  type RunBinding,
  type RunOptions,
  type RunQuestion,
  type RunState,
  type RunStatus,
  type TaskStatus,
} from "./run-state.ts";
export { type TraceEvent } from "./run-trace.ts";
export { toolSupport } from "./tool-support.ts";
export { type TaskEdge, type TaskGraph, type TaskNode } from "./task-graph.ts";
export { checkEdges, type GivenEdge, readEdges } from "./given-edges.ts";
export { type KnownNeeds, learnEdges, type LearnEdgesOptions } from "./learn-edges.ts";
export { type NeededTool, neededTools, type NeededToolsOptions } from "./needed-tools.ts";
export { rankWithNeeds, type RankWithNeedsOptions } from "./rank-with-needs.ts";
export { type ContextGraph, contextGraph, type ContextGraphRequest } from "./context-graph.ts";
export { changedTools, updateHypergraph, type UpdateHypergraphOptions } from "./update-hypergraph.ts";
export { type DrawOptions, graphToDot, graphToGraphml, graphToMermaid } from "./export-graph.ts";
export { graphFromJson, graphToJson } from "./graph-file.ts";
export { type RefinedLinks, refineLinks, type RefineLinksOptions } from "./refine-links.ts";
export { type EvidenceTable, evidenceTable } from "./evidence-table.ts";
