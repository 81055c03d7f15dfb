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
  void answer({ ...data, catalog: createCatalog(tools) }, threads);
});

async function answer(data: TrainingData, threads: number): Promise<void> {
  const before = process.memoryUsage.rss() / MEGABYTE;
  const started = performance.now();
  const { report } = await trainSetModel(data, { threads });
  const seconds = (performance.now() - started) / 1000;
  // In kilobytes.
  const peak = (process.resourceUsage().maxRSS * 1024) / MEGABYTE;
  const cost: TrainingCost = { seconds, before, peak, chosen: report.chosen };
  process.send?.(cost, () => process.disconnect());
}
