import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { parseQueries } from "@setwise/evaluation";
import { openSetModel, readTextFile, saveSetModel, SetwiseError, type TrainedModel, type TrainOptions } from "setwise";
import { type Output, printJson, printLines } from "../output.ts";
import { openSelector, warn, worthTelling } from "../source-argument.ts";
import { untilInterrupted } from "../until-interrupted.ts";

export interface TrainCommandOptions {
  readonly log: string;
  readonly out: string;
  readonly previous?: string;
  readonly seed?: number;
  readonly threads?: number;
  readonly licence?: string;
  readonly splitBy?: "queries" | "sets";
  readonly explain?: boolean;
  readonly encoder?: string;
  readonly timeout?: number;
  readonly json?: boolean;
}

type Progress = Parameters<NonNullable<TrainOptions["onProgress"]>>[0];
type Checkpoint = NonNullable<TrainOptions["resume"]>;

/** Pairs and suspected labels that are told of. */
const SHOWN = 10;

/** `setwise train`: a set model from one's own log. An interrupted training goes on from its last epoch when it is called again. */
export async function trainCommand(
  sources: readonly string[],
  options: TrainCommandOptions,
  output: Output,
): Promise<void> {
  const started = performance.now();
  const { out, timeout: timeoutMs, encoder, previous: previousFile } = options;
  const log = parseQueries(await readTextFile(options.log), { source: options.log });
  const previous = previousFile === undefined ? undefined : await openSetModel(previousFile);
  const { selector, problems } = await openSelector(sources, { timeoutMs, encoder }, output);
  const checkpoint = checkpointFile(out);
  const resume = await checkpoint.read();
  const trained = await untilInterrupted((signal) => {
    const common: TrainOptions = {
      signal,
      onCheckpoint: checkpoint.write,
      ...(output.isTerminal ? shown(output) : {}),
      ...(previous === undefined ? {} : { previous }),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.threads === undefined ? {} : { threads: options.threads }),
      ...(options.licence === undefined ? {} : { licence: options.licence }),
      ...(options.splitBy === undefined ? {} : { splitBy: options.splitBy }),
    };
    if (resume === undefined) return selector.train(log, common);
    return selector.train(log, { ...common, resume }).catch((error: unknown) => {
      // Of other data or options: then from the beginning.
      if (SetwiseError.isInstance(error) && error.code === "aborted") throw error;
      return selector.train(log, common);
    });
  });
  await saveSetModel(out, trained.model);
  await checkpoint.remove();
  await selector.close();
  const seconds = (performance.now() - started) / 1000;
  if (options.json === true) {
    const { report, lines, problems: logProblems } = trained;
    const { facts, calibration, features } = trained.model;
    printJson(output, {
      out,
      lines,
      logProblems,
      ...report,
      facts,
      calibration,
      features,
      seconds,
      problems: worthTelling(problems()),
    });
    return;
  }
  warn(output, selector.problems);
  printLines(output, [
    ...told(trained, options),
    "",
    `${out}: written after ${seconds.toFixed(1)} s. Use it: setwise select … --model ${out}`,
  ]);
}

/** What is kept beside the model while it is trained. */
function checkpointFile(out: string): {
  read(): Promise<Checkpoint | undefined>;
  write(checkpoint: Checkpoint): Promise<void>;
  remove(): Promise<void>;
} {
  const path = `${out}.checkpoint`;
  return {
    async read() {
      const bytes = await readFile(path).catch(() => undefined);
      if (bytes === undefined) return undefined;
      try {
        return deserialize(bytes) as Checkpoint;
      } catch {
        return undefined;
      }
    },
    async write(checkpoint) {
      try {
        await writeFile(`${path}.part`, serialize(checkpoint));
        await rename(`${path}.part`, path);
      } catch (cause) {
        throw new SetwiseError("unwritable-target", `The checkpoint ${path} cannot be written.`, {
          source: path,
          cause,
        });
      }
    },
    remove: () => rm(path, { force: true }),
  };
}

function shown(output: Output): Pick<TrainOptions, "onEncoded" | "onProgress"> {
  return {
    onEncoded: (done, total) => {
      if (done % 25 === 0 || done === total)
        output.writeError(`\r${done} of ${total} requests encoded${done === total ? "\n" : ""}`);
    },
    onProgress: (progress) => output.writeError(progressLine(progress)),
  };
}

function progressLine({ stage, epoch, ofEpochs, share, loss, development }: Progress): string {
  if (stage === "calibration") return "\rcomparing and calibrating …\n";
  const head = `\r${stage}: epoch ${epoch} of ${ofEpochs}, ${Math.round(100 * share)} %, loss ${loss.toFixed(3)}`;
  if (development === undefined) return head.padEnd(70);
  return `${head}, recall at 5 ${percent(development.recall5)}, complete ${percent(development.completeness5)}\n`;
}

/** The log, the comparison and the verdict, in lines. */
function told({ model, report, lines, problems }: TrainedModel, { explain }: TrainCommandOptions): string[] {
  const rows = report.contenders.map(({ name, figures, difference, kept }) => {
    const { recall3, ndcg3, completeness3, recall5, completeness5, exact = 0 } = figures;
    const columns = [recall3, ndcg3, completeness3, recall5, completeness5, exact].map((value) =>
      percent(value).padStart(8),
    );
    const gain =
      difference === undefined
        ? ""
        : `  ${signed(difference.mean)} (95 %: ${signed(difference.low)} to ${signed(difference.high)})`;
    return `${kept ? "*" : " "} ${name.padEnd(24)}${columns.join("")}${gain}`;
  });
  const header = ["R@3", "N@3", "C@3", "R@5", "C@5", "exact"].map((name) => name.padStart(8)).join("");
  return [
    `${lines} lines, ${report.queries} requests; ${report.developmentQueries} of them set aside to choose on`,
    ...problems.map(({ message }) => `  ${message}`),
    ...suspicions(report),
    "",
    `  ${"".padEnd(24)}${header}  gain over what was kept before`,
    ...rows,
    `expected calibration error of P(tool) ${model.facts.development.calibrationError.toFixed(3)}`,
    "",
    report.verdict,
    ...(report.stopped === undefined
      ? []
      : [
          `The stage of the ${report.stopped} was stopped: a number was no longer finite. What was learned before it is kept.`,
        ]),
    ...(explain === true ? pairs(model) : []),
  ];
}

function suspicions({ suspected }: TrainedModel["report"]): string[] {
  if (suspected.length === 0) return [];
  const pairsTold = suspected.slice(0, SHOWN).map(({ one, other }) => `    ${short(one)} | ${short(other)}`);
  return [
    `  ${suspected.length} pairs of nearly the same requests have no tool in common; their labels may be wrong:`,
    ...pairsTold,
  ];
}

/** The tools that the log has together most above chance. */
function pairs({ coUse, tools }: TrainedModel["model"]): string[] {
  const order = [...coUse.values.keys()]
    .sort((a, b) => (coUse.values[b] ?? 0) - (coUse.values[a] ?? 0))
    .slice(0, SHOWN);
  const nameAt = (place: number): string => tools[coUse.pairs[place] ?? 0]?.id ?? "";
  const lines = order.map(
    (at) =>
      `  ${nameAt(2 * at)} + ${nameAt(2 * at + 1)}: ${Math.exp(coUse.values[at] ?? 0).toFixed(1)} × as often as by chance`,
  );
  return lines.length === 0 ? ["", "No pairs were kept."] : ["", "Tools that belong together:", ...lines];
}

function short(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function signed(share: number): string {
  return `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;
}
