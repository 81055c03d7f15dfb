import { openSetScorer, type SetModel, type SetQuery } from "@setwise/set-scorer";
import type { LabelledPool, RivalPool } from "./rival.ts";

/** A query with the tools that served it. */
export interface GoldQuery {
  readonly query: SetQuery;
  readonly gold: Uint32Array;
}

/** What a model says of queries, as rivals are told it. */
export function openPools(model: SetModel, queries: readonly GoldQuery[]): LabelledPool[] {
  const scorer = openSetScorer(model);
  try {
    return queries.map(({ query, gold }) => {
      const evidence = scorer.evidence(query);
      return { gold, pool: { evidence, similarity: similarityOf(model, evidence.ids) } };
    });
  } finally {
    scorer.dispose();
  }
}

/** Inner products of rows of Z, which have length 1. */
function similarityOf({ embeddings, toolDimensions: width }: SetModel, ids: Uint32Array): RivalPool["similarity"] {
  const count = ids.length;
  const all = new Float64Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b <= a; b++) {
      const [one, other] = [ids[a]! * width, ids[b]! * width];
      let sum = 0;
      for (let i = 0; i < width; i++) sum += embeddings[one + i]! * embeddings[other + i]!;
      all[a * count + b] = sum;
      all[b * count + a] = sum;
    }
  }
  return all;
}
