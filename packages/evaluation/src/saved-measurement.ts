import { SetwiseError } from "@setwise/core";
import type { NamedMeasurement } from "./compare.ts";
import { objectOf } from "./logs/json-shape.ts";
import { type QueryResult, rankingMetrics, setMetricsOf } from "./query-result.ts";

const KIND = "measurement";
const VERSION = 1;

/** The fields of each kind of metric, from an empty query, so that they stand in one place. */
const RANKING = Object.keys(rankingMetrics([], [])) as (keyof QueryResult["ranking"])[];
const SET = Object.keys(setMetricsOf([], [])) as (keyof QueryResult["set"])[];

/** A measurement as the text of a file, so that a later one can be compared with it. It holds ids of queries and numbers, no texts. */
export function measurementText({ name, measurement }: NamedMeasurement): string {
  return JSON.stringify({ setwise: KIND, version: VERSION, name, measurement });
}

/**
 * The measurement that `measurementText` wrote.
 *
 * @throws SetwiseError `corrupt-file` for anything else, `unsupported-version` for a later form.
 */
export function parseMeasurement(text: string, options: { readonly source?: string } = {}): NamedMeasurement {
  const { source } = options;
  const refuse = (what: string): SetwiseError =>
    new SetwiseError(
      "corrupt-file",
      `${source ?? "The text"} is no measurement: ${what}. Expected a file that was written from a measurement; measure again.`,
      source === undefined ? {} : { source },
    );
  const file = objectOf(parsed(text));
  if (file?.setwise !== KIND) throw refuse(`it does not say "setwise": "${KIND}"`);
  if (file.version !== VERSION) {
    throw new SetwiseError(
      "unsupported-version",
      `${source ?? "The text"} is a measurement of version ${String(file.version)}; this release reads version ${VERSION}. Measure again, or update.`,
      source === undefined ? {} : { source },
    );
  }
  const { tools, unknownGold, skipped, results } = objectOf(file.measurement) ?? {};
  if (typeof file.name !== "string" || !isCount(tools) || !isCount(unknownGold) || !isCount(skipped))
    throw refuse("a name or a count is missing");
  if (!Array.isArray(results)) throw refuse("it has no results");
  const checked = results.map((given: unknown, position) => {
    const result = resultFrom(given);
    if (result === undefined) throw refuse(`result ${position + 1} is not whole`);
    return result;
  });
  return { name: file.name, measurement: { results: checked, tools, unknownGold, skipped } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON has no NaN: what a query without right tools has for ranking metrics is written as `null`. */
function resultFrom(given: unknown): QueryResult | undefined {
  const { id, goldSize, size, latencyMs, ranking, set, tokens, beliefs, correctSelection } = objectOf(given) ?? {};
  const places = objectOf(ranking);
  const shares = objectOf(set);
  const use = objectOf(tokens);
  if (typeof id !== "string" || !isCount(goldSize) || !isCount(size) || !isNumber(latencyMs)) return undefined;
  if (places === undefined || shares === undefined || !isNumber(use?.before) || !isNumber(use.after)) return undefined;
  const whole =
    SET.every((metric) => isNumber(shares[metric])) &&
    RANKING.every((metric) => (goldSize === 0 ? places[metric] === null : isNumber(places[metric])));
  if (!whole || !(beliefs === undefined || areBeliefs(beliefs))) return undefined;
  if (!(correctSelection === undefined || isNumber(correctSelection))) return undefined;
  const restored = Object.fromEntries(RANKING.map((metric) => [metric, places[metric] ?? Number.NaN]));
  return { ...(given as QueryResult), ranking: restored as QueryResult["ranking"] };
}

function areBeliefs(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((belief: unknown) => {
      const { probability, holds } = objectOf(belief) ?? {};
      return isNumber(probability) && probability >= 0 && probability <= 1 && typeof holds === "boolean";
    })
  );
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
