import {
  type CandidateSets,
  HypergraphTrainer,
  type HypergraphTrainerOptions,
  hysetSetStage,
  type Kernels,
} from "../src/index.ts";

/** A case of `fixtures/hyset/loss.json`. */
export interface LossCase {
  readonly name: string;
  readonly N: number;
  readonly d_r: number;
  readonly d_z: number;
  readonly lambda: number;
  readonly eta: number;
  readonly lr: number;
  readonly total_steps: number;
  readonly warmup_ratio: number;
  readonly params: Parameters;
  readonly batch: readonly {
    readonly r: readonly number[];
    readonly pool: readonly number[][];
    readonly rho: number;
  }[];
  readonly steps: readonly LossStep[];
}

interface Parameters {
  readonly Z: readonly (readonly number[])[];
  readonly P: readonly (readonly number[])[];
  readonly M: Readonly<Record<string, readonly (readonly number[])[]>>;
}

/** A step of such a case. */
export interface LossStep {
  readonly lr: number;
  readonly items: readonly number[];
  readonly F: readonly (readonly number[])[];
  readonly selected: readonly number[];
  readonly L_ret: number;
  readonly L_self: number;
  readonly reg: number;
  readonly total: number;
  readonly after_projection: Parameters;
}

/** Weights as columns. */
export function columnsOf({ Z, P, M }: Parameters): Record<"embeddings" | "projection" | "interactions", number[]> {
  const interactions = Object.keys(M)
    .sort()
    .flatMap((size) => M[size]!.flat());
  return { embeddings: Z.flat(), projection: P.flat(), interactions };
}

/** The candidate sets of a step. */
export function setsOf({ batch }: LossCase, { items }: LossStep): CandidateSets {
  const pools = items.map((item) => batch[item]!.pool);
  return listsOf(pools);
}

/** Sets of queries as columns. */
export function listsOf(pools: readonly (readonly (readonly number[])[])[]): CandidateSets {
  const sets = pools.flat();
  return {
    queries: endsOf(pools.map((pool) => pool.length)),
    offsets: endsOf(sets.map((set) => set.length)),
    members: Uint32Array.from(sets.flat()),
  };
}

/** Where lists of these lengths begin and end. */
export function endsOf(lengths: readonly number[]): Uint32Array {
  let end = 0;
  return Uint32Array.of(0, ...lengths.map((length) => (end += length)));
}

/** A trainer of such a case, by the paper's form. */
export function trainerOf(item: LossCase, kernels: Kernels): HypergraphTrainer {
  const { embeddings, projection, interactions } = columnsOf(item.params);
  const gold = item.batch.map(({ pool }) => pool[0]!);
  const trainer = new HypergraphTrainer({
    queryDimensions: item.d_r,
    toolDimensions: item.d_z,
    toolVectors: new Float32Array(item.N * item.d_r).map((_, i) => Math.sin(i + 1)),
    queries: {
      vectors: Float32Array.from(item.batch.flatMap(({ r }) => r)),
      gold: { offsets: endsOf(gold.map((set) => set.length)), tools: Uint32Array.from(gold.flat()) },
    },
    weights: {
      embeddings: Float32Array.from(embeddings),
      projection: Float32Array.from(projection),
      interactions: Float32Array.from(interactions),
    },
    sets: {
      ...hysetSetStage,
      learningRate: item.lr,
      interactionRate: item.lr,
      regularisation: item.lambda,
      selfTraining: item.eta,
    },
    threads: 2,
    kernels,
  });
  trainer.setRewards(Float64Array.from(item.batch, ({ rho }) => rho));
  return trainer;
}

/** Numbers from −1 to 1 that look random. */
export function numbers(count: number, seed: number): Float32Array {
  return new Float32Array(count).map((_, i) => {
    const word = Math.imul((i + 1) ^ Math.imul(seed, 0x9e37_79b9), 0x85eb_ca6b);
    const mixed = Math.imul(word ^ (word >>> 13), 0xc2b2_ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 31 - 1;
  });
}

const dimensions = 8;
const tools = 24;
/** Which tools go together; each query asks for one of these. */
const together = [[0, 1], [2, 3, 4], [5], [6, 7], [1, 8], [9, 10, 11, 12], [13, 14], [15, 16, 17], [18, 19], [20, 23]]; // prettier-ignore

/**
 * 120 queries over 24 tools: each is the sum of the vectors of its tools, turned around (number i of a query is number i + 1 of the tools) and
 * with noise. The last twenty are not trained on; two features, one of which tells.
 */
export function learnable(options: Partial<HypergraphTrainerOptions> = {}): HypergraphTrainerOptions {
  const toolVectors = unit(numbers(tools * dimensions, 1));
  const gold = Array.from({ length: 120 }, (_, query) => together[query % together.length]!);
  const vectors = numbers(120 * dimensions, 2).map((noise) => 0.2 * noise);
  for (const [query, set] of gold.entries()) {
    for (const tool of set) {
      for (let i = 0; i < dimensions; i += 1) {
        vectors[query * dimensions + i]! += toolVectors[tool * dimensions + ((i + 1) % dimensions)]!;
      }
    }
  }
  const hint = { offsets: endsOf(gold.map(() => 2)), tools: Uint32Array.from(gold.flatMap((set) => [set[0]!, (set[0]! + 5) % tools])) }; // prettier-ignore
  return {
    queryDimensions: dimensions,
    toolVectors,
    queries: {
      vectors: unit(vectors),
      gold: { offsets: endsOf(gold.map((set) => set.length)), tools: Uint32Array.from(gold.flat()) },
      features: {
        telling: { ...hint, values: Float32Array.from(gold.flatMap(() => [1, 0.5])), weight: 1 },
        noise: { ...hint, values: numbers(240, 3), weight: 1 },
      },
    },
    development: Uint32Array.from({ length: 20 }, (_, i) => 100 + i),
    maxSize: 4,
    match: { epochs: 12, batch: 16, learningRate: 0.02 },
    sets: {
      epochs: 6,
      batch: 16,
      interactionRate: 0.2,
      offsetRate: 0.1,
      regularisation: 1e-4,
      neighbours: 5,
      own: 6,
      uniformPool: 16,
    },
    ...options,
  };
}

function unit(rows: Float32Array): Float32Array {
  const out = rows.slice();
  for (let start = 0; start < rows.length; start += dimensions) {
    const row = out.subarray(start, start + dimensions);
    const length = Math.hypot(...row);
    for (let i = 0; i < dimensions; i += 1) row[i]! /= length;
  }
  return out;
}
