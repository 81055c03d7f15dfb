import { SetwiseError } from "@setwise/core";
import type { TrainingEpoch } from "@setwise/native";
import { matchEpochs, PATIENCE, SET_EPOCHS } from "./match-plan.ts";
import type { SplitBy } from "./split-log.ts";

/** A state to go on from; see `resume` of `trainSetModel`. */
export interface TrainingCheckpoint {
  readonly stage: "match" | "sets";
  /** Epochs of the stage that are done. */
  readonly epochs: number;
  readonly bestWorth: number;
  readonly waited: number;
  /** The trainer as it is, and after the best epoch of the match. */
  readonly current: Uint8Array;
  readonly best: Uint8Array;
}

/**
 * Checks what stands around the two states of the trainer; those the trainer checks.
 *
 * @throws SetwiseError `corrupt-file`
 */
export function checkResume(resume: TrainingCheckpoint, splitBy: SplitBy): void {
  const { stage, epochs, bestWorth, waited, current, best } = resume ?? {};
  const most = stage === "match" ? matchEpochs(splitBy) : SET_EPOCHS;
  if (!["match", "sets"].includes(stage)) throw corrupt("its stage is none");
  if (!isWhole(epochs, 1, most)) throw corrupt(`its epochs are not a whole number from 1 to ${most}`);
  if (!isWhole(waited, 0, Math.min(PATIENCE, epochs))) throw corrupt("it waited for no number of epochs");
  if (!(bestWorth >= 0 && bestWorth <= 1)) throw corrupt("its best worth is no share");
  if (!(current instanceof Uint8Array && best instanceof Uint8Array)) throw corrupt("it has no states of a trainer");
}

/** That the state of the trainer was as far as the checkpoint says: `epoch` is the one that it went on with. */
export function checkEpoch(epoch: number, expected: number): void {
  if (epoch !== expected) throw corrupt("its state is of another stage or epoch than it says");
}

/** That the trainer refuses a further epoch, as one does that has done all of them. */
export function checkNoneLeft(epoch: () => TrainingEpoch): void {
  let further: TrainingEpoch;
  try {
    further = epoch();
  } catch {
    return;
  }
  throw corrupt(`its state had the epoch ${further.epoch} of the sets before it`);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function corrupt(why: string): SetwiseError {
  return new SetwiseError("corrupt-file", `The checkpoint of a training is damaged: ${why}. Begin anew, without it.`);
}
