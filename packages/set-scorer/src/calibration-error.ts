import type { SetScores } from "./score-sets.ts";

/** Bins of equal width. */
const BINS = 10;
/** Tools below it are no statement: nearly all are right, and would hide the others. */
const LEAST = 0.01;

/** What was said of the tools of a query, and which were right. */
export interface Statement {
  readonly scored: SetScores;
  readonly gold: Uint32Array;
}

/** One bar of the reliability diagram. */
export interface ReliabilityBin {
  /** Statements in it. */
  readonly count: number;
  /** Mean of P(t ∈ E). */
  readonly said: number;
  /** Share of tools that were in the set. */
  readonly was: number;
}

/** The reliability diagram of P(t ∈ E), over tools of 1 % or more. */
export function reliability(statements: readonly Statement[]): readonly ReliabilityBin[] {
  const sums = Array.from({ length: BINS }, () => ({ count: 0, said: 0, was: 0 }));
  for (const { scored, gold } of statements) {
    for (const [position, probability] of scored.inclusion.entries()) {
      if (probability < LEAST) continue;
      const bin = sums[Math.min(BINS - 1, Math.floor(probability * BINS))]!;
      bin.count++;
      bin.said += probability;
      bin.was += Number(gold.includes(scored.pool[position]!));
    }
  }
  return sums.map(({ count, said, was }) => ({
    count,
    said: said / Math.max(1, count),
    was: was / Math.max(1, count),
  }));
}

/** Σ share of the bin · |said − was|: the expected calibration error (Naeini, Cooper and Hauskrecht 2015). */
export function calibrationError(statements: readonly Statement[]): number {
  const bins = reliability(statements);
  const total = Math.max(1, bins.reduce((sum, { count }) => sum + count, 0)); // prettier-ignore
  return bins.reduce((sum, { count, said, was }) => sum + (count / total) * Math.abs(said - was), 0);
}
