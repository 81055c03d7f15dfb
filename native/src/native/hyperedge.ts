import type { HyperedgeRequest, SetColumns } from "../hyperedge-kernel.ts";
import type { SimdLevel } from "../kernels.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";
import { packConstraints, packNumbers } from "./hyperedge-request.ts";
import { simdNumbers } from "./simd-numbers.ts";

/** The part of the addon behind {@link enumerateNatively}. */
export interface HyperedgeAddon {
  enumerateHyperedges(
    simd: number,
    logits: Float64Array,
    pairScores: Float64Array,
    maxSize: number,
    maxTools: number,
    softmax: boolean,
    numbers: Float64Array,
    constraints: Uint32Array,
    count: number,
    scores: Float64Array,
    offsets: Uint32Array,
    members: Uint32Array,
    distribution: Float64Array,
  ): number;
}

/** Fills the columns and returns how many sets were found. */
export function enumerateNatively(
  addon: Addon,
  simd: SimdLevel,
  request: HyperedgeRequest,
  count: number,
  { scores, offsets, members, distribution }: SetColumns,
): number {
  const { logits, pairScores, maxSize, maxTools, alignment } = request;
  const [numbers, constraints] = [packNumbers(request), packConstraints(request)];
  const [level, softmax] = [simdNumbers[simd], alignment === "softmax"];
  return calling(() =>
    addon.enumerateHyperedges(
      level,
      logits,
      pairScores,
      maxSize,
      maxTools,
      softmax,
      numbers,
      constraints,
      count,
      scores,
      offsets,
      members,
      distribution,
    ),
  );
}
