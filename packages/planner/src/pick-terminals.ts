import type { SubTaskCandidates } from "./plan-calls.ts";

/** What a tool's score loses for each earlier sub-task that it serves already: two parts of a request rarely want the same. */
const SERVES_ALREADY = 0.1;

/**
 * For each sub-task its candidates, best first, once the tools of the sub-tasks before it count less. A later sub-task names what an earlier
 * one is about ("… and square the area"), so that the earlier one's tool would often win again; where it is far ahead it still does.
 */
export function pickTerminals(subTasks: readonly SubTaskCandidates[]): readonly Uint32Array[] {
  const taken = new Map<number, number>();
  return subTasks.map(({ ids, scores }) => {
    const worth = Float64Array.from(ids, (id, place) => {
      const score = scores[place] ?? 0;
      return score - Math.abs(score) * Math.min(1, SERVES_ALREADY * (taken.get(id) ?? 0));
    });
    const order = Array.from(ids.keys()).sort((a, b) => (worth[b] ?? 0) - (worth[a] ?? 0) || a - b);
    const best = ids[order[0] ?? -1];
    if (best !== undefined) taken.set(best, (taken.get(best) ?? 0) + 1);
    return Uint32Array.from(order, (place) => ids[place] ?? 0);
  });
}
