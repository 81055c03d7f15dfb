import type { QueryPlan } from "setwise";
import { columnWidth, type Output, printJson, printLines } from "../output.ts";
import { openSelector, warn, worthTelling } from "../source-argument.ts";

export interface PlanCommandOptions {
  readonly query: string;
  readonly allow?: readonly string[];
  readonly exclude?: readonly string[];
  readonly allowMutating?: boolean;
  /** A file of links that are given. */
  readonly edges?: string;
  readonly encoder?: string;
  readonly mermaid?: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `setwise plan`: sub-tasks, the tools of each in call order, what flows between them, and what is missing. */
export async function planCommand(
  sources: readonly string[],
  options: PlanCommandOptions,
  output: Output,
): Promise<void> {
  const { query, edges, encoder, mermaid, timeout, json, ...planOptions } = options;
  const { selector, problems } = await openSelector(sources, { timeoutMs: timeout, encoder, edges }, output);
  const planned = await selector.plan(query, planOptions);
  await selector.close();
  if (json === true) {
    const { subTasks, tools, edges, missing, questions } = planned.plan;
    const drawn = mermaid === true ? { mermaid: planned.mermaid() } : {};
    printJson(output, {
      query,
      subTasks,
      tools,
      edges,
      missing,
      questions,
      ...drawn,
      problems: [...worthTelling(problems()), ...planned.problems],
    });
    return;
  }
  warn(output, selector.problems);
  if (mermaid === true) output.write(planned.mermaid());
  else printLines(output, described(planned));
}

function described({ plan, problems }: QueryPlan): readonly string[] {
  const width = columnWidth(plan.tools);
  const order = plan.tools.map((id, place) => {
    const taken = plan.edges.filter((edge) => edge.to === id).map((edge) => `${edge.input} from ${edge.from}`);
    return `${String(place + 1).padStart(3)}  ${id.padEnd(width)}  ${taken.join(", ")}`.trimEnd();
  });
  return [
    plan.subTasks.length === 0 ? "The request asks for nothing to be done." : "sub-tasks",
    ...plan.subTasks.map(
      (task, place) => `${String(place + 1).padStart(3)}  ${task.goal}: ${task.tools.join(", ") || "no tool fits"}`,
    ),
    "",
    plan.tools.length === 0 ? "nothing to call" : "in this order",
    ...order,
    ...(plan.questions.length === 0
      ? []
      : ["", "nothing says", ...plan.questions.map((question) => `     ${question}`)]),
    ...(problems.length === 0 ? [] : ["", ...problems.map(({ message }) => message)]),
  ];
}
