import type { Calibration } from "@setwise/adaptive-k";
import { SetwiseError } from "@setwise/core";
import type { SetModel } from "@setwise/set-scorer";

/** Sizes that constants are there for, 1 to 5. */
const SIZES = 5;

/** The model with what the same log says of sizes and refusals; it stays with the model, in memory and in its file. */
export function withCalibration(model: SetModel, calibration: Calibration | undefined): SetModel {
  return calibration === undefined ? model : { ...model, pipeline: { calibration } };
}

/**
 * What {@link withCalibration} kept with a model, if anything. It holds for the model's encoder only, and no selector has a model of another one.
 *
 * @throws SetwiseError `corrupt-file` for numbers that no calibration has.
 */
export function calibrationOf({ pipeline }: SetModel): Calibration | undefined {
  if (pipeline === undefined) return undefined;
  const { calibration } = objectOf(pipeline);
  const { prior, gate, used, changes } = objectOf(calibration);
  const { score, gapToBest, evidence = 0, sizeOffsets, sizeSlopes } = objectOf(prior);
  const { margin, bias, bestCosine } = objectOf(gate);
  // A gate of two cosines, as models had it before: its sizes hold, and requests are refused as without a log.
  const isFormer = margin === undefined && Number.isFinite(bestCosine);
  const ofGate = gate === undefined || isFormer ? [] : [margin, bias];
  const numbers = [score, gapToBest, evidence, used, ...fiveOf(sizeOffsets), ...fiveOf(sizeSlopes), ...ofGate];
  if (numbers.every(Number.isFinite) && Array.isArray(changes)) {
    const found = calibration as Calibration;
    return isFormer ? { ...found, gate: undefined } : found;
  }
  throw new SetwiseError(
    "corrupt-file",
    "The set model holds sizes and refusals that are no numbers; train the model again, or take a copy of it.",
  );
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function fiveOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length === SIZES ? value : [undefined];
}
