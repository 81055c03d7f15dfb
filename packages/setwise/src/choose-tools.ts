import {
  chooseK,
  type Cut,
  priorFor,
  probabilityByBoth,
  probabilityNothingFits,
  REFUSE_BELOW,
} from "@setwise/adaptive-k";
import type { ToolRole } from "@setwise/core";
import { explainCandidate, type Retrieval, type ToolIndex } from "@setwise/retriever";
import { cutByModel, type ModelAnswer } from "./choose-by-model.ts";
import type { Found } from "./find-candidates.ts";
import { shareFarFromLog } from "./near-logged.ts";
import type { Constraints } from "./select-options.ts";

/** Up to this many tools are all handed over: a model handles them, and nothing can be missed. */
export const FEW_TOOLS = 15;

/** One chosen tool, by ordinal. */
export interface Choice {
  readonly ordinal: number;
  readonly score: number;
  readonly role: ToolRole;
  /** Why, where it is not for the request itself. */
  readonly reason?: string;
}

/** What was chosen for one query, and the numbers it rests on. */
export interface Choices extends Found {
  readonly constraints: Constraints;
  readonly cut: Cut;
  /** P(∅ | x). */
  readonly probabilityNothingFits: number;
  readonly chosen: readonly Choice[];
  /** Why the answer has the size it has. */
  readonly rule: "few-tools" | "fixed" | "policy" | "distribution" | "forced" | "nothing-fits" | "budget" | "limit";
}

/** Scores sets of the candidates, cuts to size and obeys the constraints. */
export function chooseTools(index: ToolIndex, query: string, constraints: Constraints, found: Found): Choices {
  const { catalog } = index;
  const { retrieval, vectors, foreign, calibration } = found;
  const meaning = vectors === undefined ? {} : { vectors };
  const required = constraints.required.map((ordinal): Choice => ({
    ordinal,
    score: explainCandidate(index, query, ordinal, { clauses: retrieval.clauses, ...meaning }).value,
    role: "required",
  }));
  const { answer } = found;
  const byRules =
    probabilityNothingFits(retrieval.evidence, retrieval.bestCosine, foreign) *
    shareFarFromLog(found.nearestLogged, foreign !== undefined);
  const nothing = hasLearnedRefusal(answer)
    ? probabilityByBoth(byRules, answer.scored.probabilityNothingFits)
    : byRules;
  const budget = remainingTokens(catalog.tokens, constraints);
  const most = constraints.maxTools === undefined ? undefined : constraints.maxTools - required.length;
  const least = Math.max(constraints.minTools - required.length, 0);
  const costs = retrieval.ids.map((ordinal) => catalog.tokens[ordinal] ?? 0);
  const cut =
    answer === undefined
      ? chooseK(retrieval.scores, {
          goal: constraints.goal,
          ...(constraints.policy === undefined ? {} : { policy: constraints.policy }),
          prior: calibration?.prior ?? priorFor(vectors === undefined ? undefined : index.embeddings?.encoder),
          requests: retrieval.requests,
          wordEvidence: retrieval.wordEvidence,
          probabilityNothingFits: nothing,
          minK: least,
          ...(most === undefined ? {} : { maxK: most }),
          ...(budget === undefined ? {} : { maxTokens: budget, tokens: costs }),
        })
      : cutByModel(answer, {
          goal: constraints.goal,
          minK: least,
          maxK: most,
          probabilityNothingFits: nothing,
          required: constraints.required,
          tokens: costs,
          maxTokens: budget,
        });
  const available = constraints.allowed?.length ?? catalog.tools.length;
  const all = !constraints.limitsSize && available + required.length <= FEW_TOOLS;
  const ranked = all ? retrieval.ids.length : cut.k;
  const ranking = Array.from({ length: ranked }, (_, place): Choice => {
    const position = all ? place : (cut.kept[place] ?? 0);
    return {
      ordinal: retrieval.ids[position] ?? 0,
      score: retrieval.scores[position] ?? 0,
      role: place < cut.coreSize ? "core" : "spare",
    };
  });
  const fill = unranked({
    index,
    constraints,
    retrieval,
    budget,
    found: ranking,
    count: (all ? available : least) - ranking.length,
  });
  const chosen = [...required, ...ranking, ...fill];
  const choices = { ...found, constraints, cut, probabilityNothingFits: nothing, chosen };
  return { ...choices, rule: all ? "few-tools" : ruleOf(choices) };
}

/** Whether the model's log had requests that no tool serves, so that it knows of them as well. */
function hasLearnedRefusal(answer: ModelAnswer | undefined): answer is ModelAnswer {
  return answer?.scored.problem.request.emptyScore !== undefined;
}

/** What is there already when a number of tools has to be filled up. */
interface Filling {
  readonly index: ToolIndex;
  readonly constraints: Constraints;
  readonly retrieval: Retrieval;
  /** How many tools are missing; may be negative. */
  readonly count: number;
  readonly budget: number | undefined;
  readonly found: readonly Choice[];
}

/** Up to `count` tools that the query does not match at all, in catalog order, for a caller who asked for a number of tools. */
function unranked({ index, constraints, retrieval, count, budget, found }: Filling): Choice[] {
  if (count <= 0) return [];
  const { tokens, tools } = index.catalog;
  const taken = new Set([...retrieval.ids, ...constraints.required]);
  const pool = constraints.allowed ?? tools.keys();
  let left = (budget ?? Infinity) - found.reduce((sum, choice) => sum + (tokens[choice.ordinal] ?? 0), 0);
  const fill: Choice[] = [];
  for (const ordinal of pool) {
    const cost = budget === undefined ? 0 : (tokens[ordinal] ?? 0);
    if (fill.length === count) break;
    if (taken.has(ordinal) || cost > left) continue;
    left -= cost;
    fill.push({ ordinal, score: 0, role: "spare" });
  }
  return fill;
}

/** What the required tools leave of the token budget. */
function remainingTokens(tokens: Uint32Array, constraints: Constraints): number | undefined {
  if (constraints.maxTokens === undefined) return undefined;
  const spent = constraints.required.reduce((sum, ordinal) => sum + (tokens[ordinal] ?? 0), 0);
  return Math.max(constraints.maxTokens - spent, 0);
}

/** Why a choice has its size, where not all tools are handed over. */
function ruleOf({ chosen, cut, probabilityNothingFits: nothing, constraints }: Omit<Choices, "rule">): Choices["rule"] {
  if (constraints.k !== undefined) return "fixed";
  const isRefused = 1 - nothing < REFUSE_BELOW;
  if (chosen.length > 0) return isRefused ? "forced" : constraints.policy === undefined ? "distribution" : "policy";
  if (constraints.maxTools === 0) return "limit";
  if (cut.inclusion.length === 0 || isRefused) return "nothing-fits";
  if (constraints.policy !== undefined) return "policy";
  return constraints.maxTokens === undefined ? "nothing-fits" : "budget";
}
