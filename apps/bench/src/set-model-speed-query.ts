import { openSetScorer, rankTools, type SetModel, type SetQuery } from "@setwise/set-scorer";
import { median } from "./interleave.ts";
import { gaussian, sequence } from "./random.ts";

const ROUNDS = 5;
const SEED = 3;
/** The size of a number of a matrix M_m after training. */
const INTERACTION = 1e-3;

/**
 * Milliseconds of a query after its encoding, ranking and all probabilities included, on one thread: with the model as it is, and with all that a model can
 * have, M included (random numbers take as long as learned ones).
 */
export function queryLatency(model: SetModel, queries: readonly SetQuery[]): string[] {
  const sides = [
    { name: `as trained (${partsOf(model)})`, scorer: openSetScorer(model) },
    { name: "with M as well", scorer: openSetScorer(withInteractions(model)) },
  ];
  // Rounds in turn, after one in which rows of M are computed and the engine compiles.
  const times = sides.map(({ scorer }) => queries.map((query): number[] => (void scorer.score(query), [])));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [side, { scorer }] of sides.entries()) {
      for (const [place, query] of queries.entries()) {
        const started = performance.now();
        rankTools(scorer.score(query));
        if (round > 0) times[side]![place]!.push(performance.now() - started);
      }
    }
  }
  for (const { scorer } of sides) scorer.dispose();
  const at = `${model.tools.length} tools, d_z ${model.toolDimensions}, ${queries.length} queries × ${ROUNDS}`;
  return [
    `a query after its encoding, all outputs, ${at}, one thread (median and 95th percentile of the queries' medians)`,
    ...sides.map(({ name }, side) => {
      const sorted = times[side]!.map(median).sort((a, b) => a - b);
      const [half, most] = [0.5, 0.95].map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
      return `  ${name}: ${half?.toFixed(2)} ms, ${most?.toFixed(2)} ms`;
    }),
  ];
}

function partsOf({ calibration }: SetModel): string {
  const { coUseScale, knownSetScale, pairScale } = calibration;
  const parts = { "co-use": coUseScale, "known sets": knownSetScale, M: pairScale };
  return ["match", ...Object.entries(parts).flatMap(([name, scale]) => (scale === 0 ? [] : [name]))].join(", ");
}

function withInteractions(model: SetModel): SetModel {
  const { toolDimensions: width, maxSize, calibration } = model;
  const normal = gaussian(sequence(SEED));
  const interactions = new Float32Array((maxSize - 1) * width * width);
  for (let start = 0; start < interactions.length; start += width * width) {
    for (let row = 0; row < width; row++) {
      for (let column = 0; column <= row; column++) {
        const value = INTERACTION * normal();
        interactions[start + row * width + column] = value;
        interactions[start + column * width + row] = value;
      }
    }
  }
  return { ...model, interactions, calibration: { ...calibration, pairScale: 1 } };
}
