import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  balancedSize,
  calibrate,
  chooseK,
  likeliestSize,
  priorLogits,
  priorSizeOffsets,
  probabilityNothingFits,
  REFUSE_BELOW,
  setDistribution,
  type SetPrior,
} from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";
import { calibrationOf } from "@setwise/evaluation";
import { mulberry32 } from "@setwise/testkit/random";
import { testSplits, trainSplits } from "./data-sets.ts";
import {
  completeAt,
  type FrontierPoint,
  frontierOf,
  fixedRule,
  isComplete,
  type MeasuredSplit,
  sizeRules,
} from "./frontier.ts";
import { frontierSvg } from "./frontier-svg.ts";
import { encoderLevels, type LevelName } from "./levels.ts";
import { machine } from "./machine.ts";
import { table } from "./markdown-table.ts";
import { mean } from "./ranking-row.ts";
import { writeSection } from "./report-section.ts";
import { type HeldOut, heldOutFor, setRows, type SetRow } from "./set-quality-rows.ts";

export interface SetQualityOptions {
  readonly cache?: string | undefined;
  /** A page whose section on sizes is written, and the drawings beside it; printed otherwise. */
  readonly out?: string | undefined;
  /** `train`: the train and dev splits in place of the test splits, to choose by. */
  readonly only?: string | undefined;
}

const sizesCompared = [3.5, 4, 4.5, 5, 5.5, 6];
const foreignPairs = [
  ["tau-bench", "test", "restbench"],
  ["restbench", "test", "tau-bench"],
  ["api-bank", "test", "restbench"],
  ["toolbench", "test600", "tau-bench"],
] as const;
const LABELLED = 50;
const DRAWS = 3;

interface Level {
  readonly name: LevelName;
  readonly splits: readonly (MeasuredSplit & { readonly dataSet: string })[];
  readonly irrelevant: readonly SetRow[];
  readonly relevant: readonly SetRow[];
  readonly foreign: readonly (readonly SetRow[])[];
}

/** Sizes and refusals on the test splits, each data set by the constants fitted without it, as tables and drawings. */
export async function setQuality(
  folder: string,
  print: (line: string) => void,
  { cache, out, only }: SetQualityOptions = {},
): Promise<void> {
  const levels: Level[] = [];
  for (const { name, encoder } of await encoderLevels(cache)) {
    levels.push(await measureLevel(folder, name, encoder, only === "train"));
    process.stderr.write(`${name}\n`);
  }
  const frontiers = levels.map(({ name, splits }) => ({
    name,
    rules: sizeRules.map((rule) => ({ name: rule.name, points: frontierOf(splits, rule) })),
  }));
  const report = [
    ...head(only === "train"),
    "",
    "### What is handed over",
    "",
    setsTable(levels),
    "",
    "### Complete more often than a fixed number of tools of the same mean size",
    "",
    frontierTable(frontiers),
    ...(out === undefined
      ? []
      : ["", ...frontiers.map(({ name }) => `![Share complete by mean size, ${name}](${drawing(name)})`)]),
    "",
    "### Nothing fits",
    "",
    refusalTable(levels),
    "",
    `### ${LABELLED} labelled requests`,
    "",
    calibrationTable(levels),
    "",
    "### How far P(t ∈ E) can be trusted",
    "",
    trustTable(levels),
  ].join("\n");
  if (out === undefined) return print(report);
  await writeSection(out, "sizes and refusals", report);
  await mkdir(join(dirname(out), "figures"), { recursive: true });
  for (const { name, rules } of frontiers) await writeFile(join(dirname(out), drawing(name)), frontierSvg(rules));
}

const drawing = (level: LevelName): string => `figures/set-sizes-${level}.svg`;

