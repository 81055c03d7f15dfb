import {
  calibrate,
  goldIn,
  type PairTerms,
  type RankingRule,
  rankTools,
  scoreEvidence,
  type SetCalibration,
} from "@setwise/set-scorer";
import type { LabelledPool, RivalAnswer, RivalPool, SetRival } from "./rival.ts";

/** Queries that a calibration is fitted on at most. */
const CALIBRATED = 400;
const LARGEST = 5;

/**
 * A distribution over sets: F(E) = a Σ log p_t + the terms that are named + c_|E| + β_|E| · (requests − 1), all numbers by maximum likelihood on development queries. The set is the
 * likeliest one.
 */
export function setFunction(name: string, terms: PairTerms, rule: RankingRule = "coverage"): SetRival {
  return {
    name,
    fit(development) {
      const calibration = calibrationOn(development, terms);
      return { constants: "", choose: (pool) => answerBy(pool, calibration, rule) };
    },
  };
}

/** The likeliest calibration of the terms. */
export function calibrationOn(development: readonly LabelledPool[], terms: PairTerms): SetCalibration {
  const step = Math.max(1, development.length / CALIBRATED);
  const some = Array.from(
    { length: Math.floor(development.length / step) },
    (_, i) => development[Math.floor(i * step)]!,
  );
  const labelled = some.map(({ pool: { evidence }, gold }) => ({ evidence, gold: goldIn(evidence, gold) }));
  return calibrate(
    labelled.filter(({ gold }) => gold.length > 0),
    LARGEST,
    terms,
  );
}

/** The ranking and the likeliest set of a pool. */
export function answerBy({ evidence }: RivalPool, calibration: SetCalibration, rule: RankingRule): RivalAnswer {
  const scored = scoreEvidence(evidence, calibration);
  return { ranking: rankTools(scored, rule).ids, set: scored.best[0]?.ids ?? new Uint32Array(0) };
}
