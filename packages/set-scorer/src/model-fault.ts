import { areFinite } from "./check-training-data.ts";
import { SetwiseError } from "@setwise/core";
import { isHead } from "./set-model-head.ts";
import type { SetModel } from "./set-model.ts";

/** Larger sets are not enumerated. */
const LARGEST_SET = 8;
/** ln(1 + n) of more than can be logged, and what co-use can be at most. */
const LARGEST_VALUE = 32;
/** What a known set gains at most: its exponential is still a number. */
const LARGEST_GAIN = 500;

/** What is wrong with the arrays of a model whose head is sound; `undefined` where nothing is. */
export function modelFault(model: SetModel): string | undefined {
  if (!fitsShapes(model)) return "arrays that do not fit its shape";
  const { embeddings, projection, textProjection, interactions, loggedQueries } = model;
  if (![embeddings, projection, textProjection, interactions, loggedQueries].every(areFinite)) {
    return "numbers that are NaN or infinite";
  }
  if (!hasSoundCoUse(model)) return "pairs of tools that no log has";
  if (!hasSoundKnownSets(model)) return "known sets that no log has";
  return undefined;
}

/**
 * That a model is one that can be kept.
 *
 * @throws SetwiseError `invalid-argument`
 */
export function checkSetModel(model: SetModel): void {
  const fault = isHead(model) ? modelFault(model) : "a description that no model has";
  if (fault === undefined) return;
  throw new SetwiseError("invalid-argument", `Expected a set model, but it has ${fault}. Train it again, or read it.`);
}

function fitsShapes(model: SetModel): boolean {
  const { queryDimensions: from, toolDimensions: to, maxSize, tools, coUse, knownSets } = model;
  const { embeddings, projection, textProjection, interactions, loggedQueries } = model;
  const floats = [
    embeddings,
    projection,
    textProjection,
    interactions,
    loggedQueries,
    coUse?.values,
    knownSets?.values,
  ];
  const wholes = [coUse?.pairs, knownSets?.offsets, knownSets?.members];
  return (
    floats.every((values) => values instanceof Float32Array) &&
    wholes.every((values) => values instanceof Uint32Array) &&
    embeddings.length === tools.length * to &&
    projection.length === from * to &&
    textProjection.length === from * to &&
    [0, (maxSize - 1) * to * to].includes(interactions.length) &&
    loggedQueries.length % from === 0 &&
    coUse.pairs.length === 2 * coUse.values.length &&
    knownSets.offsets.length === knownSets.values.length + 1
  );
}

/** Pairs a < b, each once. */
function hasSoundCoUse({ tools, coUse: { pairs, values } }: SetModel): boolean {
  const seen = new Set<number>();
  for (let i = 0; i < values.length; i++) {
    const [one, other] = [pairs[2 * i]!, pairs[2 * i + 1]!];
    if (!(one < other && other < tools.length && isValue(values[i]!))) return false;
    seen.add(one * tools.length + other);
  }
  return seen.size === values.length;
}

/** Sets of two tools to eight, tools ascending, each once. */
function hasSoundKnownSets({ tools, knownSets, calibration }: SetModel): boolean {
  const { offsets, members, values } = knownSets;
  if (offsets[0] !== 0 || offsets.at(-1) !== members.length) return false;
  const seen = new Set<string>();
  for (let set = 0; set < values.length; set++) {
    const size = offsets[set + 1]! - offsets[set]!;
    const value = values[set]!;
    if (!(size >= 2 && size <= LARGEST_SET)) return false;
    if (!(isValue(value) && calibration.knownSetScale * value <= LARGEST_GAIN)) return false;
    const own = members.subarray(offsets[set], offsets[set + 1]);
    if (!own.every((tool, at) => tool < tools.length && (at === 0 || tool > own[at - 1]!))) return false;
    seen.add(own.join());
  }
  return seen.size === values.length;
}

function isValue(value: number): boolean {
  return value >= 0 && value <= LARGEST_VALUE;
}
