import type { Plan } from "@setwise/core";
import type { ToolHypergraph } from "./hypergraph.ts";
import type { SubTaskCandidates } from "./plan-calls.ts";
import type { PlannedCall } from "./planned-call.ts";
import { type PortNode, portName } from "./ports.ts";
import { type TaskGraph, taskGraphOf } from "./task-graph.ts";

/** A {@link Plan} with what is needed to carry it out. */
export interface ToolPlan extends Plan {
  /** In call order. */
  readonly calls: readonly PlannedCall[];
  /** The sub-tasks and what they wait for. */
  readonly tasks: TaskGraph;
  /** What the user has to be asked, one question for each of `missing`. */
  readonly questions: readonly string[];
}

/** The plan that calls make, with ids in place of ordinals. */
export function describePlan(
  graph: ToolHypergraph,
  { query, subTasks }: { readonly query: string; readonly subTasks: readonly SubTaskCandidates[] },
  calls: readonly PlannedCall[],
): ToolPlan {
  return Object.freeze({ ...described(graph, query, calls), ...tasksOf(graph, subTasks, calls) });
}

/** The parts that core's `Plan` names, with ids in place of ordinals. */
function described(
  { catalog, nodes }: ToolHypergraph,
  query: string,
  calls: readonly PlannedCall[],
): Pick<ToolPlan, "query" | "tools" | "edges" | "missing" | "questions" | "calls"> {
  const idOf = (tool: number | undefined): string => catalog.tools[tool ?? -1]?.id ?? "";
  const portOf = (node: number): string => nodes[node]?.path.join("/") ?? "";
  const edges = calls.flatMap((call) =>
    call.inputs.flatMap(({ input, source }) =>
      source.kind === "call"
        ? [
            {
              from: idOf(calls[source.call]?.tool),
              output: portOf(source.output),
              to: idOf(call.tool),
              input: portOf(input),
            },
          ]
        : [],
    ),
  );
  const unknown = calls.flatMap((call) =>
    call.inputs.filter(({ source }) => source.kind === "user").map(({ input }) => input),
  );
  const missing = [...new Set(unknown)];
  return {
    query,
    tools: [...new Set(calls.map((call) => idOf(call.tool)))],
    edges: distinct(edges),
    missing: missing.map((input) => ({ tool: idOf(nodes[input]?.tool), input: portOf(input) })),
    questions: missing.map((input) => questionFor(catalog.tools[nodes[input]?.tool ?? -1]?.name ?? "", nodes[input])),
    calls,
  };
}

function tasksOf(
  graph: ToolHypergraph,
  subTasks: readonly SubTaskCandidates[],
  calls: readonly PlannedCall[],
): Pick<ToolPlan, "subTasks" | "tasks"> {
  const tasks = taskGraphOf(graph, subTasks, calls);
  const idsOf = (places: readonly number[]): readonly string[] => [
    ...new Set(places.map((place) => graph.catalog.tools[calls[place]?.tool ?? -1]?.id ?? "")),
  ];
  return { tasks, subTasks: tasks.tasks.map((task) => ({ goal: task.goal, tools: idsOf(task.calls) })) };
}

function distinct<T>(entries: readonly T[]): readonly T[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}

/** Of a description so much goes into a question. */
const LONGEST_HINT = 120;

/** What to ask the user for an input that nothing brings. */
export function questionFor(tool: string, node: PortNode | undefined): string {
  if (node === undefined) return "";
  if (node.kind === "pre") return `${tool} needs that ${portName(node)} holds, which no tool brings about. Does it?`;
  const hint = node.description.replace(/\s+/g, " ").slice(0, LONGEST_HINT);
  return `What is \`${node.path.join("/")}\` for ${tool}?${hint === "" ? "" : ` (${hint})`}`;
}
