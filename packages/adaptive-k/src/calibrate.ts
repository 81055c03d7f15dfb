import { SetwiseError } from "@setwise/core";
import { checkCalibration } from "./check-calibration.ts";
import { likeliestSize } from "./goal.ts";
import { REFUSE_BELOW } from "./choose-k.ts";
import { fitLogit, type RefusalGate } from "./nothing-fits.ts";
import { priorLogits, priorSizeOffsets, type SetPrior } from "./set-prior.ts";
import { refitPrior, type SizedRequest } from "./refit-prior.ts";

/** One request of a log with its candidates. */
export interface CalibrationRequest {
  /** Scores of the candidates, best first, as `chooseK` takes them. */
  readonly scores: Float32Array;
  /** Positions of the right tools in `scores`, each once; empty where none was found, or none fits. */
  readonly right: readonly number[];
  /** How many tools are right, found or not; 0 says that none fits. */
  readonly rightTools: number;
  /** How many requests the query makes, 1 by default. */
  readonly requests?: number;
  /** What the words say of the best tool, as `chooseK` takes it. */
  readonly wordEvidence?: number;
  /** How much nearer it is to the tools at hand than to foreign ones (`Background.margin`), where the gate is to be refitted. */
  readonly margin?: number | undefined;
}

export interface CalibrateOptions {
  /** What is refitted. */
  readonly prior: SetPrior;
  readonly gate?: RefusalGate | undefined;
}

/** Sizes and gate as a log would have them. */
export interface Calibration {
  readonly prior: SetPrior;
  readonly gate: RefusalGate | undefined;
  /** How many requests the sizes were fitted to, 400 at most. */
  readonly used: number;
  /** What changed, a sentence each. */
  readonly changes: readonly string[];
}

/** Fewer say too little: by chance alone half of them may be of one size. */
export const FEWEST_REQUESTS = 20;
/** Six numbers are fitted hardly better by more, and the search takes as long as there are requests. */
const MOST_REQUESTS = 400;
/** So many of the requests that a tool serves may be refused; the gate is stated with this share. */
const FALSE_REFUSALS = 0.035;

/**
 * Refits the sizes of the set distribution and the gate of refusals from 20 labelled requests on, without training any weights. Of more than 400 whose right
 * tools are among the candidates, the sizes are fitted to 400 at equal distances, so that the time is bounded; the gate hears all. From some hundreds on a trained
 * model (`@setwise/set-scorer`) learns more from them.
 *
 * @throws SetwiseError `invalid-argument` for fewer than 20 requests with a right tool among the candidates, and for requests and constants that are none.
 */
export function calibrate(log: readonly CalibrationRequest[], options: CalibrateOptions): Calibration {
  checkCalibration(log, options);
  const { prior, gate } = options;
  const sized = log.flatMap(({ scores, right, requests = 1, wordEvidence }): SizedRequest[] =>
    right.length > 0 && right.length <= prior.sizeOffsets.length ? [{ scores, right, requests, wordEvidence }] : [],
  );
  if (sized.length < FEWEST_REQUESTS) {
    throw new SetwiseError(
      "invalid-argument",
      `Sizes are refitted from at least ${FEWEST_REQUESTS} requests whose right tools are among the candidates, but of ${log.length} there are ${sized.length}; collect more.`,
    );
  }
  const chosen = evenly(sized);
  const refitted = refitPrior(prior, chosen);
  const moved = gate === undefined ? undefined : moveGate(gate, log);
  return {
    prior: refitted,
    gate: moved?.gate,
    used: chosen.length,
    changes: [describeSizes(prior, refitted, chosen, sized.length), ...(moved === undefined ? [] : [moved.change])],
  };
}

/** At most {@link MOST_REQUESTS}, at equal distances. */
function evenly(requests: readonly SizedRequest[]): readonly SizedRequest[] {
  if (requests.length <= MOST_REQUESTS) return requests;
  const distance = requests.length / MOST_REQUESTS;
  return Array.from({ length: MOST_REQUESTS }, (_, place) => requests[Math.floor(place * distance)]!);
}

/** Sizes of the likeliest sets before and after, beside those of the log. */
function describeSizes(before: SetPrior, after: SetPrior, log: readonly SizedRequest[], of: number): string {
  const sizesBy = (prior: SetPrior): number[] =>
    log.map(({ scores, requests, wordEvidence }) =>
      likeliestSize(priorLogits(prior, scores, wordEvidence), priorSizeOffsets(prior, requests)),
    );
  const mean = (sizes: readonly number[]): string =>
    (sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toFixed(1);
  const right = log.map((request) => request.right.length);
  const from = log.length < of ? `, chosen evenly from ${of},` : "";
  return `The likeliest sets of ${log.length} requests${from} have ${mean(sizesBy(after))} tools on average (before: ${mean(sizesBy(before))}); the right ones among the candidates are ${mean(right)}.`;
}

/** Opens the gate so far that no more of the requests that a tool serves are refused than the stated share; it is never closed further. */
function moveGate(gate: RefusalGate, log: readonly CalibrationRequest[]): { gate: RefusalGate; change: string } {
  const threshold = Math.log(REFUSE_BELOW / (1 - REFUSE_BELOW));
  const logits = (fits: boolean): number[] =>
    log
      .flatMap(({ margin, rightTools }) =>
        margin === undefined || rightTools > 0 !== fits ? [] : [fitLogit(gate, margin)],
      )
      .toSorted((a, b) => a - b);
  const [served, unserved] = [logits(true), logits(false)];
  const first = served[Math.floor(FALSE_REFUSALS * served.length)] ?? threshold;
  // A hair more, so that rounding does not leave the request on the wrong side.
  const shift = first < threshold ? threshold - first + 1e-9 : 0;
  const refused = (values: readonly number[], by: number): number => values.filter((z) => z + by < threshold).length;
  const change =
    `Of ${served.length} requests that a tool serves ${refused(served, shift)} are refused by meaning (before: ${refused(served, 0)}), ` +
    `of ${unserved.length} that none serves ${refused(unserved, shift)} (before: ${refused(unserved, 0)}).`;
  return { gate: { ...gate, bias: gate.bias + shift }, change };
}
