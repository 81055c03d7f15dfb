import { type Precision, VectorIndex } from "@setwise/native";
import { kernelLevels, type Level } from "./kernel-levels.ts";
import { measure, type Measurement, type Side } from "./measurement.ts";
import { besideReading } from "./read-bandwidth.ts";
import { gaussian, sequence, type Spread, unitRows } from "./random.ts";

const DIMENSIONS = 768;
const K = 15;
const QUERIES = 16;
const ROUNDS = 11;
/** Queries a side answers in a round. A process has one index, not one for each side of a comparison: after the first query its rows
 * are in the caches that hold them in use as well. */
const CALLS = 8;

/** Exact top 15, one query a call, one thread: every level over float32 and over int8, as many bytes read and nothing more, and usearch. */
export async function vectorScan(): Promise<readonly Measurement[]> {
  const usearch = await loadUsearch();
  const shapes: readonly (readonly [number, Spread])[] = [
    [13_860, "clustered"],
    [13_860, "even"],
    [50_000, "clustered"],
  ];
  return shapes.flatMap(([rows, spread]) => measureScan(rows, spread, usearch));
}

function measureScan(rows: number, spread: Spread, usearch: Usearch | undefined): Measurement[] {
  const normal = gaussian(sequence(rows));
  const all = unitRows(rows + QUERIES, DIMENSIONS, spread, normal);
  const vectors = all.subarray(0, rows * DIMENSIONS);
  const queries = Array.from({ length: QUERIES }, (_, i) => all.slice((rows + i) * DIMENSIONS).subarray(0, DIMENSIONS));
  const anchors = Array.from({ length: QUERIES }, (_, i) =>
    vectors.slice(i * K * DIMENSIONS, (i + 1) * K * DIMENSIONS),
  );
  const at = `top ${K} of ${rows} × ${DIMENSIONS}, ${spread}`;
  const indexes: VectorIndex[] = [];
  const open = (level: Level, precision: Precision): VectorIndex => {
    const index = new VectorIndex({ dimensions: DIMENSIONS, vectors, precision, kernels: level.kernels });
    indexes.push(index);
    return index;
  };
  const levels = kernelLevels();
  const side = (name: string, run: (round: number) => void): Side => {
    let round = 0;
    return { name, run: () => run(round++ % QUERIES) };
  };
  const each = (name: string, index: VectorIndex): Side => side(name, (i) => void index.search(queries[i]!, K));
  const [first, ...others] = levels;
  const alone = { level: first!, index: open(first!, "float32") };
  // While nothing else wants the caches, as when the bytes are only read.
  const beside = besideReading(vectors.byteLength, () =>
    measure("vector scan, float32, alone", at, [each(first!.name, alone.index)], { rounds: ROUNDS, calls: CALLS }),
  );
  const float32 = [alone, ...others.map((level) => ({ level, index: open(level, "float32") }))];
  const int8 = levels.filter(isNative).map((level) => ({ level, index: open(level, "int8") }));
  const theirs =
    usearch === undefined
      ? []
      : [
          side("usearch, exact", (i) => {
            usearch.exactSearch(vectors, queries[i]!, DIMENSIONS, K, usearch.MetricKind.IP, 1);
          }),
        ];
  const scans = measure(
    "vector scan, float32",
    at,
    [...float32.map(({ level, index }) => each(level.name, index)), ...theirs],
    { rounds: ROUNDS, calls: CALLS },
  );
  const typescript = float32.at(-1)!;
  const bytesScans = measure(
    "vector scan, int8 with proof",
    at,
    [...int8.map(({ level, index }) => each(level.name, index)), each("typescript", typescript.index), ...theirs],
    { rounds: ROUNDS, calls: CALLS },
  );
  const together = (name: string, index: VectorIndex): Side =>
    side(name, (i) => void index.search(anchors[i]!, K, { combine: "maximum" }));
  const complements =
    rows > 20_000
      ? []
      : [
          measure(
            "complementarity g",
            `${K} anchors, ${at}`,
            [
              ...int8.slice(0, 1).map(({ level, index }) => together(`${level.name}, int8`, index)),
              ...float32.map(({ level, index }) => together(level.name, index)),
            ],
            { rounds: 5, calls: 4 },
          ),
        ];
  for (const index of indexes) index.dispose();
  return [beside, scans, bytesScans, ...complements];
}

function isNative({ kernels }: Level): boolean {
  return kernels.implementation === "native";
}

/** What is used of usearch, the exact search of which this is compared with. */
interface Usearch {
  readonly MetricKind: { readonly IP: unknown };
  exactSearch(
    vectors: Float32Array,
    queries: Float32Array,
    dimensions: number,
    k: number,
    metric: unknown,
    threads: number,
  ): unknown;
}

/** The package, where it is installed. */
async function loadUsearch(): Promise<Usearch | undefined> {
  try {
    // By a name that a bundler does not follow: it is optional.
    const name = "usearch";
    return ((await import(name)) as { readonly default: Usearch }).default;
  } catch {
    return undefined;
  }
}
