import { SetwiseError } from "@setwise/core";
import { likeliestSize } from "./goal.ts";
import { REFUSE_BELOW } from "./choose-k.ts";
import { fitLogit, type RefusalGate } from "./nothing-fits.ts";
import { priorLogits, priorSizeOffsets, type SetPrior } from "./set-prior.ts";
import { refitPrior, type SizedRequest } from "./refit-prior.ts";

/** One request of a log with its candidates. */
export interface CalibrationRequest {
  /** Scores of the candidates, best first, as `chooseK` takes them. */
  readonly scores: Float32Array;
  /** Positions of the right tools in `scores`; empty where none was found, or none fits. */
  readonly right: readonly number[];
  /** How many tools are right, found or not; 0 says that none fits. */
  readonly rightTools: number;
  /** How many requests the query makes, 1 by default. */
  readonly requests?: number;
  /** Cosines of the best tool and of foreign tools, where the gate is to be refitted. */
  readonly meaning?: { readonly bestCosine: number; readonly foreignCosine: number };
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
  /** How many requests the sizes were fitted to. */
  readonly used: number;
  /** What changed, a sentence each. */
  readonly changes: readonly string[];
}

/** Fewer say too little: by chance alone half of them may be of one size. */
export const FEWEST_REQUESTS = 20;
/** So many of the requests that a tool serves may be refused; the gate is stated with this share. */
const FALSE_REFUSALS = 0.035;

/**
 * Refits the sizes of the set distribution and the gate of refusals from 20 to a few hundred labelled requests, without training any weights.
 * More requests do no harm, but from some hundreds on a trained model (`@setwise/set-scorer`) learns more from them.
 *
 * @throws SetwiseError `invalid-argument` for fewer than 20 requests with a right tool among the candidates.
 */
export function calibrate(log: readonly CalibrationRequest[], { prior, gate }: CalibrateOptions): Calibration {
  for (const [position, request] of log.entries()) checkRequest(request, position);
  const sized = log.flatMap(({ scores, right, requests = 1 }): SizedRequest[] =>
    right.length > 0 && right.length <= prior.sizeOffsets.length ? [{ scores, right, requests }] : [],
  );
  if (sized.length < FEWEST_REQUESTS) {
    throw new SetwiseError(
      "invalid-argument",
      `Sizes are refitted from at least ${FEWEST_REQUESTS} requests whose right tools are among the candidates, but of ${log.length} there are ${sized.length}; collect more.`,
    );
  }
  const refitted = refitPrior(prior, sized);
  const moved = gate === undefined ? undefined : moveGate(gate, log);
  return {
    prior: refitted,
    gate: moved?.gate,
    used: sized.length,
    changes: [describeSizes(prior, refitted, sized), ...(moved === undefined ? [] : [moved.change])],
  };
}

function checkRequest({ scores, right, rightTools }: CalibrationRequest, position: number): void {
  const isPlace = (place: number): boolean => Number.isInteger(place) && place >= 0 && place < scores.length;
  if (scores.every(Number.isFinite) && right.every(isPlace) && right.length <= rightTools) return;
  throw new SetwiseError(
    "invalid-argument",
    `Request ${position} must have finite scores, right positions among its ${scores.length} candidates, and at least as many right tools.`,
    { position },
  );
}

/** Sizes of the likeliest sets before and after, beside those of the log. */
function describeSizes(before: SetPrior, after: SetPrior, log: readonly SizedRequest[]): string {
  const sizesBy = (prior: SetPrior): number[] =>
    log.map(({ scores, requests }) => likeliestSize(priorLogits(prior, scores), priorSizeOffsets(prior, requests)));
  const mean = (sizes: readonly number[]): string =>
    (sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toFixed(1);
  const right = log.map((request) => request.right.length);
  return `The likeliest sets of ${log.length} requests have ${mean(sizesBy(after))} tools on average (before: ${mean(sizesBy(before))}); the right ones among the candidates are ${mean(right)}.`;
}

/** Opens the gate so far that no more of the requests that a tool serves are refused than the stated share; it is never closed further. */
function moveGate(gate: RefusalGate, log: readonly CalibrationRequest[]): { gate: RefusalGate; change: string } {
  const threshold = Math.log(REFUSE_BELOW / (1 - REFUSE_BELOW));
  const logits = (fits: boolean): number[] =>
    log
      .flatMap(({ meaning, rightTools }) =>
        meaning === undefined || rightTools > 0 !== fits
          ? []
          : [fitLogit(gate, meaning.bestCosine, meaning.foreignCosine)],
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
