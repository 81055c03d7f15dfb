import { machine } from "./machine.ts";
import { plannerGraphRows } from "./planner-graph.ts";
import { planSpeedRows, plannerTaskRows } from "./planner-tasks.ts";
import { writeSection } from "./report-section.ts";

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

/** How it is run. */
export interface PlannerOptions {
  readonly cache?: string | undefined;
  /** The one part that is run. */
  readonly only?: string | undefined;
  /** A Markdown file in which each part has a section, written when the part is done; it is printed otherwise. */
  readonly out?: string | undefined;
}

/** What the planner is worth on public data: links, producers, context under a budget, sub-tasks, order. */
export async function planner(
  folder: string,
  print: (line: string) => void,
  { cache, only, out }: PlannerOptions = {},
): Promise<void> {
  for (const [name, rows] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    if (out === undefined) {
      await rows({ folder, cache, print });
      continue;
    }
    const lines: string[] = [];
    await rows({ folder, cache, print: (line) => void lines.push(line) });
    const heading = `## Planner, ${name}\n\n\`node apps/bench/dist/main.mjs planner --data DIR --only ${name}\`, ${machine()}`;
    await writeSection(out, `planner ${name}`, [heading, ...lines.map(oneLevelDown)].join("\n"));
  }
}

/** A heading of a part as one of its section. */
function oneLevelDown(line: string): string {
  return line.replace(/^(\n?)## /, "$1### ");
}
