import { type Background, type Calibration, type ForeignEvidence, openBackground } from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";

/** By encoder: foreign tools are read once in a process. */
const opened = new Map<string, Promise<Background | undefined>>();

/** How near foreign tools are to a query; `undefined` for an encoder that they were not encoded by. */
export async function foreignEvidence(
  { name }: Encoder,
  vectors: Float32Array,
  calibration: Calibration | undefined,
): Promise<ForeignEvidence | undefined> {
  let opening = opened.get(name);
  if (opening === undefined) {
    opening = openBackground(name);
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
  }
  const background = await opening;
  if (background === undefined) return undefined;
  return { cosine: background.foreignCosine(vectors), gate: calibration?.gate ?? background.gate };
}
