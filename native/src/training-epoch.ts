import {
  type NegativeSource,
  reportPlaces,
  sourceCounts,
  sources,
  type StageNumber,
  type TrainerPlan,
} from "./hypergraph-trainer-kernel.ts";

/** What became of the negatives of a source. A drawn one may be right after all: those of which that is to be feared are counted. */
export interface NegativeCounts {
  /** Sets that were drawn. */
  readonly drawn: number;
  /** Places that stayed empty, since nothing new was found in eight tries. */
  readonly missed: number;
  /** Drawn sets that hold all of gold; of source `size`, whatever grew. */
  readonly supersets: number;
  /** Drawn sets that gold holds. */
  readonly subsets: number;
  /** Drawn sets that are the gold set of another query with the same vector. */
  readonly identical: number;
}

/** An epoch, or as much of it as is done. Losses are means over the queries done. */
export interface TrainingEpoch {
  readonly stage: "match" | "sets";
  /** Which epoch of the stage, from 1. */
  readonly epoch: number;
  /** Batches done. */
  readonly batches: number;
  readonly ofBatches: number;
  /** Queries done. */
  readonly queries: number;
  /** Queries that take no part: without gold, or in the stage of sets with more than `maxSize` tools. */
  readonly skipped: number;
  /** Steps of the stage done. */
  readonly steps: number;
  /** Of P and Z in the last step. */
  readonly learningRate: number;
  /** What was trained on, with all its parts. */
  readonly loss: number;
  /** InfoNCE, or −log softmax(F) of gold. */
  readonly retrieval: number;
  /** μ|Z − z_text|². */
  readonly anchor: number;
  /** Of the stage of sets. */
  readonly sets?: {
    /** ρ (−log softmax(F) of the chosen), before η. */
    readonly selfTraining: number;
    /** λ Σ|M|², of the last step. */
    readonly regulariser: number;
    /** The share of queries whose gold scored best. */
    readonly goldFirst: number;
    readonly negatives: Readonly<Record<NegativeSource, NegativeCounts>>;
  };
  /** Why the epoch ended before its end: a number became NaN or infinite. The weights are those from before the epoch. */
  readonly stopped?: "not-finite";
}

/** Whether nothing is left of an epoch. */
export function isDone(report: Float64Array): boolean {
  return report[reportPlaces.notFinite] !== 0 || report[reportPlaces.batches] === report[reportPlaces.allBatches];
}

/** Unpacks a report. */
export function readReport(stage: StageNumber, report: Float64Array, plan: TrainerPlan, epoch: number): TrainingEpoch {
  const at = (name: keyof typeof reportPlaces): number => report[reportPlaces[name]]!;
  const queries = at("queries");
  const mean = (sum: number): number => (queries === 0 ? 0 : sum / queries);
  const { learningRate } = stage === 1 ? plan.matching : plan.sets;
  const negatives = sources.map((source, place) => [source, countsOf(report, place)] as const);
  return {
    stage: stage === 1 ? "match" : "sets",
    epoch,
    batches: at("batches"),
    ofBatches: at("allBatches"),
    queries,
    skipped: at("skipped"),
    steps: at("steps"),
    learningRate: learningRate * at("rateFactor"),
    loss: mean(at("loss")),
    retrieval: mean(at("retrieval")),
    anchor: mean(at("anchor")),
    ...(stage === 2 && {
      sets: {
        selfTraining: mean(at("selfTraining")),
        regulariser: at("regulariser"),
        goldFirst: mean(at("goldFirst")),
        negatives: Object.fromEntries(negatives) as Record<NegativeSource, NegativeCounts>,
      },
    }),
    ...(at("notFinite") !== 0 && { stopped: "not-finite" as const }),
  };
}

function countsOf(report: Float64Array, place: number): NegativeCounts {
  const start = reportPlaces.sources + place * sourceCounts;
  const [drawn = 0, missed = 0, supersets = 0, subsets = 0, identical = 0] = report.slice(start, start + sourceCounts);
  return { drawn, missed, supersets, subsets, identical };
}
