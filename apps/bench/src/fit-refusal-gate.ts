import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  evidenceKind,
  fitLogit,
  foreignMargin,
  type ForeignMargin,
  REFUSE_BELOW,
  type RefusalGate,
} from "@setwise/adaptive-k";
import { createCatalog, type Encoder } from "@setwise/core";
import { buildIndex, embedTools, toolNearness } from "@setwise/retriever";
import { readToolsOf } from "./data-sets.ts";
import { encoderLevels } from "./levels.ts";
import { fitLogistic, type LogisticRow } from "./fit-logistic.ts";
import { mean } from "./ranking-row.ts";
import { inPercent } from "./refusal-evidence.ts";
import { type Asked, foreignQueries, lookUp, ownQueries, weighedRows, type Weighed } from "./train-rows.ts";
import { readTrainSets, type TrainSet } from "./train-sets.ts";

/*
 * Fits the gate by meaning of packages/adaptive-k/src/nothing-fits.ts, for every encoder: logistic regression on the margin by which a query is nearer to
 * the tools at hand than to foreign ones (background.ts), on train and dev queries. Something fits when a right tool is among the first five candidates; nothing does for
 * queries of other data sets. The bias is moved so that, with each data set judged by the constants fitted without it, a stated share of queries over whole
 * catalogs is refused. With `out`, the root of the repository, the foreign tools' vectors and the constants are written there.
 */

/** Of neither are there queries among those that are measured; both are MIT. */
const backgroundSets = ["toollinkos", "taskbench"] as const;
const FOREIGN_QUERIES = 300;
const LOOKED_AT = 5;
/** Mean over the train sets: requests of other data sets are refused half as often again. */
const REFUSED_ON_TRAIN = 0.025;

/** What decides whether a query is refused. */
interface GateRow {
  readonly margin: number;
  /** Refused for its words already. */
  readonly byWords: boolean;
  readonly namesTool: boolean;
  readonly inSight: boolean;
}

interface GateRows {
  readonly name: string;
  readonly own: readonly Weighed<GateRow>[];
  readonly whole: readonly Weighed<GateRow>[];
  readonly foreign: readonly Weighed<GateRow>[];
}

export async function fitRefusalGate(
  folder: string,
  print: (line: string) => void,
  { cache, out }: { readonly cache?: string | undefined; readonly out?: string | undefined } = {},
): Promise<void> {
  const sets = await readTrainSets(folder);
  const backgrounds: object[] = [];
  const heldOut: Record<string, Record<string, RefusalGate>> = {};
  for (const { name: level, encoder } of await encoderLevels(cache)) {
    if (encoder === undefined) continue;
    print(`\n${level}`);
    const bytes = await foreignTools(folder, encoder);
    const margin = foreignMargin(new Uint8Array(bytes.buffer), encoder.dimensions);
    const rows: GateRows[] = [];
    for (const set of sets) rows.push(await gateRows(set, sets, encoder, margin));
    const raw = rows.map(({ name }) => fitGate(rows.filter((row) => row.name !== name)));
    const shift = shiftFor(rows, raw);
    const moved = raw.map((gate) => ({ ...gate, bias: gate.bias + shift }));
    const gate = fitGate(rows);
    const final = rounded({ ...gate, bias: gate.bias + shift });
    for (const [set, { name, own, whole, foreign }] of rows.entries()) {
      const share = (some: readonly GateRow[]): string =>
        inPercent(mean(some.map((row) => Number(isRefused(row, moved[set]!)))));
      print(
        `${name}, fitted without: refused of its own ${share(whole)}, with small catalogs ${share(own)}, of foreign ${share(foreign)}`,
      );
    }
    print(JSON.stringify(final));
    const file = `${level}.i8.bin`;
    heldOut[level] = Object.fromEntries(rows.map(({ name }, set) => [name, rounded(moved[set]!)]));
    backgrounds.push({ encoder: encoder.name, file, dimensions: encoder.dimensions, gate: final, ...provenance(sets) });
    if (out === undefined) continue;
    await mkdir(join(out, "packages/adaptive-k/background"), { recursive: true });
    await writeFile(join(out, "packages/adaptive-k/background", file), bytes);
  }
  if (out === undefined) return;
  await writeJson(join(out, "packages/adaptive-k/background/backgrounds.json"), backgrounds);
  await writeJson(join(out, "apps/bench/src/held-out-gates.json"), heldOut);
}

