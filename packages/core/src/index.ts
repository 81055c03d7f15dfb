export {
  answerInTime,
  askModel,
  type AnswerSchema,
  type AskOptions,
  type ModelAnswer,
  type ModelUse,
  MODEL_TIMEOUT_MS,
} from "./ask-model.ts";
export { refuseAborted } from "./aborted.ts";
export { type Candidates, type LexicalEvidence } from "./candidates.ts";
export { type Catalog, type CatalogOptions, createCatalog } from "./catalog.ts";
export { addRows, factorise, solve } from "./cholesky.ts";
export { isDimensions, MOST_DIMENSIONS } from "./dimensions.ts";
export { checkEncoderRows, wrongRow } from "./encoder-rows.ts";
export { type ErrorCode, type ErrorDetails, errorCodes, SetwiseError } from "./errors.ts";
export { type Explanation } from "./explanation.ts";
export { isFloat32Array } from "./float32-array.ts";
export { type JsonSchema } from "./json-schema.ts";
export { type LabelledQuery } from "./labelled-query.ts";
export { maximise, type MaximiseOptions, type Slope } from "./maximise.ts";
export { type Plan, type PlanEdge, type SubTask } from "./plan.ts";
export type {
  CutPolicy,
  Decomposer,
  Encoder,
  LanguageModel,
  MergeJudge,
  PairScorer,
  PolicyCut,
  TokenCounter,
} from "./ports.ts";
export { type Problem, type ProblemCode } from "./problem.ts";
export { type SchemaField, type SchemaFields, type SchemaFieldsOptions, schemaFields } from "./schema-fields.ts";
export { isSchema, resolveReference } from "./schema-reference.ts";
export { seededRandom } from "./seeded-random.ts";
export {
  type ExplainedTool,
  type SelectedTool,
  type Selection,
  type SelectionDocument,
  type SelectionStatus,
  type TokenUse,
  type ToolRole,
} from "./selection.ts";
export { shownName } from "./shown-name.ts";
export {
  type Clause,
  type Clauses,
  clausesOf,
  countRequests,
  givenClause,
  SEARCHED_QUERY_CHARACTERS,
  splitClauses,
} from "./split-clauses.ts";
export { stopWords } from "./stop-words.ts";
export { thrownMessage } from "./thrown-message.ts";
export { tokenEstimate } from "./token-estimate.ts";
export {
  SEARCHED_DESCRIPTION_CHARACTERS,
  type Tool,
  type ToolAnnotations,
  type ToolDefinition,
  toolDefinition,
} from "./tool.ts";
export { type ScoredSets, type ToolSet } from "./tool-set.ts";
export { untilAborted } from "./until-aborted.ts";