async function measureLevel(
  folder: string,
  name: LevelName,
  encoder: Encoder | undefined,
  onTrain: boolean,
): Promise<Level> {
  const splits: (MeasuredSplit & { readonly dataSet: string })[] = [];
  for (const split of onTrain ? trainSplits : testSplits) {
    const rows = (await setRows(folder, split, encoder)).filter(({ rightTools }) => rightTools > 0);
    splits.push({ rows, dataSet: split.dataSet, heldOut: await heldOutFor(name, encoder, split.dataSet) });
  }
  const own = (split: string): Promise<SetRow[]> =>
    onTrain ? Promise.resolve([]) : setRows(folder, { dataSet: "bfcl", split }, encoder, { ownCandidates: true });
  const foreign: SetRow[][] = [];
  for (const [dataSet, split, catalogOf] of onTrain ? [] : foreignPairs)
    foreign.push(await setRows(folder, { dataSet, split }, encoder, { catalogOf }));
  return { name, splits, irrelevant: await own("irrelevance"), relevant: await own("test"), foreign };
}

function head(onTrain: boolean): readonly string[] {
  const date = new Date().toISOString().slice(0, 10);
  return [
    "## How many tools, and when none",
    "",
    `Printed by \`node apps/bench/dist/main.mjs set-quality --data DIR\` (${machine()}; ${date}). Means over the ${onTrain ? "train and dev" : "13 test"} splits, in per cent, without logs. Seal-tools, ultratool, metatool and tau-bench, on whose train and dev`,
    "queries constants were fitted, are each measured with constants fitted without them.",
  ];
}

const logitsOf = (
  prior: SetPrior,
  { scores, requests, wordEvidence }: SetRow,
): readonly [Float64Array, Float64Array] => [
  priorLogits(prior, scores, wordEvidence),
  priorSizeOffsets(prior, requests),
];

/** Precision, recall, F1, exact, complete and size of the first `size` candidates; shares in 0..1. */
function worth(row: SetRow, size: number): readonly number[] {
  const hits = row.right.filter((place) => place < size).length;
  return [
    size === 0 ? 0 : hits / size,
    hits / row.rightTools,
    (2 * hits) / (size + row.rightTools),
    Number(hits === size && hits === row.rightTools),
    Number(isComplete(row, size)),
    size,
  ];
}

type SizeOf = (row: SetRow, heldOut: HeldOut) => number;

function meansOf(splits: Level["splits"], sizeOf: SizeOf): readonly number[] {
  const each = splits.map(({ rows, heldOut }) => {
    const values = rows.map((row) => worth(row, Math.min(sizeOf(row, heldOut), row.scores.length)));
    return [0, 1, 2, 3, 4, 5].map((column) => mean(values.map((value) => value[column] ?? 0)));
  });
  return [0, 1, 2, 3, 4, 5].map((column) => mean(each.map((value) => value[column] ?? 0)));
}

const goalSize =
  (goal: "balanced" | "exact" | "complete"): SizeOf =>
  ({ scores, requests, wordEvidence }, { prior }) =>
    chooseK(scores, { goal, prior, requests, wordEvidence }).k;

function setsTable(levels: readonly Level[]): string {
  const rules: readonly (readonly [string, SizeOf])[] = [
    ["`balanced`", goalSize("balanced")],
    ["`exact`", goalSize("exact")],
    ["`complete`", goalSize("complete")],
    ...[2, 3, 5].map((k) => [`fixed ${k}`, () => k] as const),
  ];
  return table(
    ["", "goal", "precision", "recall", "F1", "exact", "complete", "tools"],
    levels.flatMap(({ name, splits }) =>
      rules.map(([label, sizeOf]) => {
        const means = meansOf(splits, sizeOf);
        return [name, label, ...means.slice(0, 5).map(inPercent), (means[5] ?? 0).toFixed(2)];
      }),
    ),
  );
}

function frontierTable(
  frontiers: readonly {
    readonly name: string;
    readonly rules: readonly { readonly name: string; readonly points: readonly FrontierPoint[] }[];
  }[],
): string {
  return table(
    ["", "rule", ...sizesCompared.map((size) => `${size} tools`)],
    frontiers.flatMap(({ name, rules }) => {
      const fixed = rules.find((rule) => rule.name === fixedRule.name)?.points ?? [];
      return rules.map((rule) => [
        name,
        rule.name,
        ...sizesCompared.map((size) => {
          const [share, other] = [completeAt(rule.points, size), completeAt(fixed, size)];
          if (share === undefined || other === undefined) return "";
          return rule.name === fixedRule.name ? inPercent(share / 100) : signed(share - other);
        }),
      ]);
    }),
  );
}

