import { describePlan, type ToolPlan } from "./describe-plan.ts";
import type { DeficitExpansion } from "./expand-deficit.ts";
import { planCalls, type PlanRequest } from "./plan-calls.ts";

/**
 * A plan: for each sub-task its best tool, the tools that bring what it needs (deficit-oriented expansion), the calls of all of them in
 * order, and for every required input where its value comes from: the request, an earlier result, or the user. What nothing brings is
 * `missing`; that is an answer, not an error. Deterministic.
 *
 * @throws SetwiseError `invalid-argument` when `relevance` has not one number a tool, a candidate is no tool of the graph, or
 *   there are more than 64 sub-tasks.
 */
export function planTools(expansion: DeficitExpansion, request: PlanRequest): ToolPlan {
  return describePlan(expansion.graph, request, planCalls(expansion, request));
}
