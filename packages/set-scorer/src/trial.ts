import { calibrationError, type Statement } from "./calibration-error.ts";
import { calibrate, goldIn, type LabelledEvidence, type PairTerms } from "./calibrate.ts";
import {
  type FigureRow,
  figuresOfScores,
  meanFigures,
  pairedDifference,
  type PairedDifference,
  setWorthOf,
} from "./figures.ts";
import type { RankingFigures, SetCalibration, SetModel } from "./set-model.ts";
import { openSetScorer, scoreEvidence, type SetEvidence } from "./set-scorer.ts";
import { queryAt, type TrainingData } from "./training-data.ts";

/** Development queries that a calibration is fitted on at most: a dozen numbers need no more. */
const CALIBRATED = 400;
/** With fewer queries to compare by, what is there stays. */
export const LEAST_COMPARED = 8;

/** What a candidate model reached on the development queries. */
export interface Contender {
  readonly name: ContenderName;
  /** Calibrated; of the one that is kept the rest of what a model has comes later. */
  readonly model: SetModel;
  readonly figures: RankingFigures;
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

/**
 * Keeps, of the models that are offered, the one that development queries speak for: the first, until another's interval of gain over the kept one lies above 0.
 * Intervals are not corrected for how many models are offered: of k that gain nothing, one is kept with a probability of at most 2.5 k per cent.
 */
export class Trial {
  readonly #data: TrainingData;
  readonly #dimensions: number;
  readonly #seed: number;
  readonly #development: Uint32Array;
  /** Development queries that some tool serves, by which models are compared. */
  readonly #compared: Uint32Array;
  /** Those that calibrations are fitted on. */
  readonly #fitted: Uint32Array;
  readonly #contenders: Contender[] = [];
  #best: Best | undefined;
  /** The last one that was fitted: the next is near it. */
  #calibration: SetCalibration | undefined;

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
    this.#development = development;
    this.#compared = development.filter((place) => data.queries[place]!.tools.length > 0);
    const step = Math.max(1, development.length / CALIBRATED);
    const count = Math.floor(development.length / step);
    this.#fitted = Uint32Array.from({ length: count }, (_, i) => development[Math.floor(i * step)]!);
  }

  /** How many queries models are compared by. */
  get measuredOn(): number {
    return this.#compared.length;
  }

  /**
   * What a model knows of the development queries, before any calibration. Models that differ in co-use and known sets only share it: what a
   * calibration does not count is not there.
   */
  evidenceOf(model: SetModel): ReadonlyMap<number, SetEvidence> {
    const scorer = openSetScorer(model);
    try {
      const places = [...this.#development];
      return new Map(places.map((place) => [place, scorer.evidence(queryAt(this.#data, place, this.#dimensions))]));
    } finally {
      scorer.dispose();
    }
  }

  /** Calibrates a model on the development queries and compares it. */
  offer(name: ContenderName, model: SetModel, terms: PairTerms, given?: ReadonlyMap<number, SetEvidence>): void {
    const evidence = given ?? this.evidenceOf(model);
    const calibration = calibrate(this.#labelled(evidence, this.#fitted), model.maxSize, terms, this.#calibration);
    this.#calibration = calibration;
    this.#compare(name, { ...model, calibration }, evidence, terms);
  }

  /** Compares a model that is calibrated already. */
  offerReady(name: ContenderName, model: SetModel): void {
    this.#compare(name, model, this.evidenceOf(model));
  }

  result(): { readonly kept: Contender; readonly contenders: readonly Contender[] } {
    return { kept: this.#best!.contender, contenders: this.#contenders };
  }

  /**
   * The expected calibration error of P(t ∈ E) of the model that is kept, on queries that a calibration was not fitted on: each half of the development queries
   * is measured with one that is fitted on the other.
   */
  heldOutError(): number {
    const { contender, evidence, terms } = this.#best!;
    const { maxSize, calibration } = contender.model;
    const halves = [0, 1].flatMap((half) => {
      const inHalf = new Set(this.#development.filter((_, at) => at % 2 === half));
      const fitted = this.#fitted.filter((place) => !inHalf.has(place));
      const own = terms && calibrate(this.#labelled(evidence, fitted), maxSize, terms, calibration);
      const measured = this.#compared.filter((place) => inHalf.has(place));
      return this.#statements(evidence, own ?? calibration, measured);
    });
    return calibrationError(halves);
  }

  #labelled(evidence: ReadonlyMap<number, SetEvidence>, places: Uint32Array): LabelledEvidence[] {
    return Array.from(places, (place): LabelledEvidence & { readonly tools: number } => {
      const found = evidence.get(place)!;
      const { tools } = this.#data.queries[place]!;
      return { evidence: found, gold: goldIn(found, tools), tools: tools.length };
    }).filter(({ gold, tools }) => gold.length > 0 || tools === 0);
  }

  #statements(
    evidence: ReadonlyMap<number, SetEvidence>,
    calibration: SetCalibration,
    places: Uint32Array,
  ): Statement[] {
    return Array.from(places, (place) => ({
      scored: scoreEvidence(evidence.get(place)!, calibration),
      gold: this.#data.queries[place]!.tools,
    }));
  }

  #compare(name: ContenderName, model: SetModel, evidence: ReadonlyMap<number, SetEvidence>, terms?: PairTerms): void {
    const statements = this.#statements(evidence, model.calibration, this.#compared);
    const rows = statements.map(({ scored, gold }) => figuresOfScores(scored, gold));
    const before = this.#best;
    const difference =
      before === undefined
        ? undefined
        : pairedDifference(rows.map(setWorthOf), before.rows.map(setWorthOf), this.#seed);
    const kept = difference === undefined || (rows.length >= LEAST_COMPARED && difference.low > 0);
    const contender: Contender = { name, model, figures: meanFigures(rows), difference, kept };
    this.#contenders.push(contender);
    if (kept) this.#best = { contender, rows, evidence, terms };
  }
}

/** The contender that is kept. */
interface Best {
  readonly contender: Contender;
  readonly rows: readonly FigureRow[];
  readonly evidence: ReadonlyMap<number, SetEvidence>;
  /** What its calibration counts; `undefined` where it came calibrated. */
  readonly terms: PairTerms | undefined;
}
