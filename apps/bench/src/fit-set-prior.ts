import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  POOL_SIZE,
  priorFor,
  priorLogits,
  priorSizeOffsets,
  type SetPrior,
  unusualEvidence,
  unusualRequests,
} from "@setwise/adaptive-k";
import { type Encoder, maximise, type Slope } from "@setwise/core";
import { setDistributions } from "@setwise/native";
import { encoderLevels } from "./levels.ts";
import { difference, type LabelledScores, quality } from "./set-quality.ts";
import { type Asked, lookUp, ownQueries, type Weighed, weighedRows } from "./train-rows.ts";
import { readTrainSets } from "./train-sets.ts";

/*
 * Fits the constants of packages/adaptive-k/src/set-prior.ts by penalised maximum likelihood of the right sets among the first 20
 * candidates, log P(E | x) = Σ_{t∈E} l_t + c_|E| − log Z, whose gradient is what the set holds minus what the distribution
 * expects. Train and dev queries, whole catalogs and small ones, every data set with the same weight. Every level of encoder is
 * fitted by itself and compared with the constants that it has, each data set with those fitted without it. With `out`, the root of the
 * repository, the constants are written to set-priors.json there, and those without each data set to held-out-priors.json here, for
 * what is measured.
 */

const LARGEST_SET = 5;
/** On β, so that sizes follow the number of requests no more than the data say. */
const RIDGE = 3e-3;
/** On a: three data sets say too surely what a score is worth on a fourth. Chosen of 0, 0.0003, 0.001, 0.002, 0.003, 0.005, 0.01 and 0.02. */
const SCORE_RIDGE = 3e-3;
/** a1, a2 and a3 stand before the sizes. */
const SLOPES = 3;
/** A logit with which a tool is in no set: fewer candidates are filled up with it. */
const ABSENT = -1e6;

type Row = Weighed<LabelledScores>;

