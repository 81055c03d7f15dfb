import { mayChange } from "./call-stage.ts";
import { checkValue, fitsType } from "./check-value.ts";
import type { ToolHypergraph } from "./hypergraph.ts";
import { nodesOf } from "./hypergraph.ts";
import { outputFor, valueAt } from "./result-values.ts";

/** What a call was made for. */
export interface Expected {
  /** Catalog ordinal. */
  readonly tool: number;
  /** What later calls take from it, as node ordinals. */
  readonly wanted: readonly { readonly output: number; readonly input: number }[];
  /** Whether its result is what a sub-task was after. */
  readonly isTerminal: boolean;
}

/**
 * Why a result does not do what its call was made for, or `undefined` if it does (HyperAgent, Subtask Verification): it breaks its schema, lacks
 * what a later call needs, or, of a tool that reads for a sub-task, holds nothing. That a call succeeded is no evidence.
 */
export function resultProblem(
  graph: ToolHypergraph,
  { tool, wanted, isTerminal }: Expected,
  result: unknown,
): string | undefined {
  const known = graph.catalog.tools[tool];
  if (known === undefined) return `There is no tool ${tool}.`;
  const isForEffect = mayChange(known);
  const isNothing = isEmpty(result);
  if (known.outputSchema !== undefined && !(isNothing && isForEffect)) {
    const [problem] = checkValue(known.outputSchema, result);
    if (problem !== undefined) {
      return `The result of ${known.name} is not what its schema says: at "${problem.pointer}" ${problem.message}.`;
    }
  }
  for (const { output, input } of wanted) {
    const from = graph.nodes[output];
    const to = graph.nodes[input];
    if (from === undefined || to === undefined || from.kind === "eff") continue;
    const value = outputFor(result, from, to);
    if (value === undefined) return `The result of ${known.name} has no value for ${to.id}.`;
    if (to.type !== undefined && !fitsType(to.type, value))
      return `The result of ${known.name} gives a ${typeof value} for ${to.id}, which takes a ${to.type}.`;
  }
  if (!isTerminal || isForEffect) return undefined;
  if (isNothing) return `${known.name} found nothing.`;
  const said = nodesOf(graph, tool, "gives").flatMap((node) => graph.nodes[node] ?? []);
  const paths = said.filter(({ path, told }) => path.length > 0 && told === undefined).map(({ path }) => path);
  const hasAny = paths.length === 0 || paths.some((path) => !isEmpty(valueAt(result, path)));
  return hasAny ? undefined : `${known.name} gave back none of what it says it gives.`;
}

/** Nothing, or an empty text, list or object. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
