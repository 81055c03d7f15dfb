import type {
  HypergraphModelKernel,
  HypergraphModelRows,
  HypergraphModelShape,
  PoolRequest,
  SetConstraints,
} from "../hypergraph-model-kernel.ts";
import type { SimdLevel } from "../kernels.ts";
import type { Addon } from "./addon.ts";
import { calling } from "./calling.ts";
import { packConstraints } from "./hyperedge-request.ts";
import { simdNumbers } from "./simd-numbers.ts";

/** The part of the addon behind {@link createNativeHypergraphModel}. */
export interface HypergraphModelAddon {
  createHypergraphModel(
    queryDimensions: number,
    toolDimensions: number,
    maxSize: number,
    alignment: string,
    numbers: Float64Array,
    matchRows: Float32Array,
    embeddings: Float32Array,
    pairRows: Float32Array,
    precision: string,
    threads: number,
    simd: SimdLevel,
  ): HypergraphModelHandle;
  projectRows(simd: number, weights: Float32Array, rows: Float32Array, columns: number, target: Float32Array): void;
}

interface HypergraphModelHandle {
  shortlist(
    queries: Float32Array,
    shortlist: number,
    pool: number,
    require: Uint32Array,
    exclude: Uint32Array,
    allow: Uint32Array | undefined,
    ids: Uint32Array,
    logits: Float32Array,
    gains: Float32Array,
    counts: Uint32Array,
  ): void;
  fillPool(
    ids: Uint32Array,
    logits: Float32Array,
    sorted: Uint32Array,
    sortedLogits: Float64Array,
    pairScores: Float64Array,
  ): void;
  bestSets(
    queries: Float32Array,
    shortlist: number,
    pool: number,
    allow: Uint32Array | undefined,
    constraints: Uint32Array,
    maxTokens: number,
    maxTools: number,
    count: number,
    queryOffsets: Uint32Array,
    offsets: Uint32Array,
    members: Uint32Array,
    scores: Float64Array,
  ): void;
  rank(
    queries: Float32Array,
    shortlist: number,
    pool: number,
    allow: Uint32Array | undefined,
    constraints: Uint32Array,
    maxTokens: number,
    maxTools: number,
    ids: Uint32Array,
    numbers: Float64Array,
    offsets: Uint32Array,
  ): void;
  readRows(part: number, first: number, target: Float32Array): void;
  dispose(): void;
}

/** A model in native memory. */
export function createNativeHypergraphModel(
  addon: Addon,
  simd: SimdLevel,
  shape: HypergraphModelShape,
  { matchRows, embeddings, pairRows }: HypergraphModelRows,
): HypergraphModelKernel {
  const { queryDimensions, toolDimensions, maxSize, alignment, precision, threads } = shape;
  const numbers = Float64Array.of(shape.emptyScore, ...shape.sizeOffsets);
  const handle = calling(() =>
    addon.createHypergraphModel(
      queryDimensions,
      toolDimensions,
      maxSize,
      alignment,
      numbers,
      matchRows,
      embeddings,
      pairRows,
      precision,
      threads,
      simd,
    ),
  );
  const pack = (request: PoolRequest, constraints: SetConstraints): Uint32Array =>
    packConstraints({ ...constraints, require: request.require, exclude: request.exclude });
  return {
    shortlist: (queries, { shortlist, pool, require, exclude, allow }, { ids, logits, gains, counts }) =>
      calling(() => handle.shortlist(queries, shortlist, pool, require, exclude, allow, ids, logits, gains, counts)),
    fillPool: (ids, logits, problem) =>
      calling(() => handle.fillPool(ids, logits, problem.ids, problem.logits, problem.pairScores)),
    bestSets: (queries, request, constraints, count, { queryOffsets, offsets, members, scores }) => {
      const packed = pack(request, constraints);
      const { shortlist, pool, allow } = request;
      const { maxTokens, maxTools } = constraints;
      calling(() =>
        handle.bestSets(
          queries,
          shortlist,
          pool,
          allow,
          packed,
          maxTokens,
          maxTools,
          count,
          queryOffsets,
          offsets,
          members,
          scores,
        ),
      );
    },
    rank: (queries, request, constraints, { ids, numbers: columns, offsets }) => {
      const packed = pack(request, constraints);
      const { shortlist, pool, allow } = request;
      const { maxTokens, maxTools } = constraints;
      calling(() => handle.rank(queries, shortlist, pool, allow, packed, maxTokens, maxTools, ids, columns, offsets));
    },
    readRows: (part, first, target) => calling(() => handle.readRows(part, first, target)),
    dispose: () => handle.dispose(),
  };
}

/** Writes W x for every row x into `target`, which makes match rows of P and pair rows of M_m. */
export function projectNatively(
  addon: Addon,
  simd: SimdLevel,
  weights: Float32Array,
  rows: Float32Array,
  columns: number,
  target: Float32Array,
): void {
  calling(() => addon.projectRows(simdNumbers[simd], weights, rows, columns, target));
}
