import { calibrationError } from "./calibration-error.ts";
import { calibrate, goldIn, type LabelledEvidence, type PairTerms } from "./calibrate.ts";
import {
  type FigureRow,
  figuresOfScores,
  meanFigures,
  pairedDifference,
  type PairedDifference,
  setWorthOf,
} from "./figures.ts";
import type { SetModel } from "./set-model.ts";
import { openSetScorer, type SetScorer } from "./set-scorer.ts";
import { queryAt, type TrainingData } from "./training-data.ts";

/** Development queries that a calibration is fitted on at most: a dozen numbers need no more. */
const CALIBRATED = 400;
/** What a candidate model reached on the development queries. */
export interface Contender {
  readonly name: ContenderName;
  readonly figures: ReturnType<typeof meanFigures>;
  /** Against the contender that was kept before it came. */
  readonly difference: PairedDifference | undefined;
  readonly kept: boolean;
}

export type ContenderName =
  | "untrained"
  | "previous"
  | "match"
  | "match with co-use"
  | "match with known sets"
  | "match with interactions";

/** Keeps, of the models that are offered, the one that development queries speak for. */
export class Trial {
  readonly #data: TrainingData;
  readonly #dimensions: number;
  readonly #seed: number;
  /** Development queries that some tool serves, by which models are compared. */
  readonly #compared: Uint32Array;
  /** Those that calibrations are fitted on. */
  readonly #fitted: Uint32Array;
  readonly #contenders: Contender[] = [];
  #best: { readonly name: ContenderName; readonly model: SetModel; readonly rows: readonly FigureRow[] } | undefined;

  constructor(
    data: TrainingData,
    {
      dimensions,
      development,
      seed,
    }: { readonly dimensions: number; readonly development: Uint32Array; readonly seed: number },
  ) {
    this.#data = data;
    this.#dimensions = dimensions;
    this.#seed = seed;
    this.#compared = development.filter((place) => data.queries[place]!.tools.length > 0);
    const step = Math.max(1, development.length / CALIBRATED);
    const count = Math.floor(development.length / step);
    this.#fitted = Uint32Array.from({ length: count }, (_, i) => development[Math.floor(i * step)]!);
  }

  /** Calibrates a model on the development queries and compares it. */
  offer(name: ContenderName, model: SetModel, terms: PairTerms): void {
    const scorer = openSetScorer(model);
    const evidence = Array.from(this.#fitted, (place): LabelledEvidence => {
      const found = scorer.evidence(queryAt(this.#data, place, this.#dimensions));
      return { evidence: found, gold: goldIn(found, this.#data.queries[place]!.tools) };
    }).filter(({ gold }, at) => gold.length > 0 || this.#data.queries[this.#fitted[at]!]!.tools.length === 0);
    scorer.dispose();
    this.offerReady(name, { ...model, calibration: calibrate(evidence, model.maxSize, terms) });
  }

  /** Compares a model as it is. */
  offerReady(name: ContenderName, model: SetModel): void {
    const rows = this.#rows(model);
    const before = this.#best;
    const difference =
      before === undefined
        ? undefined
        : pairedDifference(rows.map(setWorthOf), before.rows.map(setWorthOf), this.#seed);
    const kept = difference === undefined || difference.low > 0;
    this.#contenders.push({ name, figures: meanFigures(rows), difference, kept });
    if (kept) this.#best = { name, model, rows };
  }

  result(): {
    readonly model: SetModel;
    readonly name: ContenderName;
    readonly contenders: readonly Contender[];
    readonly rows: readonly FigureRow[];
  } {
    const { model, name, rows } = this.#best!;
    return { model, name, rows, contenders: this.#contenders };
  }

  /** Of P(t ∈ E) over the development queries. */
  calibrationError(model: SetModel): number {
    return withScorer(model, (scorer) =>
      calibrationError(
        Array.from(this.#compared, (place) => ({
          scored: scorer.score(queryAt(this.#data, place, this.#dimensions)),
          gold: this.#data.queries[place]!.tools,
        })),
      ),
    );
  }

  #rows(model: SetModel): FigureRow[] {
    return withScorer(model, (scorer) =>
      Array.from(this.#compared, (place) =>
        figuresOfScores(scorer.score(queryAt(this.#data, place, this.#dimensions)), this.#data.queries[place]!.tools),
      ),
    );
  }
}

function withScorer<Result>(model: SetModel, work: (scorer: SetScorer) => Result): Result {
  const scorer = openSetScorer(model);
  try {
    return work(scorer);
  } finally {
    scorer.dispose();
  }
}
