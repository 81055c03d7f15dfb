import { SetwiseError } from "@setwise/core";
import type { TrainSetModelOptions } from "./train-set-model.ts";
import { checkResume } from "./training-checkpoint.ts";

/** What the trainer takes. */
const LARGEST_SEED = 2 ** 32 - 1;
const MOST_THREADS = 64;

/**
 * Checks all options but the model to go on from, before any work and however small the log.
 *
 * @throws SetwiseError `invalid-argument`; `corrupt-file` for a checkpoint that is none.
 */
export function checkTrainingOptions(options: TrainSetModelOptions): void {
  if (typeof options !== "object" || options === null) throw refused("options", "an object", options);
  const { seed = 0, threads = 1, toolDimensions = 1, anchor = 0, splitBy = "queries", signal } = options;
  if (!isWhole(seed, 0, LARGEST_SEED)) throw refused("seed", `a whole number from 0 to ${LARGEST_SEED}`, seed);
  if (!isWhole(threads, 1, MOST_THREADS)) throw refused("threads", `a whole number from 1 to ${MOST_THREADS}`, threads);
  if (!isWhole(toolDimensions, 1, Number.MAX_SAFE_INTEGER)) {
    throw refused("toolDimensions", "a whole number of 1 or more", toolDimensions);
  }
  if (!Number.isFinite(anchor) || anchor < 0) throw refused("anchor", "a number of 0 or more", anchor);
  if (!["queries", "sets"].includes(splitBy)) throw refused("splitBy", '"queries" or "sets"', splitBy);
  if (signal !== undefined && typeof signal?.aborted !== "boolean") throw refused("signal", "an AbortSignal", signal);
  for (const name of ["onProgress", "onCheckpoint"] as const) {
    const call: unknown = options[name];
    if (call !== undefined && typeof call !== "function") throw refused(name, "a function", call);
  }
  if (options.resume !== undefined) checkResume(options.resume, splitBy);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

function refused(name: string, expected: string, given: unknown): SetwiseError {
  const got = typeof given === "object" ? (given === null ? "null" : "an object") : String(given).slice(0, 80);
  return new SetwiseError("invalid-argument", `Expected ${name} to be ${expected}, but got ${got}.`);
}
