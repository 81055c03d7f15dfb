import { SetwiseError } from "@setwise/core";
import type { NamedMeasurement } from "./compare.ts";
import { objectOf } from "./logs/json-shape.ts";
import { readRecords } from "./logs/read-records.ts";
import { type QueryResult, rankingMetrics, setMetricsOf } from "./query-result.ts";

const KIND = "measurement";
const VERSION = 1;

/** The fields of each kind of metric, from an empty query, so that they stand in one place. */
const RANKING = Object.keys(rankingMetrics([], [])) as (keyof QueryResult["ranking"])[];
const SET = Object.keys(setMetricsOf([], [])) as (keyof QueryResult["set"])[];

/**
 * A measurement as the lines of a file, so that a later one can be compared with it: what was measured, then a line for each query, since
 * those of a large log are longer than one string may be. It holds ids of queries and numbers, no texts.
 */
export function* measurementLines({ name, measurement }: NamedMeasurement): Generator<string> {
  const { results, ...counts } = measurement;
  yield `${JSON.stringify({ setwise: KIND, version: VERSION, name, ...counts, results: results.length })}\n`;
  for (const result of results) yield `${JSON.stringify(result)}\n`;
}

/**
 * The measurement that a file of `measurementLines` holds.
 *
 * @throws SetwiseError `unreadable-source`, `corrupt-file` for anything else, `unsupported-version` for a later form.
 */
export async function readMeasurement(path: string): Promise<NamedMeasurement> {
  const refuse = (what: string): SetwiseError =>
    new SetwiseError(
      "corrupt-file",
      `${path} is no measurement: ${what}. Expected a file that was written from a measurement; measure again.`,
      { source: path },
    );
  let head: Head | undefined;
  const results: QueryResult[] = [];
  const onProblem = ({ line, sentence }: { readonly line: number; readonly sentence: string }): never => {
    throw refuse(`line ${line} cannot be read (${sentence.replace(/\.$/, "")})`);
  };
  for await (const { value } of readRecords(path, { onProblem })) {
    if (head === undefined) {
      head = headFrom(value, path, refuse);
      continue;
    }
    const result = resultFrom(value);
    if (result === undefined) throw refuse(`result ${results.length + 1} is not whole`);
    results.push(result);
  }
  if (head === undefined) throw refuse("it is empty");
  const { name, count, ...counts } = head;
  if (results.length !== count) throw refuse(`it has ${results.length} results where ${count} were written`);
  return { name, measurement: { results, ...counts } };
}

interface Head {
  readonly name: string;
  readonly tools: number;
  readonly unknownGold: number;
  readonly skipped: number;
  /** How many results follow. */
  readonly count: number;
}

function headFrom(given: unknown, path: string, refuse: (what: string) => SetwiseError): Head {
  const file = objectOf(given);
  if (file?.setwise !== KIND) throw refuse(`it does not say "setwise": "${KIND}"`);
  if (file.version !== VERSION) {
    throw new SetwiseError(
      "unsupported-version",
      `${path} is a measurement of version ${String(file.version)}; this release reads version ${VERSION}. Measure again, or update.`,
      { source: path },
    );
  }
  const { name, tools, unknownGold, skipped, results } = file;
  if (typeof name !== "string" || !isCount(tools) || !isCount(unknownGold) || !isCount(skipped) || !isCount(results))
    throw refuse("a name or a count is missing");
  return { name, tools, unknownGold, skipped, count: results };
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
