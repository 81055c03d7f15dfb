/** Every kind of trouble that is reported beside an answer instead of failing it. */
export type ProblemCode =
  /** The entry could not be used and was left out. */
  | "left-out"
  /** A missing or null field was filled in (description, schema, properties). */
  | "filled-in"
  /** A schema is deeper than the bound and was cut for indexing. */
  | "schema-cut"
  /** A `$ref` points nowhere, or outside the document. */
  | "unresolved-ref"
  /** A schema was relaxed for a provider; the original is kept. */
  | "schema-relaxed"
  /** A description is so long that only its beginning is searched. */
  | "text-cut"
  /** Two tools share a name; their ids carry the server or a number. */
  | "name-collision"
  /** A provider would refuse the name; its exported form differs. */
  | "name-changed"
  /** A schema feature that some providers refuse. */
  | "provider-limit"
  /** A hosted entry without a name of its own; passed through, never ranked. */
  | "hosted-tool"
  /** A list or a server gave no tools. */
  | "empty-list"
  /** A server or a page failed; the others are used. */
  | "server-failed"
  /** The embedding cache cannot be read or written; texts are encoded without it. */
  | "cache-unusable"
  /** A set model knows less than half of the tools; the others are told by their texts. */
  | "little-known";

/** One thing that is not as it should be, with what was done about it. */
export interface Problem {
  readonly code: ProblemCode;
  /** One sentence: what was found and what was done. */
  readonly message: string;
  /** File, address or server. */
  readonly source?: string;
  readonly toolId?: string;
  /** 0-based position in the list it came from. */
  readonly position?: number;
}
