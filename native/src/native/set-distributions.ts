import type { SetDistributionRequest } from "../set-distributions.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";

/** The part of the addon behind {@link distributeNatively}. */
export interface SetDistributionAddon {
  setDistributions(
    logits: Float64Array,
    sizeOffsets: Float64Array,
    pool: number,
    width: number,
    columns: Float64Array,
  ): void;
}

/** Fills the columns: sizes, inclusion, inclusion by size, log Z, each of all queries. */
export function distributeNatively(
  addon: Addon,
  { logits, sizeOffsets, pool, width }: SetDistributionRequest,
  columns: Float64Array,
): void {
  calling(() => addon.setDistributions(logits, sizeOffsets, pool, width, columns));
}
