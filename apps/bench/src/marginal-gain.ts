import { rankByMarginalGain } from "@setwise/native";
import { kernelLevels } from "./kernel-levels.ts";
import { measure, type Measurement } from "./measurement.ts";
import { gaussian, sequence } from "./random.ts";

const POOLS = [20, 50, 200];
const K = 15;
const QUERIES = 256;
const ROUNDS = 21;

/** Ranking by marginal gain to k = 15: a batch of queries over one pool in one call, and one query a call. */
export function marginalGain(): readonly Measurement[] {
  return POOLS.flatMap((pool) => [measurePool(pool, QUERIES), measurePool(pool, 1)]);
}

function measurePool(pool: number, queries: number): Measurement {
  const normal = gaussian(sequence(pool));
  const logits = Float64Array.from({ length: queries * pool }, () => 2 * normal());
  const pairScores = new Float64Array(4 * pool * pool);
  for (let m = 0; m < 4; m += 1) {
    for (let a = 0; a < pool; a += 1) {
      for (let b = 0; b < a; b += 1) {
        const score = 0.3 * normal();
        pairScores[(m * pool + a) * pool + b] = score;
        pairScores[(m * pool + b) * pool + a] = score;
      }
    }
  }
  const sides = kernelLevels().map(({ name, kernels }) => ({
    name,
    run: () => void rankByMarginalGain(logits, pairScores, { k: K, pool, alignment: "softmax", kernels }),
  }));
  const at = `K = ${pool}, k = ${K}, ${queries === 1 ? "one query a call" : `${queries} queries a call`}`;
  return measure("marginal gain", at, sides, { rounds: ROUNDS, queries });
}
