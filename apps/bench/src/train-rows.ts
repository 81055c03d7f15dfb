import type { Encoder, LabelledQuery } from "@setwise/core";
import {
  embedTools,
  encodeQuery,
  type Retrieval,
  retrieve,
  type ToolEmbeddings,
  type ToolIndex,
} from "@setwise/retriever";
import { smallCatalogs, type TrainSet } from "./train-sets.ts";

/** Queries with the tools that they are asked of. */
export interface Asked {
  readonly index: ToolIndex;
  readonly queries: readonly LabelledQuery[];
}

/** Rows of one group count together as much as those of any other group. */
export type Weighed<Row> = Row & { readonly weight: number };

/** The data set's own queries: one group over its whole catalog, one over small ones. */
export function ownQueries(set: TrainSet, sets: readonly TrainSet[]): readonly (readonly Asked[])[] {
  const small = smallCatalogs(set, without(sets, set));
  return [[{ index: set.index, queries: set.queries }], small.map(({ index, own }) => ({ index, queries: own }))];
}

/** Queries of other data sets, the first so many of each over the whole catalog, and some over small ones. */
export function foreignQueries(set: TrainSet, sets: readonly TrainSet[], most: number): readonly (readonly Asked[])[] {
  const others = without(sets, set);
  const queries = others.flatMap((other) => other.queries.slice(0, most));
  const small = smallCatalogs(set, others);
  return [[{ index: set.index, queries }], small.map(({ index, foreign }) => ({ index, queries: foreign }))];
}

/** What `rowsOf` makes of each group, every group with a weight of 1 however many rows it has. */
export async function weighedRows<Row extends object>(
  groups: readonly (readonly Asked[])[],
  rowsOf: (asked: Asked) => Promise<readonly Row[]>,
): Promise<Weighed<Row>[]> {
  const weighed: Weighed<Row>[] = [];
  for (const group of groups) {
    const rows: Row[] = [];
    for (const asked of group) rows.push(...(await rowsOf(asked)));
    weighed.push(...rows.map((row) => ({ ...row, weight: 1 / rows.length })));
  }
  return weighed;
}

/** The first `k` candidates of a query with what else is found out, and its right tools' places among them. */
export interface LookedUp {
  readonly found: Retrieval;
  /** The vectors of the query, where there is an encoder. */
  readonly vectors: Float32Array | undefined;
  /** What the tools mean, where there is an encoder. */
  readonly embeddings: ToolEmbeddings | undefined;
  readonly right: readonly number[];
}

/** Looks up every query by words, and by meaning where there is an encoder. */
export async function lookUp(
  { index: words, queries }: Asked,
  encoder: Encoder | undefined,
  k: number,
): Promise<LookedUp[]> {
  const index = encoder === undefined ? words : await embedTools(words, encoder);
  const rows: LookedUp[] = [];
  for (const { query, tools } of queries) {
    const vectors = encoder === undefined ? undefined : await encodeQuery(index, encoder, query);
    const found = retrieve(index, query, { k, ...(vectors === undefined ? {} : { vectors }) });
    const wanted = new Set(tools);
    const isRight = (place: number): boolean => wanted.has(index.catalog.tools[found.ids[place] ?? -1]?.id ?? "");
    rows.push({ found, vectors, embeddings: index.embeddings, right: [...found.ids.keys()].filter(isRight) });
  }
  return rows;
}

function without(sets: readonly TrainSet[], set: TrainSet): readonly TrainSet[] {
  return sets.filter((other) => other !== set);
}
