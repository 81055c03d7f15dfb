import { SetwiseError } from "@setwise/core";
import type { CleanQuery } from "./clean-log.ts";
import type { TrainingData, TrainingFeature } from "./training-data.ts";

/**
 * Checks everything that training is given, once, however small the log, and gives d.
 *
 * @throws SetwiseError `invalid-argument` for rows and columns that do not fit together, tools that the catalog lacks, and numbers that are NaN or infinite.
 */
export function checkTrainingData(data: TrainingData): number {
  if (typeof data !== "object" || data === null) throw refused("an object of catalog, vectors, queries and features");
  const { catalog, encoder, toolVectors, queries, queryVectors, features, requests } = data;
  if (typeof encoder !== "string") throw refused("the encoder's name");
  if (!Array.isArray(catalog?.tools) || !Array.isArray(queries) || !Array.isArray(features)) {
    throw refused("a catalog, a list of queries and a list of features");
  }
  if (![toolVectors, queryVectors].every((vectors) => vectors instanceof Float32Array)) {
    throw refused("toolVectors and queryVectors as Float32Array");
  }
  const dimensions = checkShape(data);
  if (!areFinite(toolVectors) || !areFinite(queryVectors)) throw refused("vectors of finite numbers");
  if (requests !== undefined && !(requests instanceof Uint32Array)) throw refused("requests as a Uint32Array");
  for (const [place, query] of queries.entries()) checkQuery(query, place, catalog.tools.length);
  if (new Set(features.map((feature) => feature?.name)).size !== features.length) {
    throw refused("features of different names");
  }
  for (const feature of features) checkFeature(feature, queries.length, catalog.tools.length);
  return dimensions;
}

/** Whether a feature can have that name: what every object has is none. */
export function isFeatureName(name: unknown): boolean {
  return typeof name === "string" && !(name in Object.prototype);
}

/** A loop of its own: a call a number would take longer than to read a file of them. */
export function areFinite(values: Float32Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

function checkShape({ catalog, toolVectors, queries, queryVectors, features, requests }: TrainingData): number {
  const dimensions = toolVectors.length / catalog.tools.length;
  const fits =
    Number.isInteger(dimensions) &&
    dimensions > 0 &&
    queryVectors.length === queries.length * dimensions &&
    features.length > 0 &&
    (requests === undefined || requests.length === queries.length);
  if (fits) return dimensions;
  throw new SetwiseError(
    "invalid-argument",
    `Expected vectors of one length for ${catalog.tools.length} tools and ${queries.length} queries, and one feature or more with a list a query, but got ${toolVectors.length} and ${queryVectors.length} numbers and ${features.length} features.`,
  );
}

function checkQuery(query: CleanQuery, place: number, count: number): void {
  const { text, tools, weight } = query ?? {};
  const fits =
    typeof text === "string" &&
    tools instanceof Uint32Array &&
    tools.every((tool, at) => tool < count && (at === 0 || tool > tools[at - 1]!)) &&
    Number.isFinite(weight) &&
    weight >= 0;
  if (fits) return;
  throw refused(
    `of query ${place} a text, tools as a Uint32Array of ascending ordinals below ${count}, and a weight of 0 or more; cleanLog makes them`,
  );
}

function checkFeature(feature: TrainingFeature, queries: number, count: number): void {
  const { name, offsets, tools, values, weight = 0 } = feature ?? {};
  if (!isFeatureName(name)) throw refused("of each feature a name, and none that every object has");
  const areColumns = offsets instanceof Uint32Array && tools instanceof Uint32Array && values instanceof Float32Array;
  const fits =
    areColumns &&
    offsets.length === queries + 1 &&
    tools.length === values.length &&
    offsets[0] === 0 &&
    offsets[queries] === tools.length &&
    offsets.every((offset, at) => at === 0 || offset >= offsets[at - 1]!) &&
    tools.every((tool) => tool < count) &&
    areFinite(values) &&
    Number.isFinite(weight);
  if (fits) return;
  throw refused(
    `of the feature "${name.slice(0, 80)}" offsets (${queries + 1}, ascending from 0), tools (ordinals below ${count}) and as many finite values`,
  );
}

function refused(expected: string): SetwiseError {
  return new SetwiseError("invalid-argument", `Of the data to train from was expected ${expected}, but it is not so.`);
}
