import fc from "fast-check";
import type { HyperedgeOptions } from "../src/index.ts";

/** A random set function over a small pool, with symmetric pair scores, and constraints. */
export interface HyperedgeCase {
  readonly logits: Float64Array;
  readonly pairScores: Float64Array;
  readonly options: HyperedgeOptions & { readonly maxSize: number };
}

/** Spread numbers, small integers (ties), all equal, far apart; never so large that sums lose what a test compares. */
function numbers(count: number): fc.Arbitrary<number[]> {
  const of = (number: fc.Arbitrary<number>) => fc.array(number, { minLength: count, maxLength: count });
  return fc.oneof(
    { weight: 3, arbitrary: of(fc.double({ min: -3, max: 3, noNaN: true })) },
    { weight: 2, arbitrary: of(fc.integer({ min: -2, max: 2 })) },
    { weight: 1, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }).chain((same) => of(fc.constant(same))) },
    { weight: 1, arbitrary: of(fc.constantFrom(0, 1, -350, -750, 800)) },
  );
}

export function hyperedgeCases(mostCandidates = 10): fc.Arbitrary<HyperedgeCase> {
  return fc
    .record({ pool: fc.integer({ min: 0, max: mostCandidates }), maxSize: fc.integer({ min: 1, max: 5 }) })
    .chain(({ pool, maxSize }) => {
      const positions = (most: number): fc.Arbitrary<Uint32Array> =>
        fc
          .array(fc.nat(Math.max(pool - 1, 0)), { maxLength: pool === 0 ? 0 : most })
          .map((list) => Uint32Array.from(list));
      return fc.record({
        logits: numbers(pool).map((list) => Float64Array.from(list)),
        pairScores: numbers((maxSize - 1) * pool * pool).map((list) => symmetric(Float64Array.from(list), pool)),
        options: fc.record(
          {
            maxSize: fc.constant(maxSize),
            alignment: fc.constantFrom("sum" as const, "softmax" as const),
            sizeOffsets: fc
              .array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: maxSize, maxLength: maxSize })
              .map((list) => Float64Array.from(list)),
            emptyScore: fc.double({ min: -3, max: 3, noNaN: true }),
            require: positions(2),
            exclude: positions(3),
            groups: fc.array(positions(4), { maxLength: 2 }),
            tokens: fc.array(fc.nat(20), { minLength: pool, maxLength: pool }).map((list) => Uint32Array.from(list)),
            maxTools: fc.nat(7),
          },
          { requiredKeys: ["maxSize", "alignment", "tokens"] },
        ),
      });
    })
    .chain((fixed) =>
      fc.option(fc.nat(60), { nil: undefined }).map((maxTokens) => {
        const { tokens, ...rest } = fixed.options;
        return { ...fixed, options: maxTokens === undefined ? rest : { ...rest, tokens, maxTokens } };
      }),
    );
}

/** Mirrors what stands above each diagonal. */
function symmetric(pairScores: Float64Array, pool: number): Float64Array {
  for (let start = 0; start < pairScores.length; start += pool * pool) {
    for (let a = 0; a < pool; a += 1) {
      for (let b = 0; b < a; b += 1) pairScores[start + a * pool + b] = pairScores[start + b * pool + a] ?? 0;
    }
  }
  return pairScores;
}

/** What the fixtures hold of one query: vectors of the tools, the projection and the matrices. */
export interface FixtureModel {
  readonly r: readonly number[];
  readonly Z: readonly (readonly number[])[];
  readonly P: readonly (readonly number[])[];
  readonly M: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const dot = (left: readonly number[], right: readonly number[]): number =>
  left.reduce((sum, x, i) => sum + x * (right[i] ?? 0), 0);

/** l = r · P z and G_m[a, b] = z_a' M_m z_b over a pool, in the layout of the kernels; an asymmetric M counts as (M + M') / 2. */
export function fixtureProblem(
  { r, Z, P, M }: FixtureModel,
  pool: readonly number[],
): { readonly logits: Float64Array; readonly pairScores: Float64Array } {
  const tools = pool.map((id) => Z[id] ?? []);
  const logits = Float64Array.from(tools, (z) =>
    dot(
      r,
      P.map((row) => dot(row, z)),
    ),
  );
  const form = (matrix: readonly (readonly number[])[], a: readonly number[], b: readonly number[]): number =>
    dot(
      a,
      matrix.map((row) => dot(row, b)),
    );
  const matrices = Object.keys(M)
    .toSorted()
    .map((size) => M[size] ?? []);
  const pairScores = Float64Array.from(
    matrices.flatMap((matrix) => tools.flatMap((a) => tools.map((b) => (form(matrix, a, b) + form(matrix, b, a)) / 2))),
  );
  return { logits, pairScores };
}

/** F as in the paper, by plain loops. */
export function scoreOf({ logits, pairScores, options }: HyperedgeCase, members: readonly number[]): number {
  const [pool, size] = [logits.length, Math.min(members.length, options.maxSize)];
  const own = members.map((id) => logits[id]!);
  const top = Math.max(...own);
  const weights = own.map((logit) => (options.alignment === "softmax" ? Math.exp(logit - top) : 1));
  let score = own.reduce((sum, logit, i) => sum + logit * weights[i]!, 0);
  if (options.alignment === "softmax") score /= weights.reduce((sum, weight) => sum + weight, 0);
  score += options.sizeOffsets?.[size - 1] ?? 0;
  if (options.maxSize === 1) return score;
  for (const [i, a] of members.entries()) {
    for (const b of members.slice(0, i)) score += pairScores[((size - 2) * pool + a) * pool + b]!;
  }
  return score;
}
