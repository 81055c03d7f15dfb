import { evaluate, type EvaluationReport, parseQueries } from "@setwise/evaluation";
import { type Goal, readTextFile, selectorPipeline } from "setwise";
import { type Output, printJson } from "../output.ts";
import { openSelector, warn, worthTelling } from "../source-argument.ts";
import { untilInterrupted } from "../until-interrupted.ts";

export interface EvaluateCommandOptions {
  readonly queries: string;
  readonly candidates?: boolean;
  readonly k: number | "auto";
  readonly goal?: Goal;
  readonly encoder?: string;
  readonly reranker?: string;
  readonly model?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `setwise evaluate`: how good the answers to labelled queries are. */
export async function evaluateCommand(
  sources: readonly string[],
  options: EvaluateCommandOptions,
  output: Output,
): Promise<void> {
  const queries = parseQueries(await readTextFile(options.queries), { source: options.queries });
  const { timeout: timeoutMs, encoder, reranker, model } = options;
  const { selector, problems } = await openSelector(sources, { timeoutMs, encoder, reranker, model }, output);
  const pipeline = selectorPipeline(selector, {
    k: options.k,
    ownCandidates: options.candidates === true,
    ...(options.goal === undefined ? {} : { goal: options.goal }),
  });
  const report = await untilInterrupted((signal) =>
    evaluate(pipeline, queries, {
      toolIds: selector.catalog.tools.map((tool) => tool.id),
      signal,
      ...(output.isTerminal ? { onProgress: (done: number, total: number) => showProgress(output, done, total) } : {}),
    }),
  );
  await selector.close();
  if (options.json === true) {
    printJson(output, { ...report, problems: worthTelling(problems()) });
    return;
  }
  warn(output, selector.problems);
  output.write(`${written(report)}\n`);
}

function showProgress(output: Output, done: number, total: number): void {
  if (done % 25 === 0 || done === total)
    output.writeError(`\r${done} of ${total} queries${done === total ? "\n" : ""}`);
}

function written(report: EvaluationReport): string {
  const percent = (value: number): string => `${(100 * value).toFixed(1).padStart(6)} %`;
  const left =
    report.unknownGold === 0
      ? []
      : [
          `left out: ${report.unknownGold} gold tools the catalog does not have, ${report.skipped} queries with none left`,
        ];
  return [
    `${report.queries} queries over ${report.tools} tools`,
    ...left,
    "",
    "ranking",
    ...Object.entries(report.ranking).map(([name, value]) => `  ${name.padEnd(16)}${percent(value)}`),
    "selected set",
    ...Object.entries(report.set).map(
      ([name, value]) => `  ${name.padEnd(16)}${name === "meanSize" ? value.toFixed(2).padStart(6) : percent(value)}`,
    ),
    "",
    `latency ${report.latencyMs.p50.toFixed(2)} ms (half of the queries), ${report.latencyMs.p95.toFixed(2)} ms (95 %)`,
    `tokens of definitions ${Math.round(report.tokens.before).toLocaleString("en")} before, ${Math.round(report.tokens.after).toLocaleString("en")} after`,
  ].join("\n");
}
