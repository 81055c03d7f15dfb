import { MOST_DIMENSIONS } from "@setwise/core";
import { isFeatureName } from "./check-training-data.ts";
import type { RankingFigures, SetModel, SetModelFacts } from "./set-model.ts";

/** Shapes are bounded before anything is allocated by them. */
const LARGEST_SET = 8;

/** What stands in a model's file as JSON. */
export type Head = Omit<
  SetModel,
  "embeddings" | "projection" | "textProjection" | "interactions" | "coUse" | "knownSets" | "loggedQueries"
>;

/** Its keys, in the order in which they are written. */
export const headKeys = [
  "encoder",
  "queryDimensions",
  "toolDimensions",
  "maxSize",
  "tools",
  "features",
  "calibration",
  "facts",
  "pipeline",
] as const;

/** Whether everything is there, of its kind and finite; what a pipeline keeps beside it is its own to check. */
export function isHead(head: Partial<Head> | null): head is Head {
  if (typeof head !== "object" || head === null) return false;
  const { encoder, queryDimensions, toolDimensions, maxSize, tools, features, calibration, facts } = head;
  return (
    typeof encoder === "string" &&
    isWhole(queryDimensions, 1, MOST_DIMENSIONS) &&
    isWhole(toolDimensions, 0, MOST_DIMENSIONS) &&
    isWhole(maxSize, 1, LARGEST_SET) &&
    Array.isArray(tools) &&
    tools.every(
      (tool) => typeof tool?.id === "string" && typeof tool.hash === "string" && [undefined, true].includes(tool.isNew),
    ) &&
    new Set(tools.map(({ id }) => id)).size === tools.length &&
    Array.isArray(features) &&
    features.every((feature) => isFeatureName(feature?.name) && Number.isFinite(feature.weight)) &&
    new Set(features.map(({ name }) => name)).size === features.length &&
    isCalibration(calibration, maxSize as number) &&
    isFacts(facts)
  );
}

function isFacts(facts: Partial<SetModelFacts> | undefined): boolean {
  if (typeof facts !== "object" || facts === null) return false;
  const { catalogRevision, trainingDataHash, licence = "", queries, developmentQueries, seed, development } = facts;
  if (typeof development !== "object" || development === null) return false;
  const { untrained, model, calibrationError, measured } = development;
  return (
    [catalogRevision, trainingDataHash, licence].every((text) => typeof text === "string") &&
    [queries, developmentQueries, seed, calibrationError].every(Number.isFinite) &&
    [untrained, model].every(isFigures) &&
    [undefined, false].includes(measured)
  );
}

function isFigures(figures: Partial<RankingFigures> | undefined): boolean {
  if (typeof figures !== "object" || figures === null) return false;
  const { recall3, ndcg3, completeness3, recall5, completeness5, exact = 0 } = figures;
  return [recall3, ndcg3, completeness3, recall5, completeness5, exact].every(Number.isFinite);
}

function isCalibration(calibration: Partial<SetModel["calibration"]> | undefined, maxSize: number): boolean {
  if (typeof calibration !== "object" || calibration === null) return false;
  const { matchScale, pairScale, coUseScale, knownSetScale, sizeOffsets, requestSlopes, emptyScore = 0 } = calibration;
  const areNumbers = (values: unknown): boolean =>
    Array.isArray(values) && values.length === maxSize && values.every(Number.isFinite);
  return (
    (matchScale as number) > 0 &&
    (knownSetScale as number) >= 0 &&
    [matchScale, pairScale, coUseScale, knownSetScale, emptyScore].every(Number.isFinite) &&
    areNumbers(sizeOffsets) &&
    areNumbers(requestSlopes)
  );
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}
