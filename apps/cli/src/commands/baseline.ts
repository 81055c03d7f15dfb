import { basename } from "node:path";
import {
  dense,
  keywordMatcher,
  measure,
  type NamedMeasurement,
  plainBm25,
  type Ranker,
  rankerPipeline,
  readMeasurement,
} from "@setwise/evaluation";
import { type Selector, SetwiseError } from "setwise";

type MeasureArguments = Parameters<typeof measure>;

/** How the baseline is measured: as what it is compared with. */
export interface BaselineOptions {
  readonly queries: () => MeasureArguments[1];
  readonly measuring: MeasureArguments[2];
  readonly ownCandidates: boolean;
  readonly signal: AbortSignal;
}

/** A way to choose tools that another one is compared with. */
export interface Baseline {
  measure(options: BaselineOptions): Promise<NamedMeasurement>;
}

/** Whether `--baseline` names a way to choose, not a file. */
export function isNamedBaseline(given: string | undefined): boolean {
  return given === "bm25" || given === "keyword" || given === "dense";
}

/**
 * What `--baseline` names: one of what people use today, each handing over its first five, or the file of a measurement, which is read
 * at once.
 *
 * @throws SetwiseError `invalid-argument` for `dense` without an encoder, and what {@link readMeasurement} throws.
 */
export async function openBaseline(given: string, selector: Selector): Promise<Baseline> {
  const { tools } = selector.catalog;
  const ranked = (name: string, open: (signal: AbortSignal) => Promise<Ranker>): Baseline => ({
    async measure({ queries, measuring, ownCandidates, signal }) {
      const pipeline = rankerPipeline(await open(signal), selector.catalog, { ownCandidates });
      return { name, measurement: await measure(pipeline, queries(), measuring) };
    },
  });
  switch (given) {
    case "bm25":
      return ranked("BM25 top-5", async () => plainBm25(tools));
    case "keyword":
      return ranked("keywords top-5", async () => keywordMatcher(tools));
    case "dense":
      return ranked("dense top-5", denseOf(selector));
    default: {
      const { measurement } = await readMeasurement(given).catch((error: unknown) => {
        throw isUnreadable(error) ? noBaseline(given, error) : error;
      });
      return { measure: async () => ({ name: basename(given), measurement }) };
    }
  }
}

function denseOf({ encoder, catalog }: Selector): (signal: AbortSignal) => Promise<Ranker> {
  if (encoder === undefined) {
    throw new SetwiseError(
      "invalid-argument",
      "The baseline dense compares meaning, but words only are compared here. Choose an --encoder, or the baseline bm25.",
    );
  }
  return (signal) => dense(catalog.tools, encoder, { signal });
}

function isUnreadable(error: unknown): error is SetwiseError {
  return SetwiseError.isInstance(error) && error.code === "unreadable-source";
}

function noBaseline(given: string, cause: SetwiseError): SetwiseError {
  return new SetwiseError(
    "unreadable-source",
    `The baseline ${given} is none of bm25, dense and keyword, and no file that can be read. Name one of them, or what --save has written.`,
    { source: given, cause },
  );
}
