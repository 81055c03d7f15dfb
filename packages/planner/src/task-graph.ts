import { type LinkKind, linkKinds, nodesOf, type ToolHypergraph } from "./hypergraph.ts";
import type { SubTaskCandidates } from "./plan-calls.ts";
import { pickTerminals } from "./pick-terminals.ts";
import type { PlannedCall } from "./planned-call.ts";

/** q = (g, τ, Ê, φ) without its status φ, which belongs to a run (HyperAgent, Definition 3). */
export interface TaskNode {
  /** g. */
  readonly goal: string;
  /** τ: what its last call gives back, as node ordinals; empty without a tool. */
  readonly targets: readonly number[];
  /** Ê: tools that may end it, best first; the first one is planned. */
  readonly terminals: readonly number[];
  /** Places of its calls. */
  readonly calls: readonly number[];
}

/** One sub-task waits for another: because of port links, or (`order`) because one of them changes something. */
export interface TaskEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: LinkKind;
  /** The links it is grounded in, as node ordinals; none for `order`. */
  readonly links: readonly { readonly output: number; readonly input: number }[];
}

/** The task graph G = (Q, L): acyclic, since calls wait only for earlier ones. */
export interface TaskGraph {
  readonly tasks: readonly TaskNode[];
  readonly edges: readonly TaskEdge[];
  /** The share of edges, in 0..1, that port links ground; 1 without edges. */
  readonly groundedShare: number;
}

/** So many other tools are kept for a sub-task whose tool fails. */
const MOST_TERMINALS = 5;

/** The task graph of planned calls. */
export function taskGraphOf(
  graph: ToolHypergraph,
  subTasks: readonly SubTaskCandidates[],
  calls: readonly PlannedCall[],
): TaskGraph {
  const picked = pickTerminals(subTasks);
  const tasks = subTasks.map(({ goal }, task): TaskNode => {
    const terminals = [...(picked[task] ?? [])].slice(0, MOST_TERMINALS);
    const own = [...calls.keys()].filter((call) => calls[call]?.subTask === task);
    const last = calls.findLast((call) => call.subTask === task && call.isTerminal);
    const targets = last === undefined ? [] : nodesOf(graph, last.tool, "gives");
    return { goal, targets, terminals, calls: own };
  });
  const edges = new Map<string, TaskEdge & { links: { output: number; input: number }[] }>();
  for (const call of calls) {
    for (const before of call.after) {
      const from = calls[before.call]?.subTask ?? call.subTask;
      if (from === call.subTask) continue;
      const key = `${from} ${call.subTask}`;
      const known = edges.get(key);
      const kind = known === undefined ? before.kind : strongerOf(known.kind, before.kind);
      const links = call.inputs.flatMap(({ input, source }) =>
        source.kind === "call" && source.call === before.call ? [{ output: source.output, input }] : [],
      );
      edges.set(key, { from, to: call.subTask, kind, links: [...(known?.links ?? []), ...links] });
    }
  }
  const all = [...edges.values()];
  const grounded = all.filter((edge) => edge.links.length > 0).length;
  return { tasks, edges: all, groundedShare: all.length === 0 ? 1 : grounded / all.length };
}

/** `data` says more than `effect`, and that more than `order`. */
function strongerOf(a: LinkKind, b: LinkKind): LinkKind {
  return linkKinds.indexOf(a) <= linkKinds.indexOf(b) ? a : b;
}
