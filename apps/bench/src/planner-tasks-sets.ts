import type { Selector } from "setwise";
import type { PlannedQuery } from "./link-gold.ts";

/** How well a plan's tools are those of the reference, from the question alone. */
export interface PlannedSets {
  readonly queries: number;
  readonly f1: number;
  readonly exact: number;
  readonly meanSize: number;
  /** Share of plans in which no call waits for a later one. */
  readonly validOrder: number;
}

/** Plans each query and compares the set of tools. */
export async function plannedSets(selector: Selector, queries: readonly PlannedQuery[]): Promise<PlannedSets> {
  let [f1, exact, size, valid] = [0, 0, 0, 0];
  for (const { query, tools } of queries) {
    const { plan } = await selector.plan(query);
    const gold = new Set(tools);
    const hits = plan.tools.filter((id) => gold.has(id)).length;
    f1 += (2 * hits) / (plan.tools.length + gold.size);
    exact += Number(hits === gold.size && hits === plan.tools.length);
    size += plan.tools.length;
    valid += Number(plan.calls.every((call, place) => call.after.every((before) => before.call < place)));
  }
  const { length } = queries;
  return {
    queries: length,
    f1: f1 / length,
    exact: exact / length,
    meanSize: size / length,
    validOrder: valid / length,
  };
}
