import { deficitSearch } from "./deficit-search.ts";
import { hyperedges } from "./hyperedges.ts";
import { hypergraphModel } from "./hypergraph-model.ts";
import { marginalGain } from "./marginal-gain.ts";
import type { Measurement } from "./measurement.ts";
import { vectorScan } from "./vector-scan.ts";

/** The benchmarks of the kernels, by the name they are asked for. None needs data. */
export const kernelBenchmarks: Readonly<
  Record<string, () => readonly Measurement[] | Promise<readonly Measurement[]>>
> = {
  hyperedges,
  "deficit-search": deficitSearch,
  "marginal-gain": marginalGain,
  "hypergraph-model": hypergraphModel,
  "vector-scan": vectorScan,
};

/** Runs the named benchmarks, or all, and gives each measurement as soon as it is there. */
export async function* runKernelBenchmarks(names: readonly string[]): AsyncGenerator<Measurement> {
  for (const [name, run] of Object.entries(kernelBenchmarks)) {
    if (names.length === 0 || names.includes(name)) yield* await run();
  }
}
