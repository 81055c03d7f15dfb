import { access } from "node:fs/promises";
import { openSetModel, saveSetModel, type Selector, SetwiseError, type TrainedModel, type TrainOptions } from "setwise";
import { type Output, printJson, printLines } from "../output.ts";
import { refuseLostFiles, sourceFiles } from "../refuse-lost-files.ts";
import { openSelector, warn, worthTelling } from "../source-argument.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { writableFile } from "../write-text-file.ts";
import { checkpointPath, type CheckpointFile, checkpointFile } from "./checkpoint-file.ts";
import { formerNames } from "./former-names.ts";
import { type LabelledQueries, labelledQueries, warnOfQueries } from "./labelled-queries.ts";
import { percent, trainingLines } from "./training-lines.ts";

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
type Log = Parameters<Selector["train"]>[0];

/** `setwise train`: a set model from one's own log. An interrupted training goes on from its last epoch when it is called again. */
export async function trainCommand(
  sources: readonly string[],
  options: TrainCommandOptions,
  output: Output,
): Promise<void> {
  const started = performance.now();
  const { out, timeout: timeoutMs, encoder, previous: previousFile } = options;
  await refuseLostFiles(
    [
      // It may be the file of --previous, which is read first and is what stays where nothing is better.
      { as: "--out", path: out },
      { as: "the checkpoint of --out", path: checkpointPath(out) },
    ],
    [...sourceFiles(sources), { as: "--log", path: options.log }],
  );
  const target = await writableFile(out);
  const previous = previousFile === undefined ? undefined : await previousModel(previousFile);
  if (output.isTerminal) output.writeError("reading the tools and the log …\n");
  const { selector, problems } = await openSelector(sources, { timeoutMs, encoder }, output);
  try {
    const queries = labelledQueries(options.log, selector.catalog, await formerNames(sources));
    const checkpoint = checkpointFile(out);
    const trained = await untilInterrupted(async (signal) => {
      const log = await logOf(queries, signal);
      const asked = await trainOptions(options, { signal, output, checkpoint, previous });
      return selector.train(log, asked).catch(async (error: unknown) => {
        throw (await checkpoint.read().catch(() => undefined)) === undefined ? error : toBeGoneOnWith(error, out);
      });
    });
    const isKept = previousFile === undefined && (await hasLearnedMore(target, trained));
    if (!isKept) await saveSetModel(target, trained.model);
    await checkpoint.remove();
    const seconds = (performance.now() - started) / 1000;
    if (options.json === true) {
      const told = [...worthTelling(problems()), ...queries.leftOut()];
      printJson(output, trainingDocument(trained, { out, written: !isKept, seconds, problems: told }));
      return;
    }
    warn(output, selector.problems);
    warnOfQueries(output, queries.leftOut());
    printLines(output, [
      ...trainingLines(trained, options),
      "",
      isKept
        ? `${out}: left as it was. It holds a model that learned which tools a request calls for, and this log gave none; give another --out, or --previous ${out} to have both compared.`
        : `${out}: written after ${seconds.toFixed(1)} s. Use it: setwise select … --model ${out}`,
    ]);
  } finally {
    await selector.close();
  }
}

/** Whether the file is a model that learned something, which would be lost to one that has sizes and refusals only. */
async function hasLearnedMore(file: string, { model }: TrainedModel): Promise<boolean> {
  if (model.toolDimensions > 0) return false;
  const there = await openSetModel(file).catch(() => undefined);
  return (there?.toolDimensions ?? 0) > 0;
}

/** The model of `--previous`; it throws `unreadable-source` where there is none yet. */
async function previousModel(file: string): ReturnType<typeof openSetModel> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return openSetModel(file);
  throw new SetwiseError(
    "unreadable-source",
    `There is no model ${file} to compare with. Leave out --previous the first time; later it is the --out of the time before.`,
    { source: file },
  );
}

/** What an interrupted training ends with, where its checkpoint is left. */
function toBeGoneOnWith(error: unknown, out: string): unknown {
  if (!SetwiseError.isInstance(error) || error.code !== "aborted") return error;
  return new SetwiseError(
    "aborted",
    `${error.message} The same command goes on from ${checkpointPath(out)}; remove that file to begin anew.`,
    { cause: error },
  );
}

/** The requests of a log without what only a measurement needs, as all of them are kept. */
async function logOf(queries: LabelledQueries, signal: AbortSignal): Promise<Log> {
  const log: { readonly query: string; readonly tools: readonly string[] }[] = [];
  for await (const { query, tools } of queries.stream(signal)) log.push({ query, tools });
  return log;
}

interface Around {
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly checkpoint: CheckpointFile;
  readonly previous: TrainOptions["previous"];
}

async function trainOptions(
  { seed, threads, licence, splitBy }: TrainCommandOptions,
  { signal, output, checkpoint, previous }: Around,
): Promise<TrainOptions> {
  const resume = await checkpoint.read();
  return {
    signal,
    onCheckpoint: checkpoint.write,
    ...(output.isTerminal ? shown(output) : {}),
    ...(resume === undefined ? {} : { resume }),
    ...(previous === undefined ? {} : { previous }),
    ...(seed === undefined ? {} : { seed }),
    ...(threads === undefined ? {} : { threads }),
    ...(licence === undefined ? {} : { licence }),
    ...(splitBy === undefined ? {} : { splitBy }),
  };
}

/** The document of `--json`. */
function trainingDocument(
  { model, report, calibration: untrained, restarted, lines, problems: logProblems }: TrainedModel,
  told: {
    readonly out: string;
    readonly written: boolean;
    readonly seconds: number;
    readonly problems: readonly unknown[];
  },
): object {
  const { facts, calibration, features } = model;
  // A contender holds its whole model.
  const contenders = report.contenders.map(({ model: _model, ...figures }) => figures);
  return {
    ...told,
    lines,
    logProblems,
    ...report,
    contenders,
    facts,
    calibration,
    features,
    sizesAndRefusals: untrained,
    restarted,
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
