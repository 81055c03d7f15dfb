import { HypergraphModel, type Precision } from "@setwise/native";
import { kernelLevels, type Level } from "./kernel-levels.ts";
import { measure, type Measurement, type Side } from "./measurement.ts";
import { gaussian, sequence, unitRows } from "./random.ts";

const TOOLS = 13_860;
const DIMENSIONS = 768;
const QUERIES = 16;
const ROUNDS = 9;
/** The scale of the match in trained models. */
const SCALE = 20;

/** A whole query after the encoder, one thread: logits of all tools, shortlist, complementarity, pair scores, best ten sets. */
export function hypergraphModel(): readonly Measurement[] {
  const normal = gaussian(sequence(1));
  const embeddings = unitRows(TOOLS, DIMENSIONS, "clustered", normal);
  const matches = unitRows(TOOLS + QUERIES, DIMENSIONS, "clustered", normal);
  const queries = Array.from({ length: QUERIES }, (_, i) =>
    matches.slice((TOOLS + i) * DIMENSIONS, (TOOLS + i + 1) * DIMENSIONS),
  );
  const matchRows = matches.subarray(0, TOOLS * DIMENSIONS).map((number) => SCALE * number);
  const pairRows = Float32Array.from({ length: 4 * TOOLS * DIMENSIONS }, () => 0.05 * normal());
  const shape = { queryDimensions: DIMENSIONS, toolDimensions: DIMENSIONS, maxSize: 5, alignment: "softmax" } as const;
  const open = ({ kernels }: Level, precision: Precision): HypergraphModel =>
    new HypergraphModel({ ...shape, matchRows, embeddings, pairRows, precision, kernels });
  const levels = kernelLevels();
  const sides = levels.flatMap((level) => {
    const int8 = level.kernels.implementation === "native" ? [side(`${level.name}, int8`, open(level, "int8"))] : [];
    return [...int8, side(level.name, open(level, "float32"))];
  });
  const at = `${TOOLS} tools × ${DIMENSIONS}, K_1 15, K_pool 20, M 5, best 10`;
  const measured = measure("a whole query after the encoder", at, sides, { rounds: ROUNDS });
  for (const { model } of sides) model.dispose();
  return [measured];

  function side(name: string, model: HypergraphModel): Side & { readonly model: HypergraphModel } {
    let round = 0;
    return { name, model, run: () => void model.bestSets(queries[round++ % QUERIES]!, { count: 10 }) };
  }
}
