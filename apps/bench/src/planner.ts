import { plannerGraphRows } from "./planner-graph.ts";
import { planSpeedRows, plannerTaskRows } from "./planner-tasks.ts";

/** What every part of the planner's benchmark is given. */
export interface PlannerBenchmark {
  /** The folder of data sets. */
  readonly folder: string;
  /** A folder that keeps embeddings from one run to the next. */
  readonly cache: string | undefined;
  readonly print: (line: string) => void;
}

/** One part: prints a heading and its rows. */
export type PlannerRows = (benchmark: PlannerBenchmark) => Promise<void>;

/** The parts by name, in the order in which they are printed; `--only NAME` runs one. */
const parts: Readonly<Record<string, PlannerRows>> = {
  graph: plannerGraphRows,
  tasks: plannerTaskRows,
  "plan-speed": planSpeedRows,
};

/** What the planner is worth on public data: links, producers, context under a budget, sub-tasks, order. */
export async function planner(
  folder: string,
  print: (line: string) => void,
  { cache, only }: { readonly cache?: string | undefined; readonly only?: string | undefined } = {},
): Promise<void> {
  for (const [name, rows] of Object.entries(parts)) {
    if (only === undefined || only === name) await rows({ folder, cache, print });
  }
}
