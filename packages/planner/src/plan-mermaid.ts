import type { ToolPlan } from "./describe-plan.ts";
import type { ToolHypergraph } from "./hypergraph.ts";

/** Longer names make boxes that nobody can read. */
const LONGEST_LABEL = 60;

/**
 * A plan as a Mermaid flow chart: a box a call within its sub-task, an arrow for each value that is handed on (`output → input`), a dotted
 * one for mere order, and what has to be asked as rounded boxes.
 */
export function planMermaid(graph: ToolHypergraph, plan: ToolPlan): string {
  const { nodes, catalog } = graph;
  const portOf = (node: number): string => nodes[node]?.path.join("/") ?? "";
  const lines = ["flowchart TD"];
  for (const [task, { goal, calls }] of plan.tasks.tasks.entries()) {
    lines.push(`  subgraph task${task}["${label(`${task + 1}. ${goal}`)}"]`);
    if (calls.length === 0) lines.push(`    none${task}["no tool"]`);
    for (const call of calls) {
      lines.push(`    call${call}["${label(catalog.tools[plan.calls[call]?.tool ?? -1]?.id ?? "")}"]`);
    }
    lines.push("  end");
  }
  for (const [place, call] of plan.calls.entries()) {
    for (const before of call.after) {
      const handed = call.inputs.flatMap(({ input, source }) =>
        source.kind === "call" && source.call === before.call ? [`${portOf(source.output)} → ${portOf(input)}`] : [],
      );
      const arrow = handed.length === 0 ? "-.->" : `-->|"${handed.map(label).join("<br>")}"|`;
      lines.push(`  call${before.call} ${arrow} call${place}`);
    }
    for (const { input, source } of call.inputs) {
      if (source.kind === "user") lines.push(`  ask${input}(["${label(portOf(input))}?"]) --> call${place}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Text that ends no label and is no markup: names come from tool servers. */
function label(text: string): string {
  const short = text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text;
  return short.replace(/[\p{Cc}\s]+/gu, " ").replace(/[&"<>#`\\[\]{}|]/g, (sign) => `#${sign.charCodeAt(0)};`);
}
