import { type Background, type Calibration, type ForeignEvidence, openBackground } from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";
import { type Retrieval, type ToolIndex, toolNearness } from "@setwise/retriever";

/** By encoder: foreign tools are read once in a process. */
const opened = new Map<string, Promise<Background | undefined>>();

/** What is known of a query. */
interface Asked {
  readonly vectors: Float32Array;
  readonly retrieval: Retrieval;
}

/** How much nearer a query is to the tools of the index than to foreign ones; `undefined` for an encoder that those were not encoded by. */
export async function foreignEvidence(
  { embeddings }: ToolIndex,
  { name }: Encoder,
  { vectors, retrieval: { bestCosine = 0 } }: Asked,
  calibration?: Calibration,
): Promise<ForeignEvidence | undefined> {
  let opening = opened.get(name);
  if (opening === undefined) {
    opening = openBackground(name);
    opened.set(name, opening);
    opening.catch(() => opened.delete(name));
  }
  const background = await opening;
  if (background === undefined || embeddings === undefined) return undefined;
  const margin = background.margin(vectors, bestCosine, toolNearness(embeddings));
  return { margin, gate: calibration?.gate ?? background.gate };
}
