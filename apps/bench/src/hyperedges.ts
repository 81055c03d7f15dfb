import { enumerateHyperedges, type EnumerateHyperedgesOptions } from "@setwise/native";
import { kernelLevels } from "./kernel-levels.ts";
import { measure, type Measurement, type Side } from "./measurement.ts";
import { gaussian, sequence, unitRows } from "./random.ts";

const LIBRARY = 13_860;
const ROUNDS = 21;
const CASES = 8;
/** Numbers in an embedding. */
const DIMENSIONS = 32;

interface Case {
  readonly logits: Float64Array;
  readonly pairScores: Float64Array;
}

/** The exact best sets of at most five: ten best and best alone at K = 20, the distribution, and pools that are too large to enumerate. */
export function hyperedges(): readonly Measurement[] {
  return (["sum", "softmax"] as const).flatMap((alignment) => {
    const small = makeCases(20, alignment === "softmax");
    const at = `K = 20, M = 5 (21,699 sets), ${alignment}`;
    const softmax = alignment === "softmax";
    const name = softmax ? "a plain loop, exp for each member" : "a plain loop";
    const plain: Side = side(name, small, (one) => void plainLoop(one, softmax));
    // In turn, since what matters is how many times as long the second takes.
    const alone = named("alone", sides(small, { alignment }));
    const weighed = named("with log Z and inclusion", sides(small, { alignment, distribution: true }));
    const both = alone.flatMap((one, level) => [one, weighed[level]!]);
    return [
      measure("best 10 sets", at, [...sides(small, { alignment, count: 10 }), plain], { rounds: ROUNDS }),
      measure("best set, alone and with log Z and inclusion", at, both, { rounds: ROUNDS }),
      ...[50, 100, 200].map((pool) => {
        const large = makeCases(pool, alignment === "softmax");
        const label = `K = ${pool}, M = 5, ${alignment}`;
        return measure("best 10 sets", label, sides(large, { alignment, count: 10 }), { rounds: ROUNDS, calls: CASES });
      }),
    ];
  });
}

function sides(cases: readonly Case[], options: EnumerateHyperedgesOptions): readonly Side[] {
  return kernelLevels().map(({ name, kernels }) =>
    side(
      name,
      cases,
      ({ logits, pairScores }) => void enumerateHyperedges(logits, pairScores, { ...options, kernels }),
    ),
  );
}

function named(what: string, sides: readonly Side[]): readonly Side[] {
  return sides.map(({ name, run }) => ({ name: `${name}, ${what}`, run }));
}

function side(name: string, cases: readonly Case[], run: (one: Case) => void): Side {
  let next = 0;
  return { name, run: () => run(cases[next++ % CASES]!) };
}

/**
 * As a trained model has them: logits are the largest of many normally distributed ones (for sums relative to the best), and pair scores
 * `z_a' M_m z_b` of unit vectors in clusters.
 */
function makeCases(pool: number, softmax: boolean): readonly Case[] {
  const normal = gaussian(sequence(pool));
  return Array.from({ length: CASES }, () => {
    const best = Float64Array.from({ length: LIBRARY }, () => 2 * normal())
      .sort()
      .toReversed();
    const logits = Float64Array.from(best.subarray(0, pool), (logit) => (softmax ? logit : logit - best[0]!));
    const rows = unitRows(pool, DIMENSIONS, "clustered", normal);
    const pairScores = new Float64Array(4 * pool * pool);
    for (let start = 0; start < pairScores.length; start += pool * pool) {
      const matrix = Float64Array.from({ length: DIMENSIONS * DIMENSIONS }, () => 0.5 * normal());
      for (let a = 0; a < pool; a += 1) {
        for (let b = 0; b < a; b += 1) {
          const score = bilinear(matrix, rows.subarray(a * DIMENSIONS), rows.subarray(b * DIMENSIONS));
          pairScores[start + a * pool + b] = score;
          pairScores[start + b * pool + a] = score;
        }
      }
    }
    return { logits, pairScores };
  });
}

/** left' (M + M') / 2 right. */
function bilinear(matrix: Float64Array, left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i += 1) {
    for (let j = 0; j < DIMENSIONS; j += 1) {
      sum += (left[i]! * (matrix[i * DIMENSIONS + j]! + matrix[j * DIMENSIONS + i]!) * right[j]!) / 2;
    }
  }
  return sum;
}

/** What one writes first: every set, its softmax, its pairs, and the best ten kept in order. */
function plainLoop({ logits, pairScores }: Case, softmax: boolean): readonly { score: number; members: number[] }[] {
  const pool = logits.length;
  const best: { score: number; members: number[] }[] = [];
  const visit = (members: number[], from: number): void => {
    for (let next = from; next < pool; next += 1) {
      const set = [...members, next];
      const weights = set.map((t) => (softmax ? Math.exp(logits[t]! - logits[0]!) : 1));
      const total = softmax ? weights.reduce((sum, weight) => sum + weight, 0) : 1;
      let score = 0;
      for (const [i, t] of set.entries()) score += (weights[i]! / total) * logits[t]!;
      for (const [i, a] of set.entries()) {
        for (const b of set.slice(0, i)) score += pairScores[((set.length - 2) * pool + a) * pool + b]!;
      }
      if (best.length < 10 || score > best.at(-1)!.score) {
        best.push({ score, members: set });
        best.sort((left, right) => right.score - left.score);
        best.length = Math.min(best.length, 10);
      }
      if (set.length < 5) visit(set, next + 1);
    }
  };
  visit([], 0);
  return best;
}
