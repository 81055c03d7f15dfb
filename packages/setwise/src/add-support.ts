import { type AddedSupport, portName, saidInputs, supportFor, type ToolHypergraph } from "@setwise/planner";
import type { ToolIndex } from "@setwise/retriever";
import type { Choice, Choices } from "./choose-tools.ts";

/** More would be a plan of its own. */
const MOST_ADDED = 3;
/** A tool that was not even a candidate may still bring what another needs: a login. */
const LEAST_RELEVANCE = 0.05;

/** What support is looked for in. */
export interface SupportSource {
  readonly index: ToolIndex;
  readonly graph: ToolHypergraph;
  /** What the user said: an id that stands there needs no tool. */
  readonly said: string;
}

/**
 * The choices with the tools that bring what the chosen ones need and no person could say (ids, tokens, keys), at most three and within the
 * caller's limits; they come last, with the reason. Nothing is taken out.
 */
export function addSupport({ index, graph, said }: SupportSource, choices: Choices): Choices {
  const { chosen, constraints, retrieval } = choices;
  const room = Math.min(MOST_ADDED, (constraints.maxTools ?? Infinity) - chosen.length);
  if (chosen.length === 0 || room <= 0) return choices;
  const { allowed, required } = constraints;
  const { added } = supportFor(graph, {
    chosen: Uint32Array.from(chosen, (choice) => choice.ordinal),
    grounded: saidInputs(graph, said),
    most: room,
    relevance: relevanceOf(index, retrieval),
    ...(allowed === undefined ? {} : { allow: Uint32Array.from([...allowed, ...required]) }),
  });
  const { tokens } = index.catalog;
  let left = (constraints.maxTokens ?? Infinity) - chosen.reduce((sum, { ordinal }) => sum + (tokens[ordinal] ?? 0), 0);
  const support: Choice[] = [];
  for (const tool of added) {
    left -= tokens[tool.tool] ?? 0;
    // What comes later may be needed only by what does not fit.
    if (left < 0) break;
    support.push({
      ordinal: tool.tool,
      score: scoreOf(retrieval, tool.tool),
      role: "support",
      reason: reasonOf(graph, tool),
    });
  }
  return { ...choices, chosen: [...chosen, ...support] };
}

function reasonOf({ nodes, catalog }: ToolHypergraph, { input, output }: AddedSupport): string {
  const taker = nodes[input];
  const giver = nodes[output];
  const what = giver === undefined || portName(giver) === "" ? "what it gives back" : `\`${portName(giver)}\``;
  return `brings ${what}, for \`${taker === undefined ? "" : portName(taker)}\` of ${catalog.tools[taker?.tool ?? -1]?.id ?? "another"}`;
}

function relevanceOf({ catalog }: ToolIndex, { ids, scores }: Choices["retrieval"]): Float32Array {
  const relevance = new Float32Array(catalog.tools.length).fill(LEAST_RELEVANCE);
  const best = scores[0] ?? 0;
  for (const [place, tool] of ids.entries()) {
    relevance[tool] = Math.max(LEAST_RELEVANCE, best > 0 ? (scores[place] ?? 0) / best : 0);
  }
  return relevance;
}

function scoreOf({ ids, scores }: Choices["retrieval"], tool: number): number {
  const place = ids.indexOf(tool);
  return place < 0 ? 0 : (scores[place] ?? 0);
}
