import { setImmediate as nextTurn } from "node:timers/promises";
import { createCatalog, type Tool } from "@setwise/core";
import { trainSetModel, type TrainingData } from "@setwise/set-scorer";

/*
 * A process of its own that is told what to learn from, learns, and says how long it took and how much memory it held at most.
 */

/** What it is told: data to train from, the catalog as its tools. */
export interface TrainingOrder extends Omit<TrainingData, "catalog"> {
  readonly tools: readonly Tool[];
  readonly threads: number;
}

/** What it says. */
export interface TrainingCost {
  readonly seconds: number;
  /** Of the process, in MB: when all data were there, and the largest. */
  readonly before: number;
  readonly peak: number;
  readonly chosen: string;
}

const MEGABYTE = 2 ** 20;

process.once("message", (order: TrainingOrder) => {
  const { tools, threads, ...data } = order;
  void answer({ ...owned(data), catalog: createCatalog(tools) }, threads);
});

/** Arrays that came through the pipe may be views of the whole message, which would stay with them. */
function owned<Data extends Omit<TrainingData, "catalog">>(data: Data): Data {
  return {
    ...data,
    toolVectors: data.toolVectors.slice(),
    queryVectors: data.queryVectors.slice(),
    queries: data.queries.map((query) => ({ ...query, tools: query.tools.slice() })),
    features: data.features.map((feature) => ({
      ...feature,
      offsets: feature.offsets.slice(),
      tools: feature.tools.slice(),
      values: feature.values.slice(),
    })),
  };
}

async function answer(data: TrainingData, threads: number): Promise<void> {
  await nextTurn();
  // The message that the data came in is no memory of training.
  globalThis.gc?.();
  const before = process.memoryUsage.rss() / MEGABYTE;
  const started = performance.now();
  const { report } = await trainSetModel(data, { threads });
  const seconds = (performance.now() - started) / 1000;
  // In kilobytes.
  const peak = (process.resourceUsage().maxRSS * 1024) / MEGABYTE;
  const cost: TrainingCost = { seconds, before, peak, chosen: report.chosen };
  process.send?.(cost, () => process.disconnect());
}
