import { pairedBootstrap } from "@setwise/evaluation";
import type { SplitResult } from "./quality.ts";
import { mean, meansOf, rankingColumns } from "./ranking-row.ts";

/** A split as the report calls it. */
export function splitName({ split }: Pick<SplitResult, "split">): string {
  return `${split.dataSet} ${split.split}`;
}

/** The result of one contender on one split. @throws Error if it was not measured. */
export function resultOf(all: readonly SplitResult[], contender: string, split: string): SplitResult {
  const found = all.find((result) => result.contender === contender && splitName(result) === split);
  if (found === undefined) throw new Error(`There is no result of ${contender} on ${split}.`);
  return found;
}

/** R@5, C@5, NDCG@10 and C@10 of one result, in per cent. */
export function meansOfSplit({ results }: SplitResult): readonly number[] {
  return meansOf(results.map(({ ranking }) => ranking));
}

/** The means over splits, each split counting the same. */
export function meansOverSplits(results: readonly SplitResult[]): readonly number[] {
  const rows = results.map(meansOfSplit);
  return rankingColumns.map((_, column) => mean(rows.map((row) => row[column] ?? Number.NaN)));
}

/**
 * The difference of the mean of the four measures, with its interval: `+1.2 (+0.3 to +2.0)`.
 *
 * @throws Error if the two were not measured on the same splits and queries.
 */
export function difference(all: readonly SplitResult[], left: string, right: string): string {
  const of = (contender: string): readonly SplitResult[] => all.filter((result) => result.contender === contender);
  if (of(left).length !== of(right).length) throw new Error(`${left} and ${right} were measured on different splits.`);
  const groups = of(left).map((result) => differencesOn(result, resultOf(all, right, splitName(result))));
  const { mean: middle, low, high } = pairedBootstrap(groups);
  return `${signed(middle)} (${signed(low)} to ${signed(high)})`;
}

/** Query by query, in per cent. */
function differencesOn(left: SplitResult, right: SplitResult): readonly number[] {
  const missing = `${left.contender} and ${right.contender} have different numbers of queries on ${splitName(left)}.`;
  if (left.results.length !== right.results.length) throw new Error(missing);
  return left.results.map(({ ranking }, query) => {
    const other = right.results[query];
    if (other === undefined) throw new Error(missing);
    return 100 * (mean(ranking) - mean(other.ranking));
  });
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
