import type { Calibration } from "@setwise/adaptive-k";
import { type Encoder, type ErrorCode, refuseAborted, SetwiseError } from "@setwise/core";
import { encodeQuery, retrieve, type ToolIndex } from "@setwise/retriever";
import type {
  CleanQuery,
  LoggedQuery,
  LogProblem,
  SetModel,
  SetQuery,
  TrainingCheckpoint,
  TrainingData,
  TrainingFeature,
  TrainingReport,
  TrainSetModelOptions,
} from "@setwise/set-scorer";
import { calibrateFromLog, type FoundRequest } from "./calibrate-from-log.ts";
import { calibrationOf, withCalibration } from "./model-calibration.ts";
import { refuseOtherEncoder } from "./open-set-model.ts";
import { NAMED_TOOLS, setQuery } from "./set-query.ts";

/** How a model is trained from a log. */
export interface TrainOptions extends Omit<TrainSetModelOptions, "from"> {
  /** What is to be said of the log's licence in the model. */
  readonly licence?: string;
  /**
   * A model to compare with, which stays unless something is surely better: for training again on a log that has grown. Where it stays, so do its sizes and
   * refusals, unless the log has as many requests for them.
   */
  readonly previous?: SetModel;
  /** A state that `onCheckpoint` gave. If it is damaged, or of another log, other tools, options or `previous`, training begins anew and says so. */
  readonly resume?: TrainingCheckpoint;
  /** Told how many of the requests are encoded. */
  readonly onEncoded?: (done: number, total: number) => void;
}

/** A model, how it was come by, and what was wrong with the log. */
export interface TrainedModel {
  readonly model: SetModel;
  readonly report: TrainingReport;
  /**
   * Sizes and refusals as the log has them, which are in the model as well; `undefined` for too small a log, and where those of `previous` stay. Without the
   * model: `createSelector({ tools, calibration })`.
   */
  readonly calibration: Calibration | undefined;
  /** Why training could not go on from `resume` and began anew, if it did. */
  readonly restarted: string | undefined;
  /** Lines of the log. */
  readonly lines: number;
  readonly problems: readonly LogProblem[];
}

/** What a checkpoint is refused with that is damaged, or of a trainer of other data or options. */
const refusals: ReadonlySet<ErrorCode> = new Set(["corrupt-file", "invalid-argument"]);

/** Cleans a log, encodes and looks up its requests, and trains. */
export async function trainFromLog(
  index: ToolIndex,
  encoder: Encoder | undefined,
  log: readonly LoggedQuery[],
  asked: TrainOptions,
): Promise<TrainedModel> {
  if (typeof asked !== "object" || asked === null) {
    throw new SetwiseError(
      "invalid-argument",
      `Expected the options of train to be an object, but got ${String(asked)}.`,
    );
  }
  const { licence, previous, onEncoded, resume, ...options } = asked;
  if (encoder === undefined) {
    throw new SetwiseError(
      "invalid-argument",
      "A set model is learned from what requests mean; choose an encoder (static comes along) in place of none.",
    );
  }
  if (previous !== undefined) refuseOtherEncoder(previous, encoder.name);
  const { adaptSetModel, cleanLog, trainSetModel } = await import("@setwise/set-scorer");
  const { catalog } = index;
  const { queries, lines, problems } = cleanLog(log, catalog);
  const lookedUp: SetQuery[] = [];
  const found: FoundRequest[] = [];
  for (const [place, { text, tools }] of queries.entries()) {
    refuseAborted(options.signal);
    const stop = options.signal === undefined ? {} : { signal: options.signal };
    const vectors = await encodeQuery(index, encoder, text, stop);
    const hybrid = retrieve(index, text, { k: NAMED_TOOLS, vectors });
    found.push({ retrieval: hybrid, vectors, tools });
    lookedUp.push(setQuery(index, text, { hybrid, vectors }));
    onEncoded?.(place + 1, queries.length);
  }
  const ofLog = await calibrateFromLog(index, encoder, found);
  const data = trainingData(index, encoder, queries, lookedUp);
  const from =
    previous === undefined
      ? {}
      : { from: adaptSetModel(previous, { catalog, encoder: encoder.name, toolVectors: data.toolVectors }).model };
  const licensed = licence === undefined ? data : { ...data, licence };
  const anew = (): ReturnType<typeof trainSetModel> => trainSetModel(licensed, { ...options, ...from });
  let restarted: string | undefined;
  const { model, report } = await (resume === undefined
    ? anew()
    : trainSetModel(licensed, { ...options, ...from, resume }).catch((error: unknown) => {
        if (!SetwiseError.isInstance(error) || !refusals.has(error.code)) throw error;
        restarted = error.message;
        return anew();
      }));
  // Only a previous model that stays has sizes already; `used` is bounded, the number of its requests is not.
  const known = calibrationOf(model);
  const knewMore = known !== undefined && (known.used > (ofLog?.used ?? 0) || model.facts.queries > queries.length);
  const calibration = knewMore ? undefined : ofLog;
  return { model: withCalibration(model, calibration), report, calibration, restarted, lines, problems };
}

/** Queries that were looked up, as columns to train from. */
export function trainingData(
  { catalog, embeddings }: ToolIndex,
  encoder: Encoder,
  queries: readonly CleanQuery[],
  known: readonly SetQuery[],
): TrainingData {
  const queryVectors = new Float32Array(known.length * encoder.dimensions);
  for (const [row, { vector }] of known.entries()) queryVectors.set(vector, row * encoder.dimensions);
  return {
    catalog,
    encoder: encoder.name,
    toolVectors: embeddings?.vectors ?? new Float32Array(0),
    queries,
    queryVectors,
    features: ["hybrid", "words"].map((name) => featureOf(name, known)),
    requests: Uint32Array.from(known, ({ requests = 1 }) => requests),
  };
}

function featureOf(name: string, known: readonly SetQuery[]): TrainingFeature {
  const offsets = new Uint32Array(known.length + 1);
  for (const [row, { features }] of known.entries()) {
    offsets[row + 1] = offsets[row]! + (features[name]?.ids.length ?? 0);
  }
  const tools = new Uint32Array(offsets[known.length]!);
  const values = new Float32Array(tools.length);
  for (const [row, { features }] of known.entries()) {
    tools.set(features[name]?.ids ?? [], offsets[row]);
    values.set(features[name]?.values ?? [], offsets[row]);
  }
  return { name, offsets, tools, values };
}