function writeJson(file: string, value: unknown): Promise<void> {
  return writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

const provenance = (sets: readonly TrainSet[]): object => ({
  tools: `ToolLinkOS and TaskBench, MIT`,
  fittedOn: `${sets.map(({ name }) => name).join(", ")}: train and dev queries, with foreign ones of each other`,
  writtenBy: "node apps/bench/dist/main.mjs fit-refusal-gate --data DIR --out .",
});

const rounded = ({ margin, bias }: RefusalGate): RefusalGate => {
  const three = (value: number): number => Math.round(1000 * value) / 1000;
  return { margin: three(margin), bias: three(bias) };
};

/** The foreign tools' vectors as signed bytes, the largest number of each row at ±127. */
async function foreignTools(folder: string, encoder: Encoder): Promise<Int8Array> {
  const parts: Int8Array[] = [];
  for (const name of backgroundSets) {
    const { tools } = await readToolsOf(folder, name);
    const { embeddings } = await embedTools(buildIndex(createCatalog(tools)), encoder);
    const vectors = embeddings?.vectors ?? new Float32Array(0);
    const bytes = new Int8Array(vectors.length);
    for (let at = 0; at < vectors.length; at += encoder.dimensions) {
      const row = vectors.subarray(at, at + encoder.dimensions);
      const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
      bytes.set(
        row.map((value) => Math.round((127 * value) / largest)),
        at,
      );
    }
    parts.push(bytes);
  }
  return Int8Array.from(parts.flatMap((part) => [...part]));
}

async function gateRows(
  set: TrainSet,
  sets: readonly TrainSet[],
  encoder: Encoder,
  margin: ForeignMargin,
): Promise<GateRows> {
  const rowsOf = async (asked: Asked): Promise<GateRow[]> =>
    (await lookUp(asked, encoder, LOOKED_AT)).map(
      ({ found: { evidence, bestCosine = 0 }, vectors, right, embeddings }) => ({
        margin:
          vectors === undefined || embeddings === undefined ? 0 : margin(vectors, bestCosine, toolNearness(embeddings)),
        byWords: evidenceKind(evidence, bestCosine) !== "some",
        namesTool: evidence.namesTool,
        inSight: right.length > 0,
      }),
    );
  const [whole = [], ...small] = ownQueries(set, sets);
  const own = await weighedRows([whole, ...small], rowsOf);
  const wholeCount = whole.reduce((sum, { queries }) => sum + queries.length, 0);
  const foreign = await weighedRows(foreignQueries(set, sets, FOREIGN_QUERIES), rowsOf);
  return { name: set.name, own, whole: own.slice(0, wholeCount), foreign };
}

function fitGate(rows: readonly GateRows[]): RefusalGate {
  const rowOf = ({ margin, weight }: Weighed<GateRow>, fits: boolean): LogisticRow => ({
    values: [margin],
    isTrue: fits,
    weight,
  });
  const { coefficients, bias } = fitLogistic(
    rows.flatMap(({ own, foreign }) => [
      ...own.filter(({ inSight }) => inSight).map((row) => rowOf(row, true)),
      ...foreign.map((row) => rowOf(row, false)),
    ]),
  );
  return { margin: coefficients[0] ?? 0, bias };
}

const threshold = Math.log(REFUSE_BELOW / (1 - REFUSE_BELOW));

function isRefused({ margin, byWords, namesTool }: GateRow, gate: RefusalGate): boolean {
  return byWords || (!namesTool && fitLogit(gate, margin) < threshold);
}

/** How far all biases are moved for the stated share of own queries over whole catalogs to be refused, each set by the constants without it. */
function shiftFor(rows: readonly GateRows[], gates: readonly RefusalGate[]): number {
  let [low, high] = [-20, 20];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    const refused = mean(
      rows.map(({ whole }, set) => {
        const gate = { ...gates[set]!, bias: gates[set]!.bias + middle };
        return mean(whole.map((row) => Number(isRefused(row, gate))));
      }),
    );
    if (refused > REFUSED_ON_TRAIN) low = middle;
    else high = middle;
  }
  return high;
}
