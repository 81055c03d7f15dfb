import {
  balancedSize,
  likeliestSize,
  priorLogits,
  priorSizeOffsets,
  setDistribution,
  type SetPrior,
} from "@setwise/adaptive-k";
import { pairedBootstrap, setMetrics } from "@setwise/evaluation";
import { mean } from "./ranking-row.ts";
import type { Weighed } from "./train-rows.ts";

/** The first candidates of a query, best first. */
export interface LabelledScores {
  readonly scores: Float32Array;
  readonly requests: number;
  readonly wordEvidence: number;
  /** Positions of the right tools in `scores`. */
  readonly right: readonly number[];
}

/** F1 of the balanced set, or exact match of the likeliest. */
export type SetMetric = "f1" | "exactMatch";

type SizeFor = (logits: Float64Array, offsets: Float64Array) => number;
const sizeFor: Readonly<Record<SetMetric, SizeFor>> = {
  f1: (logits, offsets) => balancedSize(setDistribution(logits, offsets)),
  exactMatch: likeliestSize,
};

/** How good the sets are that the prior chooses, against the right tools in sight. */
export function quality(prior: SetPrior, rows: readonly Weighed<LabelledScores>[]): string {
  const of = (metric: SetMetric, size: SizeFor = sizeFor[metric]): string =>
    mean(groupsOf(rows).map((group) => mean(group.map((row) => worth(prior, row, metric, size))))).toFixed(1);
  return `balanced F1 ${of("f1")}, exact match of the likeliest ${of("exactMatch")}, of two tools F1 ${of("f1", () => 2)}`;
}

/** What the sets of one choice of priors are worth more than those of another, with the 95 % interval of the paired bootstrap. */
export function difference(
  sets: readonly (readonly Weighed<LabelledScores>[])[],
  metric: SetMetric,
  left: (set: number) => SetPrior,
  right: (set: number) => SetPrior,
): string {
  const groups = sets.flatMap((rows, set) =>
    groupsOf(rows).map((group) =>
      group.map(
        (row) => worth(left(set), row, metric, sizeFor[metric]) - worth(right(set), row, metric, sizeFor[metric]),
      ),
    ),
  );
  const { mean: middle, low, high } = pairedBootstrap(groups);
  return `${middle.toFixed(2)} (95 %: ${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** Rows of the same weight are of one group, whole catalogs or small ones; groups count alike (two of one size are one, which is the same). */
function groupsOf<Row extends { readonly weight: number }>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.weight);
    if (group === undefined) groups.set(row.weight, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** In per cent. */
function worth(
  prior: SetPrior,
  { scores, requests, wordEvidence, right }: LabelledScores,
  metric: SetMetric,
  size: SizeFor,
): number {
  const count = size(priorLogits(prior, scores, wordEvidence), priorSizeOffsets(prior, requests));
  const chosen = Array.from({ length: count }, (_, position) => String(position));
  return 100 * setMetrics(chosen, right.map(String))[metric];
}