function isRefused(row: SetRow, gate: HeldOut["gate"]): boolean {
  const foreign = gate === undefined || row.margin === undefined ? undefined : { gate, margin: row.margin };
  return 1 - probabilityNothingFits(row.evidence, row.bestCosine, foreign) < REFUSE_BELOW;
}

function refusalTable(levels: readonly Level[]): string {
  const share = (rows: readonly SetRow[], gate: HeldOut["gate"]): number =>
    mean(rows.map((row) => Number(isRefused(row, gate))));
  return table(
    [
      "refused",
      "of the 13 splits, mean",
      "most of one",
      "bfcl, own candidates serve it",
      "none serves it",
      ...foreignPairs.map(([from, , to]) => `${from} in ${to}`),
      "mean of the four",
    ],
    levels.map(({ name, splits, irrelevant, relevant, foreign }) => {
      const each = splits.map(({ rows, heldOut }) => share(rows, heldOut.gate));
      // Bfcl, RestBench, API-Bank and ToolBench were fitted on nowhere; tau-bench's queries have the gate without it.
      const shipped = splits.find(({ dataSet }) => dataSet === "bfcl")?.heldOut.gate;
      const without = (dataSet: string) => splits.find((split) => split.dataSet === dataSet)?.heldOut.gate ?? shipped;
      const pairs = foreign.map((rows, i) =>
        share(
          rows,
          without(
            foreignPairs[i]?.[0] === "restbench" || foreignPairs[i]?.[0] === "toolbench"
              ? "tau-bench"
              : (foreignPairs[i]?.[0] ?? ""),
          ),
        ),
      );
      return [
        name,
        mean(each),
        Math.max(...each),
        share(relevant, shipped),
        share(irrelevant, shipped),
        ...pairs,
        mean(pairs),
      ].map((value) => (typeof value === "string" ? value : inPercent(value)));
    }),
  );
}

/** Exact sets before and after calibration with some of each split's own requests, measured on the others. */
function calibrationTable(levels: readonly Level[]): string {
  return table(
    ["", "exact, before", "after", "F1 balanced, before", "after"],
    levels.map(({ name, splits }) => {
      const results: number[][] = [];
      for (const { rows, heldOut } of splits.filter((split) => split.rows.length >= 2 * LABELLED)) {
        for (let draw = 1; draw <= DRAWS; draw++) {
          const drawn = shuffled(rows, draw);
          const [labelled, others] = [drawn.slice(0, LABELLED), drawn.slice(LABELLED)];
          if (labelled.filter(({ right }) => right.length > 0 && right.length <= 5).length < 20) continue;
          const { prior } = calibrate(labelled, { prior: heldOut.prior });
          const by = (used: SetPrior, column: number, size: (l: Float64Array, c: Float64Array) => number): number =>
            mean(others.map((row) => worth(row, size(...logitsOf(used, row)))[column] ?? 0));
          const balanced = (l: Float64Array, c: Float64Array): number => balancedSize(setDistribution(l, c));
          results.push([
            by(heldOut.prior, 3, likeliestSize),
            by(prior, 3, likeliestSize),
            by(heldOut.prior, 2, balanced),
            by(prior, 2, balanced),
          ]);
        }
      }
      return [name, ...[0, 1, 2, 3].map((column) => inPercent(mean(results.map((result) => result[column] ?? 0))))];
    }),
  );
}

function trustTable(levels: readonly Level[]): string {
  return table(
    ["", "ECE, tools with P > 0.05, mean over splits", "least of a split", "most"],
    levels.map(({ name, splits }) => {
      const errors = splits.map(
        ({ rows, heldOut }) =>
          calibrationOf(
            rows.flatMap((row) =>
              [...setDistribution(...logitsOf(heldOut.prior, row)).inclusion].map((probability, place) => ({
                probability,
                holds: row.right.includes(place),
              })),
            ),
          ).ece,
      );
      return [name, ...[mean(errors), Math.min(...errors), Math.max(...errors)].map((value) => value.toFixed(3))];
    }),
  );
}

function shuffled<T>(rows: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const drawn = [...rows];
  for (let i = drawn.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [drawn[i], drawn[j]] = [drawn[j] as T, drawn[i] as T];
  }
  return drawn;
}

const inPercent = (share: number): string => (100 * share).toFixed(1);
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
