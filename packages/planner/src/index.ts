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
export { embedPorts, portTexts, type PortVectors } from "./port-vectors.ts";
export { type AddedSupport, type Support, supportFor, type SupportRequest } from "./support.ts";
export { type EvidenceReader, evidenceFor, evidenceNames } from "./link-evidence.ts";
export { findCandidates } from "./link-candidates.ts";
export { portMeaning } from "./port-meaning.ts";
export { readWorld } from "./port-world.ts";
export { clauseDecomposer, decompose, type Turn } from "./decompose.ts";
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
