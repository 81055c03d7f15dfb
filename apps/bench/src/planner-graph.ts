import type { PlannerBenchmark } from "./planner.ts";

/** Links, producers and context graphs. */
export async function plannerGraphRows({ print }: PlannerBenchmark): Promise<void> {
  print("\n## The hypergraph\n");
}
