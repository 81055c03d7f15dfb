import { calibrationOf } from "@setwise/evaluation";
import { rankTools, type RankingRule, scoreEvidence, type SetCalibration, type SetModel } from "@setwise/set-scorer";
import { beliefsOf } from "../set-model-measure.ts";
import type { SetModelTrial } from "../set-model-trials.ts";
import { type CompareOptions, compareTrials, type WayResult } from "./compare-trials.ts";
import { bestOn, type LabelledPool, meanColumns, rivalFigures } from "./rival.ts";
import { answerBy, calibrationOn } from "./set-function.ts";
import { withFittedOffsets } from "./size-offsets.ts";
import { contender, poolsOf, type TrainedTrial, trainTrial, WHOLE } from "./train-trial.ts";

const allTerms = { interactions: false, coUse: true, knownSets: true };
/** Prices that a tool may have where there are no size offsets. */
const PRICES = Array.from({ length: 33 }, (_, at) => at / 4 - 1);
/** Development queries that a price is chosen on. */
const PRICED = 300;
const LEAST_PROBABILITY = 0.01;

/** What each ingredient of the set model is worth: all of them, and then all but one. */
export function setAblation(
  folder: string,
  print: (line: string) => void,
  options: CompareOptions = {},
): Promise<void> {
  const about = [
    "*All ingredients* has the match, co-use and known sets, whether or not the log speaks for them; each line below lacks one, with everything else fitted anew. *Kept* is what the",
    "software chose. ECE is that of P(t ∈ E).",
  ];
  const title = "What each ingredient of the set model is worth";
  return compareTrials({ command: "set-ablation", title, about, measure: measureAblation }, folder, print, options);
}

/** Pools to fit on and to measure. */
type Pools = ReturnType<typeof poolsOf>;

/** Trains by one seed, with and without what training needs, and measures every ablation on the test queries. */
export async function measureAblation(trial: SetModelTrial, seed: number): Promise<WayResult[]> {
  const trained = await trainTrial(trial, { seed });
  const whole = contender(trained, WHOLE);
  const pools = poolsOf(trained, whole);
  const calibration = whole.calibration;
  const fitted = (name: string, terms: typeof allTerms, given: Pools = pools): WayResult =>
    wayOf(name, given.test, calibrationOn(given.development, terms));
  const ranked = (rule: RankingRule): WayResult =>
    wayOf(`ranked by ${rule} in place of coverage`, pools.test, calibration, rule);
  const measured = (name: string, model: SetModel, of: TrainedTrial = trained): WayResult =>
    wayOf(name, poolsOf(of, model).test, model.calibration);
  const results = [
    measured("untrained, probabilities calibrated", contender(trained, "untrained")),
    measured("kept", trained.model),
    wayOf("all ingredients", pools.test, calibration),
    fitted("without co-use", { ...allTerms, coUse: false }),
    fitted("without known sets", { ...allTerms, knownSets: false }),
    fitted("without co-use and known sets", { ...allTerms, coUse: false, knownSets: false }),
    measured("with interactions M as well", contender(trained, "match with interactions")),
    priced("one price a tool in place of size offsets", pools, calibration),
    fitted("without the number of requests", allTerms, withoutRequests(pools)),
    wayOf(
      "without the scale of probabilities",
      pools.test,
      withFittedOffsets(pools.development, unscaled(calibration)),
    ),
    ...(["inclusion", "match", "best-set-first", "marginal-gain"] as const).map(ranked),
    fitted("without a trained match", allTerms, poolsOf(trained, frozen(trained, whole))),
  ];
  const loose = await trainTrial(trial, { seed, anchor: 0 });
  results.push(measured("without the anchor", contender(loose, WHOLE), loose));
  const blind = await trainTrial(trial, { seed, hasFeatures: false });
  results.push(measured("without words and hybrid score", contender(blind, WHOLE), blind));
  return results;
}

function wayOf(
  name: string,
  test: readonly LabelledPool[],
  calibration: SetCalibration,
  rule: RankingRule = "coverage",
): WayResult {
  const scores = test.map(({ pool, gold }) => ({ scored: scoreEvidence(pool.evidence, calibration), gold }));
  const rows = scores.map(({ scored, gold }) =>
    rivalFigures({ ranking: rankTools(scored, rule).ids, set: scored.best[0]?.ids ?? new Uint32Array(0) }, gold),
  );
  const beliefs = scores.flatMap(({ scored, gold }) => beliefsOf(scored, gold));
  const { ece } = calibrationOf(beliefs, { leastProbability: LEAST_PROBABILITY });
  return { name, figures: meanColumns(rows), ece };
}

/** Size offsets that are −τ · |E|, τ by development queries. */
function priced(name: string, { development, test }: Pools, calibration: SetCalibration): WayResult {
  const at = (price: number): SetCalibration => ({
    ...calibration,
    sizeOffsets: calibration.sizeOffsets.map((_, size) => price * (size + 1)),
    requestSlopes: calibration.requestSlopes.map(() => 0),
  });
  const step = Math.max(1, Math.floor(development.length / PRICED));
  const some = development.filter((_, place) => place % step === 0);
  const price = bestOn(some, PRICES, (tried, pool) => answerBy(pool, at(tried), "coverage"));
  return wayOf(name, test, at(price));
}

/** What scales of 1 say: the numbers as they come out of training and counting. */
function unscaled(calibration: SetCalibration): SetCalibration {
  return {
    ...calibration,
    matchScale: 1,
    coUseScale: 1,
    knownSetScale: 1,
    requestSlopes: calibration.requestSlopes.map(() => 0),
  };
}

function withoutRequests({ development, test }: Pools): Pools {
  const without = (pools: readonly LabelledPool[]): LabelledPool[] =>
    pools.map(({ pool, gold }) => ({ gold, pool: { ...pool, evidence: { ...pool.evidence, moreRequests: 0 } } }));
  return { development: without(development), test: without(test) };
}

/** The ranking of the untrained pipeline with all that was counted. */
function frozen(trained: TrainedTrial, { coUse, knownSets }: SetModel): SetModel {
  return { ...contender(trained, "untrained"), coUse, knownSets };
}
