import { fork } from "node:child_process";
import { once } from "node:events";
import { HypergraphTrainer, openKernels, type HypergraphTrainerOptions } from "@setwise/native";
import { adaptSetModel, type TrainingData, trainSetModel } from "@setwise/set-scorer";
import { encoderLevels } from "./levels.ts";
import { describe, type Measurement } from "./measurement.ts";
import { interleave } from "./interleave.ts";
import { trainingData } from "./set-model-data.ts";
import type { TrainingCost, TrainingOrder } from "./set-model-speed-child.ts";
import { queryLatency } from "./set-model-speed-query.ts";
import { type SetModelTrial, setModelTrials } from "./set-model-trials.ts";

const THREADS = 2;
/** An epoch in TypeScript takes seconds, so that its queries and rounds are few. */
const ROUNDS = 3;
const EPOCH_QUERIES = 640;
/** As the set model is trained on logs of this size. */
const BATCH = 128;
const PLANNED_EPOCHS = 100;

/** What training and asking a set model cost: the native trainer against that in TypeScript, whole trainings with their memory, and a query. */
export async function setModelSpeed(
  folder: string,
  print: (line: string) => void,
  { cache }: { readonly cache?: string | undefined } = {},
): Promise<void> {
  const encoder = (await encoderLevels(cache)).find(({ name }) => name === "minilm")?.encoder;
  if (encoder === undefined) return;
  for await (const trial of setModelTrials(folder, encoder)) {
    const data = trainingData(trial.library, trial.train);
    if (trial.name === "ultratool") for (const measured of trainers(data)) describe(measured).forEach(print);
    if (trial.name === "ultratool" || trial.name === "toollens") print(costLine(trial, data, await costOf(data)));
    if (!trial.name.startsWith("toolbench")) continue;
    (await queryCosts(trial, data)).forEach(print);
    return;
  }
}

/** An epoch of each stage, with the native trainer and with the one in TypeScript in turn. */
function trainers(data: TrainingData): Measurement[] {
  const sides = ["native", "typescript"].map((name) => {
    const kernels = openKernels(name === "native" ? "native" : "typescript");
    return { name, trainer: new HypergraphTrainer({ ...trainerOptions(data), kernels }) };
  });
  const { tools, queryDimensions, toolDimensions } = sides[0]!.trainer;
  const at = `${EPOCH_QUERIES} queries, ${tools} tools, d_r ${queryDimensions}, d_z ${toolDimensions}, batch ${BATCH}, ${THREADS} threads`;
  const measured = (["matchEpoch", "setEpoch"] as const).map((epoch): Measurement => {
    const { medians } = interleave(
      sides.map(
        ({ trainer }) =>
          () =>
            void trainer[epoch](),
      ),
      ROUNDS,
    );
    const times = sides.map(({ name }, side) => ({ name, microseconds: 1000 * medians[side]! }));
    return {
      kernel: epoch === "matchEpoch" ? "an epoch of the match" : "an epoch of the sets",
      at,
      rounds: ROUNDS,
      sides: times,
    };
  });
  for (const { trainer } of sides) trainer.dispose();
  return measured;
}

function trainerOptions(data: TrainingData): HypergraphTrainerOptions {
  const offsets = new Uint32Array(data.queries.length + 1);
  for (const [place, { tools }] of data.queries.entries()) offsets[place + 1] = offsets[place]! + tools.length;
  const tools = Uint32Array.from(data.queries.flatMap((query) => [...query.tools]));
  const features = data.features.map(({ name, ...column }) => [name, column] as const);
  return {
    queryDimensions: data.toolVectors.length / data.catalog.tools.length,
    toolVectors: data.toolVectors,
    queries: { vectors: data.queryVectors, gold: { offsets, tools }, features: Object.fromEntries(features) },
    development: Uint32Array.from({ length: data.queries.length - EPOCH_QUERIES }, (_, at) => EPOCH_QUERIES + at),
    match: { epochs: PLANNED_EPOCHS, batch: BATCH },
    sets: { epochs: PLANNED_EPOCHS, batch: BATCH },
    threads: THREADS,
  };
}

/** Trains in a process of its own, so that memory is that of training. */
async function costOf({ catalog, ...data }: TrainingData): Promise<TrainingCost> {
  const child = fork(new URL("./set-model-speed-child.mjs", import.meta.url), {
    serialization: "advanced",
    execArgv: ["--expose-gc"],
  });
  const tools = catalog.tools.map((tool) => ({ ...tool, original: undefined }));
  const order: TrainingOrder = { ...data, tools, threads: THREADS };
  child.send(order);
  const [cost] = (await once(child, "message")) as [TrainingCost];
  return cost;
}

function costLine({ name }: SetModelTrial, { queries, catalog }: TrainingData, cost: TrainingCost): string {
  const memory = `resident ${cost.before.toFixed(0)} MB with the data, ${cost.peak.toFixed(0)} MB at most`;
  const sizes = `${queries.length} queries, ${catalog.tools.length} tools, ${THREADS} threads`;
  return `training on ${name} (${sizes}): ${cost.seconds.toFixed(1)} s, ${memory}; kept: ${cost.chosen}`;
}

async function queryCosts({ full, tests }: SetModelTrial, data: TrainingData): Promise<string[]> {
  const { model } = await trainSetModel(data, { threads: THREADS });
  const toolVectors = full.index.embeddings?.vectors ?? new Float32Array(0);
  const adapted = adaptSetModel(model, { catalog: full.catalog, encoder: full.encoder.name, toolVectors });
  return queryLatency(adapted.model, tests[0]?.queries ?? []);
}
