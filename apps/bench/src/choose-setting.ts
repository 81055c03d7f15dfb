import { type Difference, pairedBootstrap } from "@setwise/evaluation";
import { type MeasuredSet, valuesOf } from "./measured-settings.ts";
import { mean } from "./ranking-row.ts";

/*
 * Choosing one of many measured settings. A column of `measured` is a data set at one level of encoder; all count alike.
 */

/** No data set may lose more than this, in per cent: what helps one kind of query at another's cost does not generalise. */
const LARGEST_LOSS = 0.1;

/** How a setting is chosen: by the mean alone, or so that no data set pays for it. */
export type Rule = "mean" | "without-loss";

/**
 * The setting with the best mean over data sets; by the rule `without-loss` of those by which none loses more than 0.1 to the
 * `present` one. The first of equals.
 */
export function chooseSetting(measured: readonly MeasuredSet[], present: number, rule: Rule): number {
  const settings = (measured[0]?.values.length ?? 0) / (measured[0]?.queries ?? 1);
  const worth = measured.map((set) => meansOfSettings(set, settings));
  let chosen = present;
  let most = meanAt(worth, present);
  for (let at = 0; at < settings; at++) {
    const value = meanAt(worth, at);
    if (value <= most) continue;
    const pays = (means: Float64Array): boolean => (means[at] ?? 0) < (means[present] ?? 0) - LARGEST_LOSS;
    if (rule === "without-loss" && worth.some(pays)) continue;
    most = value;
    chosen = at;
  }
  return chosen;
}

/** What is chosen without each data set, and what it gains on that one, at every level it was measured at. */
export function leaveOneOut(
  measured: readonly MeasuredSet[],
  present: number,
  rule: Rule,
): readonly { readonly name: string; readonly chosen: number; readonly gain: number }[] {
  return [...new Set(measured.map(({ name }) => name))].map((name) => {
    const chosen = chooseSetting(
      measured.filter((set) => set.name !== name),
      present,
      rule,
    );
    const own = measured.filter((set) => set.name === name);
    return { name, chosen, gain: mean(own.map((set) => mean(differences(set, chosen, present)))) };
  });
}

/** What one setting is worth more than another, over data sets that count alike, with its 95 % interval. */
export function compareSettings(measured: readonly MeasuredSet[], left: number, right: number): Difference {
  return pairedBootstrap(measured.map((set) => differences(set, left, right)));
}

/** Query by query, in per cent. */
export function differences(set: MeasuredSet, left: number, right: number): number[] {
  const before = valuesOf(set, right);
  return Array.from(valuesOf(set, left), (value, query) => value - (before[query] ?? 0));
}

function meansOfSettings(set: MeasuredSet, settings: number): Float64Array {
  return Float64Array.from({ length: settings }, (_, at) => valuesOf(set, at).reduce((a, b) => a + b, 0) / set.queries);
}

function meanAt(worth: readonly Float64Array[], at: number): number {
  return mean(worth.map((means) => means[at] ?? 0));
}
