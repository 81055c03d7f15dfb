import type { HyperedgeRequest } from "../hyperedge-kernel.ts";
import type { SimdLevel } from "../kernels.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";
import { packConstraints, packNumbers } from "./hyperedge-request.ts";
import { simdNumbers } from "./simd-numbers.ts";

/** The part of the addon behind {@link rankNatively}. */
export interface MarginalGainAddon {
  rankByMarginalGain(
    simd: number,
    pool: number,
    logits: Float64Array,
    pairScores: Float64Array,
    maxSize: number,
    maxTools: number,
    softmax: boolean,
    numbers: Float64Array,
    constraints: Uint32Array,
    ids: Uint32Array,
    columns: Float64Array,
    offsets: Uint32Array,
  ): void;
}

/** Fills the columns, query by query, and the offsets. */
export function rankNatively(
  addon: Addon,
  simd: SimdLevel,
  request: HyperedgeRequest,
  ids: Uint32Array,
  columns: Float64Array,
  offsets: Uint32Array,
): void {
  const { pool, logits, pairScores, maxSize, maxTools, alignment } = request;
  const [numbers, constraints] = [packNumbers(request), packConstraints(request)];
  const [level, softmax] = [simdNumbers[simd], alignment === "softmax"];
  calling(() =>
    addon.rankByMarginalGain(
      level,
      pool,
      logits,
      pairScores,
      maxSize,
      maxTools,
      softmax,
      numbers,
      constraints,
      ids,
      columns,
      offsets,
    ),
  );
}
