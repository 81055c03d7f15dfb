import type { SimdLevel } from "../kernels.ts";
import type { DeficitSearchAddon } from "./deficit-search.ts";
import type { HyperedgeAddon } from "./hyperedge.ts";
import type { HypergraphModelAddon } from "./hypergraph-model.ts";
import type { HypergraphTrainerAddon } from "./hypergraph-trainer.ts";
import type { MarginalGainAddon } from "./marginal-gain.ts";
import type { SetDistributionAddon } from "./set-distributions.ts";
import type { VectorIndexAddon } from "./vector-index.ts";

/** The version of the boundary that this source speaks; raised together with the constant of that name in the binding. */
export const boundaryVersion = 6;

/**
 * What `crates/binding` exports, capability by capability. Numbers arrive unchecked: Node-API makes a u32 of −1, 1.5 or NaN
 * without a word.
 */
export interface Addon
  extends
    HyperedgeAddon,
    HypergraphModelAddon,
    HypergraphTrainerAddon,
    DeficitSearchAddon,
    MarginalGainAddon,
    SetDistributionAddon,
    VectorIndexAddon {
  boundaryVersion(): number;
  /** Levels that this processor runs, best first. */
  simdLevels(): readonly Exclude<SimdLevel, "none">[];
}
