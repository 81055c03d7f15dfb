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
