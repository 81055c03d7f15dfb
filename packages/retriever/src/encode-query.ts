import { type Encoder, SEARCHED_QUERY_CHARACTERS, SetwiseError, shownName } from "@setwise/core";
import { queryClauses, type RetrieveOptions } from "./retrieve.ts";
import { partsOf } from "./score-query.ts";
import { encodeRows } from "./tool-embeddings.ts";
import type { ToolIndex } from "./tool-index.ts";

export interface EncodeQueryOptions extends Pick<RetrieveOptions, "clauses"> {
  readonly signal?: AbortSignal;
}

/**
 * The vectors of a query for {@link retrieve}: a row for the whole, then one for each clause where there are several.
 *
 * @throws SetwiseError `aborted`, what the encoder throws, and `invalid-argument` when the tools of the index were not encoded
 * by this encoder, or its rows are not of length 1 or 0.
 */
export async function encodeQuery(
  index: ToolIndex,
  encoder: Encoder,
  query: string,
  { clauses, signal }: EncodeQueryOptions = {},
): Promise<Float32Array> {
  if (index.embeddings?.encoder !== encoder.name) {
    const got =
      index.embeddings === undefined ? "not encoded at all" : `encoded by ${shownName(index.embeddings.encoder)}`;
    throw new SetwiseError(
      "invalid-argument",
      `The query is to be encoded by ${shownName(encoder.name)}, but the tools of this index are ${got}. Encode them with \`embedTools(index, encoder)\`.`,
    );
  }
  const text = query.slice(0, SEARCHED_QUERY_CHARACTERS);
  return encodeRows(encoder, partsOf({ text, clauses: queryClauses(text, clauses) }), "query", signal);
}
