import { calibrate, type Calibration, type CalibrationRequest, FEWEST_REQUESTS, priorFor } from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";
import type { Retrieval, ToolIndex } from "@setwise/retriever";
import { foreignEvidence } from "./foreign-evidence.ts";

/** One request of a log as the pipeline sees it: what was found, and the ordinals of the right tools. */
export interface FoundRequest {
  readonly retrieval: Retrieval;
  readonly vectors: Float32Array;
  readonly tools: Uint32Array;
}

/** Sizes and refusals as a log has them; `undefined` where the log says too little. */
export async function calibrateFromLog(
  index: ToolIndex,
  encoder: Encoder,
  found: readonly FoundRequest[],
): Promise<Calibration | undefined> {
  const log: CalibrationRequest[] = [];
  let gate: Calibration["gate"];
  for (const { retrieval, vectors, tools } of found) {
    const foreign = await foreignEvidence(index, encoder, { vectors, retrieval });
    gate = foreign?.gate;
    const { ids, scores, requests, wordEvidence } = retrieval;
    log.push({
      scores,
      right: [...tools].map((tool) => ids.indexOf(tool)).filter((position) => position >= 0),
      rightTools: tools.length,
      requests,
      wordEvidence,
      ...(foreign === undefined ? {} : { margin: foreign.margin }),
    });
  }
  const usable = log.filter(({ right }) => right.length > 0 && right.length <= 5);
  return usable.length < FEWEST_REQUESTS ? undefined : calibrate(log, { prior: priorFor(encoder.name), gate });
}
