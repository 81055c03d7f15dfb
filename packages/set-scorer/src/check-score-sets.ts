import { SetwiseError } from "@setwise/core";
import { checkObject } from "./check-object.ts";
import type { ScoreSetsOptions } from "./score-sets.ts";
import { maxSizeOf, type SetCandidates } from "./set-candidates.ts";

/** Sets hold at most this many tools: their number grows with n^M. */
const LARGEST_SET = 8;

/** Checks what {@link scoreSets} is given, once; what is about numbers alone the kernel checks. */
export function checkScoreSets(candidates: SetCandidates, options: ScoreSetsOptions): void {
  checkObject("candidates", "an object of ids and logits", candidates);
  checkObject("options", "an object", options);
  const { ids, logits, pairScores } = candidates;
  if (!(ids instanceof Uint32Array) || !(logits instanceof Float64Array) || ids.length !== logits.length) {
    throw refused("ids must be a Uint32Array and logits a Float64Array of the same length");
  }
  if (new Set(ids).size !== ids.length) throw refused("ids must be distinct, but one occurs twice");
  if (!logits.every(Number.isFinite)) throw refused("logits must be finite numbers, but one is not");
  const maxSize = maxSizeOf(candidates);
  if (!Number.isInteger(maxSize) || maxSize < 1 || maxSize > LARGEST_SET) {
    throw refused(
      `the largest set must be of 1 to ${LARGEST_SET} tools, but sizeOffsets and pairScores say ${maxSize}`,
    );
  }
  const pairs = (maxSize - 1) * ids.length ** 2;
  if (pairScores !== undefined && pairScores.length !== pairs) {
    throw refused(
      `pairScores must be (${maxSize} − 1) × ${ids.length} × ${ids.length} numbers, not ${pairScores.length}`,
    );
  }
  if (options.pool !== undefined && !(Number.isInteger(options.pool) && options.pool >= 0)) {
    throw refused(`pool must be a whole number of 0 or more, but is ${options.pool}`);
  }
  checkTokens(ids.length, options);
  checkConstraints(ids, options);
}

function checkTokens(count: number, { tokens, maxTokens }: ScoreSetsOptions): void {
  if (tokens !== undefined && !(tokens instanceof Uint32Array)) {
    throw refused("tokens must be a Uint32Array, whole numbers of 0 or more");
  }
  if (maxTokens !== undefined && tokens?.length !== count) {
    throw refused(
      `tokens must have ${count} entries where there is maxTokens, one a candidate, not ${tokens?.length ?? 0}`,
    );
  }
}

function checkConstraints(ids: Uint32Array, { require = new Uint32Array(0), exclude }: ScoreSetsOptions): void {
  const known = new Set(ids);
  const excluded = new Set(exclude);
  for (const tool of require) {
    if (excluded.has(tool)) {
      throw new SetwiseError(
        "impossible-constraints",
        `Tool ${tool} is both required and excluded; drop one of the two.`,
      );
    }
    if (!known.has(tool)) throw refused(`tool ${tool} is required but no candidate; add it to ids with its logit`);
  }
}

function refused(expectation: string): SetwiseError {
  return new SetwiseError("invalid-argument", `Of the candidates: ${expectation}.`);
}