export async function fitSetPrior(
  folder: string,
  print: (line: string) => void,
  { cache, out }: { readonly cache?: string | undefined; readonly out?: string | undefined } = {},
): Promise<void> {
  const sets = await readTrainSets(folder);
  const fitted: Record<string, SetPrior> = {};
  const without: Record<string, Record<string, SetPrior>> = {};
  for (const { name: level, encoder } of await encoderLevels(cache)) {
    const present = priorFor(encoder?.name);
    print(`\n${level}: by words${encoder === undefined ? "" : ` and meaning (${encoder.name})`}`);
    const rows: Row[][] = [];
    for (const set of sets) rows.push(await weighedRows(ownQueries(set, sets), (asked) => rowsFor(asked, encoder)));
    const heldOut = sets.map((_, held) => fit(rows.filter((_, set) => set !== held).flat(), encoder === undefined));
    const prior = fit(rows.flat(), encoder === undefined);
    fitted[level] = rounded(prior);
    without[level] = Object.fromEntries(sets.map(({ name }, held) => [name, rounded(heldOut[held] ?? prior)]));
    const show = (label: string, priorOf: (set: number) => SetPrior): void => {
      for (const [set, { name }] of sets.entries())
        print(`${label} ${name.padEnd(12)} ${quality(priorOf(set), rows[set] ?? [])}`);
    };
    show("as it stands", () => present);
    show("held out", (set) => heldOut[set] ?? present);
    show("fitted on all", () => prior);
    for (const metric of ["f1", "exactMatch"] as const) {
      print(
        `${metric}, held out less as it stands: ${difference(
          rows,
          metric,
          (set) => heldOut[set] ?? present,
          () => present,
        )}`,
      );
      print(
        `${metric}, fitted on all less as it stands: ${difference(
          rows,
          metric,
          () => prior,
          () => present,
        )}`,
      );
    }
    print(JSON.stringify(fitted[level]));
  }
  if (out === undefined) return;
  const provenance = `Penalised maximum likelihood on ${sets.map(({ name, queries }) => `${name} (${queries.length} queries)`).join(", ")}, train and dev splits, whole catalogs and small ones; written by \`node apps/bench/dist/main.mjs fit-set-prior --data DIR --out .\`.`;
  await writeJson(join(out, "packages/adaptive-k/src/set-priors.json"), { provenance, ...fitted });
  await writeJson(join(out, "apps/bench/src/held-out-priors.json"), without);
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

function rounded({ score, gapToBest, evidence, sizeOffsets, sizeSlopes }: SetPrior): SetPrior {
  const two = (value: number): number => Math.round(100 * value) / 100;
  return {
    score: two(score),
    gapToBest: two(gapToBest),
    ...(evidence === undefined ? {} : { evidence: two(evidence) }),
    sizeOffsets: sizeOffsets.map(two),
    sizeSlopes: sizeSlopes.map(two),
  };
}

/** The constants in one vector: score, gap, evidence, α_1 … α_5, β_1 … β_5. */
function priorOf(theta: readonly number[]): SetPrior {
  const [score = 0, gapToBest = 0, evidence = 0] = theta;
  return {
    score,
    gapToBest,
    evidence,
    sizeOffsets: theta.slice(SLOPES, SLOPES + LARGEST_SET),
    sizeSlopes: theta.slice(SLOPES + LARGEST_SET),
  };
}

/** Maximum a posteriori over all rows at once; a score with meaning in it has no use for the evidence of words. */
function fit(rows: readonly Row[], byWords: boolean): SetPrior {
  const start = new Float64Array(SLOPES + 2 * LARGEST_SET);
  start[0] = 5;
  const found = maximise(start, posteriorOf(rows, byWords), { mostSteps: 120, leastGain: 0 });
  const { evidence, ...prior } = priorOf([...found]);
  return byWords && evidence !== undefined ? { ...prior, evidence } : prior;
}

/** The weighted mean log-likelihood minus the ridges, and its slope. */
function posteriorOf(rows: readonly Row[], byWords: boolean): (theta: Float64Array) => Slope {
  const width = LARGEST_SET + 1;
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  const unusual = rows.map(({ requests }) => unusualRequests(requests));
  const evidence = rows.map(({ wordEvidence }) => (byWords ? unusualEvidence(wordEvidence) : 0));
  const gaps = rows.map(({ scores }) => scores.map((score) => score - (scores[0] ?? 0)));
  const logits = new Float64Array(rows.length * POOL_SIZE).fill(ABSENT);
  const offsets = new Float64Array(rows.length * width);
  return (theta) => {
    const prior = priorOf([...theta]);
    for (const [row, { scores, requests, wordEvidence }] of rows.entries()) {
      logits.set(priorLogits(prior, scores, wordEvidence), row * POOL_SIZE);
      offsets.set(priorSizeOffsets(prior, requests), row * width);
    }
    const { inclusion, sizes, logZ } = setDistributions(logits, offsets, { pool: POOL_SIZE });
    let value = 0;
    const slope = new Float64Array(theta.length);
    for (const [row, { scores, right, weight }] of rows.entries()) {
      const share = weight / total;
      const at = row * POOL_SIZE;
      value += share * (offsets[row * width + right.length]! - logZ[row]!);
      for (const place of right) {
        value += share * logits[at + place]!;
        slope[0]! += share * scores[place]!;
        slope[1]! += share * gaps[row]![place]!;
        slope[2]! += share * scores[place]! * evidence[row]!;
      }
      for (let place = 0; place < scores.length; place++) {
        const expected = share * inclusion[at + place]!;
        slope[0]! -= expected * scores[place]!;
        slope[1]! -= expected * gaps[row]![place]!;
        slope[2]! -= expected * scores[place]! * evidence[row]!;
      }
      for (let m = 1; m <= LARGEST_SET; m++) {
        const difference = share * (Number(right.length === m) - sizes[row * width + m]!);
        slope[SLOPES - 1 + m]! += difference;
        slope[SLOPES - 1 + LARGEST_SET + m]! += difference * unusual[row]!;
      }
    }
    for (let i = 0; i < theta.length; i++) {
      const ridge = i < SLOPES ? SCORE_RIDGE : i < SLOPES + LARGEST_SET ? 0 : RIDGE;
      value -= ridge * theta[i]! ** 2;
      slope[i]! -= 2 * ridge * theta[i]!;
    }
    return { value, gradient: slope };
  };
}

/** The first candidates of each query with the right ones among them; queries with none, or more than five, say nothing. */
async function rowsFor(asked: Asked, encoder: Encoder | undefined): Promise<LabelledScores[]> {
  const rows = await lookUp(asked, encoder, POOL_SIZE);
  return rows.flatMap(({ found: { scores, requests, wordEvidence }, right }): LabelledScores[] =>
    right.length > 0 && right.length <= LARGEST_SET ? [{ scores, requests, wordEvidence, right }] : [],
  );
}
