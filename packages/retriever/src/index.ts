export { buildIndex } from "./build-index.ts";
export { explainCandidate, type ExplainOptions } from "./explain-candidate.ts";
export { deserializeIndex, serializeIndex } from "./serialize-index.ts";
export { loadIndex, saveIndex } from "./index-file.ts";
export { type LexicalOptions } from "./lexical-options.ts";
export { type Retrieval, retrieve, type RetrieveOptions } from "./retrieve.ts";
export { type Clauses, splitClauses } from "./split-clauses.ts";
export { type ToolIndex } from "./tool-index.ts";
export { words } from "./words.ts";
