/*
 * What each target accepts. Sources: OpenAI function calling guide and its 400 answers ("object schema missing properties",
 * "array schema missing items", "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top
 * level"); Anthropic Messages API ("input_schema does not support oneOf, allOf, or anyOf at the top level", names
 * ^[a-zA-Z0-9_-]{1,64}$, property keys ^[a-zA-Z0-9_.-]{1,64}$); Gemini FunctionDeclaration (starts with a letter or _, then
 * letters, digits, _ . : -, 64 characters; Schema is a subset of OpenAPI 3.0 without $ref); MCP 2025-11-25 (tool names of
 * letters, digits, _ - . up to 128 characters). Where a newer model allows more, the narrower rule is kept.
 */

export type Provider =
  | "openai"
  | "openai-responses"
  | "anthropic"
  | "gemini"
  | "mcp"
  | "ai-sdk"
  | "langchain"
  | "jsonl";

export interface ProviderRules {
  /** Characters a name may hold, or `undefined` where any name will do. */
  readonly nameCharacters: RegExp | undefined;
  /** What a name may start with. */
  readonly nameStart: RegExp;
  readonly maxNameLength: number;
  /** `any`: given as it is; `object-root`: no combinators at the root; `inlined`: no references and few keywords. */
  readonly schema: "any" | "object-root" | "inlined";
  /** Whether `properties` and `items` must be there. */
  readonly needsParts: boolean;
  /** Names of arguments that are accepted; others are renamed. */
  readonly propertyNames: RegExp | undefined;
  /** Tools in one request. */
  readonly maxTools: number;
  /** Characters of a description: OpenAI refused more until 2025 (llama_index#18784), some deployments of its models still do. */
  readonly maxDescription: number;
}

const anything = /^/u;

/** Letters, digits, `_` and `-`, 64 of them: what the large providers share, so what frameworks must keep to as well. */
const shared: ProviderRules = {
  nameCharacters: /[a-zA-Z0-9_-]/u,
  nameStart: anything,
  maxNameLength: 64,
  schema: "object-root",
  needsParts: false,
  propertyNames: undefined,
  maxTools: Infinity,
  maxDescription: Infinity,
};

const openAi: ProviderRules = { ...shared, needsParts: true, maxTools: 128, maxDescription: 1_024 };

export const providerRules: Readonly<Record<Provider, ProviderRules>> = {
  openai: openAi,
  "openai-responses": openAi,
  anthropic: { ...shared, propertyNames: /^[a-zA-Z0-9_.-]{1,64}$/u },
  gemini: { ...shared, nameStart: /^[a-zA-Z_]/u, schema: "inlined" },
  "ai-sdk": { ...shared, needsParts: true },
  langchain: { ...shared, needsParts: true },
  mcp: { ...shared, nameCharacters: /[a-zA-Z0-9_.-]/u, maxNameLength: 128, schema: "any" },
  jsonl: { ...shared, nameCharacters: undefined, maxNameLength: Infinity, schema: "any" },
};

export const providers: readonly Provider[] = Object.keys(providerRules) as Provider[];
