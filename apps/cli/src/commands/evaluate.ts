import { basename } from "node:path";
import {
  compare,
  type Comparison,
  type EvaluationReport,
  formatReport,
  htmlReport,
  measure,
  measurementLines,
  type NamedMeasurement,
  summarise,
} from "@setwise/evaluation";
import { type Goal, type Selector, selectorPipeline } from "setwise";
import packageJson from "../../package.json" with { type: "json" };
import { type Output, printJson } from "../output.ts";
import { refuseLostFiles, sourceFiles } from "../refuse-lost-files.ts";
import { openSelector, warn, worthTelling } from "../source-argument.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { writableFile, writeTextFile } from "../write-text-file.ts";
import { isNamedBaseline, openBaseline } from "./baseline.ts";
import { formerNames } from "./former-names.ts";
import { labelledQueries, warnOfQueries } from "./labelled-queries.ts";

export interface EvaluateCommandOptions {
  readonly queries: string;
  readonly baseline?: string;
  readonly candidates?: boolean;
  readonly html?: string;
  readonly save?: string;
  readonly k: number | "auto";
  readonly goal?: Goal;
  readonly encoder?: string;
  readonly reranker?: string;
  readonly model?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `setwise evaluate`: how good the answers to labelled queries are, and whether they are better than what there was. */
export async function evaluateCommand(
  sources: readonly string[],
  options: EvaluateCommandOptions,
  output: Output,
): Promise<void> {
  const { timeout: timeoutMs, encoder, reranker, model, html, save } = options;
  await refuseLostFiles(
    [
      { as: "--save", path: save },
      { as: "--html", path: html },
    ],
    [
      ...sourceFiles(sources),
      { as: "--queries", path: options.queries },
      { as: "--model", path: model },
      { as: "--baseline", path: isNamedBaseline(options.baseline) ? undefined : options.baseline },
    ],
  );
  for (const file of [html, save]) if (file !== undefined) await writableFile(file);
  const { selector, problems } = await openSelector(sources, { timeoutMs, encoder, reranker, model }, output);
  try {
    const queries = labelledQueries(options.queries, selector.catalog, await formerNames(sources));
    const { measured, baseline } = await untilInterrupted((signal) =>
      measureBoth(selector, queries.stream, options, { signal, output }),
    );
    if (save !== undefined) await writeTextFile(save, measurementLines(measured));
    const comparisons = baseline === undefined ? [] : compare(baseline, [measured]);
    const report = summarise(measured.measurement, { run: runFacts(measured.name, selector) });
    if (html !== undefined) await writeTextFile(html, [htmlReport(report, comparisons)]);
    if (options.json === true) {
      const told = [...worthTelling(problems()), ...queries.problems()];
      printJson(output, evaluationDocument(report, comparisons, told));
      return;
    }
    warn(output, selector.problems);
    warnOfQueries(output, queries.problems());
    output.write(`${formatReport(report, comparisons)}\n`);
  } finally {
    await selector.close();
  }
}

/** On a terminal progress is told each time so many queries are measured. */
const TOLD_EVERY = 25;

type MeasureOptions = Parameters<typeof measure>[2];

interface Measured {
  readonly measured: NamedMeasurement;
  readonly baseline?: NamedMeasurement;
}

async function measureBoth(
  selector: Selector,
  stream: (signal: AbortSignal) => Parameters<typeof measure>[1],
  options: EvaluateCommandOptions,
  { signal, output }: { readonly signal: AbortSignal; readonly output: Output },
): Promise<Measured> {
  const baseline = options.baseline === undefined ? undefined : await openBaseline(options.baseline, selector);
  const ownCandidates = options.candidates === true;
  const pipeline = selectorPipeline(selector, {
    k: options.k,
    ownCandidates,
    ...(options.goal === undefined ? {} : { goal: options.goal }),
  });
  const toolIds = selector.catalog.tools.map((tool) => tool.id);
  /** One pass over the queries, with its progress on a terminal. */
  const pass = async <T>(name: string, work: (measuring: MeasureOptions) => Promise<T>): Promise<T> => {
    if (!output.isTerminal) return work({ toolIds, signal });
    let measured = 0;
    const tell = (end: string): void => output.writeError(`\r${name}: ${measured} queries${end}`);
    // A stream does not say how long it is.
    const onProgress = (done: number): void => {
      measured = done;
      if (done % TOLD_EVERY === 0) tell("");
    };
    const answer = await work({ toolIds, signal, onProgress });
    tell("\n");
    return answer;
  };
  const name = pipelineName(options);
  const measurement = await pass(name, (measuring) => measure(pipeline, stream(signal), measuring));
  const measured = { name, measurement };
  if (baseline === undefined) return { measured };
  const queries = (): Parameters<typeof measure>[1] => stream(signal);
  const compared = await pass(options.baseline ?? "", (measuring) =>
    baseline.measure({ queries, measuring, ownCandidates, signal }),
  );
  return { measured, baseline: compared };
}

/** The command with what was chosen, so that reports can be told apart; of files their names. */
function pipelineName({ goal, encoder, k, model, reranker }: EvaluateCommandOptions): string {
  const chosen = {
    goal,
    encoder: encoder === undefined ? undefined : basename(encoder),
    k: k === "auto" ? undefined : k,
    model: model === undefined ? undefined : basename(model),
    reranker: reranker === undefined ? undefined : basename(reranker),
  };
  const flags = Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`]));
  return ["setwise", ...flags].join(" ");
}

function runFacts(pipeline: string, { encoder, catalog }: Selector): Partial<EvaluationReport["run"]> {
  return {
    pipeline,
    versions: { setwise: packageJson.version, encoder: encoder?.name ?? "none", tools: catalog.revision.slice(0, 12) },
    date: new Date().toISOString(),
  };
}

/** The document of `--json`: first what scripts rely on, then the rest. */
function evaluationDocument(
  report: EvaluationReport,
  [comparison]: readonly Comparison[],
  problems: readonly unknown[],
): object {
  const { queries, tools, ...others } = report;
  return { queries, tools, ...others, ...(comparison === undefined ? {} : { comparison }), problems };
}
