/** A JSON Schema object, kept as plain data. Nothing in it is trusted: it may be deep, cyclic by `$ref`, or wrong. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
