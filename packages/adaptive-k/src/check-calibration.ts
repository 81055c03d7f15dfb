import { SetwiseError } from "@setwise/core";
import type { CalibrateOptions, CalibrationRequest } from "./calibrate.ts";
import { isPrior } from "./set-prior.ts";

/** Checks the arguments of `calibrate`. @throws SetwiseError `invalid-argument`. */
export function checkCalibration(log: readonly CalibrationRequest[], options: CalibrateOptions): void {
  if (!Array.isArray(log))
    throw new SetwiseError("invalid-argument", "The log must be a list of requests, but it is none.");
  const { prior, gate } = (options ?? {}) as Partial<CalibrateOptions>;
  if (!isPrior(prior) || (gate !== undefined && !isGate(gate))) {
    throw new SetwiseError(
      "invalid-argument",
      "prior, and gate where it is given, must have all their constants, as finite numbers; take priorFor(encoder.name) and the gate of openBackground.",
    );
  }
  for (const [position, request] of log.entries()) {
    if (isRequest(request)) continue;
    throw new SetwiseError(
      "invalid-argument",
      `Request ${position} must have finite scores as a Float32Array, best first, right positions among them, each once, at least as many right tools, a whole number of requests, evidence of at least 0, and a finite margin where it has one.`,
      { position },
    );
  }
}

function isGate(gate: Partial<NonNullable<CalibrateOptions["gate"]>> | null): boolean {
  const { margin, bias } = gate ?? {};
  return [margin, bias].every(Number.isFinite);
}

function isRequest(request: Partial<CalibrationRequest> | null): boolean {
  const { scores, right, rightTools, requests = 1, wordEvidence = 0, margin = 0 } = request ?? {};
  if (!(scores instanceof Float32Array) || !Array.isArray(right)) return false;
  const isPlace = (place: unknown): boolean => isCount(place) && place < scores.length;
  return (
    scores.every((score, i) => Number.isFinite(score) && (i === 0 || score <= scores[i - 1]!)) &&
    right.every(isPlace) &&
    new Set(right).size === right.length &&
    isCount(rightTools) &&
    right.length <= rightTools &&
    isCount(requests) &&
    wordEvidence >= 0 &&
    Number.isFinite(margin)
  );
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
