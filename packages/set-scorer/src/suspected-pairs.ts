import { VectorIndex } from "@setwise/native";
import type { CleanQuery } from "./clean-log.ts";
import { rowsAt } from "./rows-at.ts";
import { NEAR } from "./query-clusters.ts";

/** Two queries that are nearly the same but were served by different tools. */
export interface SuspectedPair {
  readonly one: string;
  readonly other: string;
  readonly cosine: number;
}

/** Of larger logs so many evenly spaced queries are looked at: each is compared with all. */
const MOST_LOOKED_AT = 2000;

/** Pairs of queries that are nearly the same but were served by sets without a common tool, nearest first. */
export function suspectedPairs(queries: readonly CleanQuery[], vectors: Float32Array): SuspectedPair[] {
  if (queries.length === 0) return [];
  const dimensions = vectors.length / queries.length;
  const index = new VectorIndex({ dimensions, vectors, precision: "int8" });
  const step = Math.max(1, queries.length / MOST_LOOKED_AT);
  const looked = Array.from({ length: Math.floor(queries.length / step) }, (_, i) => Math.floor(i * step));
  const asked = rowsAt(vectors, dimensions, looked);
  const { ids, scores, count } = index.search(asked, Math.min(4, queries.length));
  index.dispose();
  const pairs = new Map<string, SuspectedPair>();
  for (let at = 0; at < ids.length; at++) {
    const [place, other] = [looked[Math.floor(at / count)]!, ids[at]!];
    if (place === other || scores[at]! < NEAR) continue;
    const [left, right] = [queries[Math.min(place, other)]!, queries[Math.max(place, other)]!];
    if (left.tools.some((tool) => right.tools.includes(tool))) continue;
    pairs.set(`${Math.min(place, other)} ${Math.max(place, other)}`, {
      one: left.text,
      other: right.text,
      cosine: scores[at]!,
    });
  }
  return [...pairs.values()].sort((a, b) => b.cosine - a.cosine);
}
