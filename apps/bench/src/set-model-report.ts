import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reliabilityDiagram } from "@setwise/evaluation";
import { type Curve, learningCurveSvg } from "./learning-curve.ts";
import { machine } from "./machine.ts";
import { columns } from "./merge-table.ts";
import { printedBy } from "./report-section.ts";
import { type SeedResult, setModelColumns, type SetModelFigures } from "./set-model-measure.ts";
import { spread } from "./spread.ts";
import { standaloneSvg } from "./standalone-svg.ts";

/** A trial with the results of its seeds. */
export interface MeasuredTrial {
  readonly level: string;
  readonly name: string;
  /** Queries that were learned from, development queries among them. */
  readonly trained: number;
  readonly isOneOfMany: boolean;
  readonly tests: readonly { readonly name: string; readonly queries: number; readonly untrained: SetModelFigures }[];
  readonly results: readonly SeedResult[];
}

/** Drawings stand in this folder beside the page. */
const FIGURES = "figures";
/** Whose probabilities are drawn. */
const RELIABLE = new Set(["ultratool", "toollens"]);
const CURVE = "ultratool";
const curveColumns = ["R@5", "C@5", "C@10", "exact"] as const;

/** The head of the table of {@link trialRows}. */
export const trialHeads: readonly string[] = tableHead(["log, test", "ranking", ...setModelColumns, "ECE", "training"]);

/** The lines of a trial: untrained and trained on each of its tests. */
export function trialRows({ name, trained, isOneOfMany, tests, results }: MeasuredTrial): string[] {
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0) / Math.max(1, results.length);
  return tests.flatMap((test, at) => {
    const label = `${name} (${trained}), ${test.name} (${test.queries})`;
    const cells = (all: readonly SetModelFigures[]): string[] =>
      setModelColumns.map((column) => spread(all.map((figures) => figures[column])));
    const measured = results.map((result) => result.tests[at]!);
    const error = spread(measured.map(({ calibration }) => calibration.ece));
    const figures = cells(measured.map((test) => test.figures));
    const untrained = cells([test.untrained]).slice(0, -1);
    const exact = spread(measured.map(({ untrainedExact }) => untrainedExact));
    return [
      ...(isOneOfMany ? [] : [columns([label, "untrained", ...untrained, exact, "–", "–"])]),
      columns([label, chosenBy(results), ...figures, error, `${seconds.toFixed(1)} s`]),
    ];
  });
}

/** The section of the page: all trials whose name begins with `only`, the learning curve and how honest probabilities are. */
export function setModelReport(all: readonly MeasuredTrial[], only = ""): string {
  const levels = [...new Set(all.map(({ level }) => level))];
  const seeds = Math.max(...all.map(({ results }) => results.length));
  return [
    "## What a log teaches",
    "",
    `Printed by \`${printedBy("set-model", seeds, only)}\` (${machine()}; ${new Date().toISOString().slice(0, 10)}). Trained on train splits, everything chosen on a part of those, measured on test`,
    "splits; mean ± standard deviation over seeds, in per cent. *Untrained* is the ranking without a log (its exact sets: with probabilities calibrated on the log); the other rows are what the software itself kept. *Exact*:",
    "the likeliest set is the right one. ECE: expected calibration error of P(t ∈ E) over tools of 1 % or more.",
    ...levels.flatMap((level) =>
      levelReport(
        all.filter((trial) => trial.level === level),
        level,
      ),
    ),
  ].join("\n");
}

function levelReport(trials: readonly MeasuredTrial[], level: string): string[] {
  const curve = trials.filter(isOfCurve);
  const reliable = trials.filter(({ name }) => RELIABLE.has(name));
  const whole = trials.filter(({ isOneOfMany }) => !isOneOfMany);
  return [
    "",
    `### ${level}`,
    ...(whole.length === 0 ? [] : ["", ...trialHeads, ...whole.flatMap(trialRows)]),
    ...(curve.length < 2 ? [] : curveReport(curve, level)),
    ...(reliable.length === 0 ? [] : reliabilityReport(reliable, level)),
  ];
}

/** How many queries it takes. */
function curveReport(curve: readonly MeasuredTrial[], level: string): string[] {
  const untrained = curve[0]!.tests[0]!.untrained;
  const rows = curve.map(({ trained, results }) => {
    const figures = curveColumns.map((column) => spread(results.map(({ tests }) => tests[0]?.figures[column])));
    const ece = spread(results.map(({ tests }) => tests[0]?.calibration.ece));
    return columns([String(trained), chosenBy(results), ...figures, ece]);
  });
  const rankings = curveColumns.slice(0, -1).map((column) => spread([untrained[column]]));
  const exact = spread(curve.at(-1)!.results.map(({ tests }) => tests[0]?.untrainedExact));
  const none = columns(["none", "untrained", ...rankings, exact, "–"]);
  return [
    "",
    `How many logged queries it takes (${CURVE}, ${level}; seed 1 up to 1,000 queries):`,
    "",
    ...tableHead(["queries", "kept", ...curveColumns, "ECE"]),
    none,
    ...rows,
    "",
    `![Learning curve of ${CURVE}, ${level}](${FIGURES}/${curveFile(level)})`,
  ];
}

/** Of seed 1: what was said by tenths, and what was. */
function reliabilityReport(trials: readonly MeasuredTrial[], level: string): string[] {
  const bins = trials.map(({ results }) => results[0]?.tests[0]?.calibration.bins ?? []);
  const tenths = Array.from({ length: 10 }, (_, tenth) => tenth);
  const cell = (of: (typeof bins)[number], tenth: number): string => {
    const bin = of.find(({ low }) => Math.round(10 * low) === tenth);
    return bin === undefined ? "–" : `${bin.probability.toFixed(2)} → ${bin.share.toFixed(2)} (${bin.count})`;
  };
  return [
    "",
    `How honest probabilities are (${level}, seed 1): P(t ∈ E) as said → share that was right (tools):`,
    "",
    ...tableHead(["said", ...trials.map(({ name, tests }) => `${name}, ${tests[0]?.name ?? ""}`)]),
    ...tenths.map((tenth) =>
      columns([`${(tenth / 10).toFixed(1)} to ${((tenth + 1) / 10).toFixed(1)}`, ...bins.map((of) => cell(of, tenth))]),
    ),
    "",
    trials
      .map(({ name }) => `![Reliability on ${name}, ${level}](${FIGURES}/${reliabilityFile(name, level)})`)
      .join(" "),
  ];
}

/** Writes the drawings that the report shows beside its page. */
export async function writeFigures(page: string, all: readonly MeasuredTrial[]): Promise<void> {
  const folder = join(dirname(page), FIGURES);
  await mkdir(folder, { recursive: true });
  for (const level of new Set(all.map((trial) => trial.level))) {
    const trials = all.filter((trial) => trial.level === level);
    const curve = trials.filter(isOfCurve);
    if (curve.length > 1) await writeFile(join(folder, curveFile(level)), curveSvg(curve, level));
    for (const { name, results } of trials.filter((trial) => RELIABLE.has(trial.name))) {
      const calibration = results[0]?.tests[0]?.calibration;
      if (calibration === undefined) continue;
      await writeFile(join(folder, reliabilityFile(name, level)), standaloneSvg(reliabilityDiagram(calibration)));
    }
  }
}

function curveSvg(trials: readonly MeasuredTrial[], level: string): string {
  const curves = curveColumns.map((name): Curve => ({
    name,
    untrained:
      name === "exact" ? trials.at(-1)?.results[0]?.tests[0]?.untrainedExact : trials[0]?.tests[0]?.untrained[name],
    points: trials.map(({ trained, results }) => ({
      queries: trained,
      share: results[0]?.tests[0]?.figures[name] ?? 0,
    })),
  }));
  return learningCurveSvg(`Learning curve of ${CURVE}, ${level}`, curves);
}

function isOfCurve({ name, isOneOfMany }: MeasuredTrial): boolean {
  return isOneOfMany || name === CURVE;
}

function chosenBy(results: readonly SeedResult[]): string {
  return [...new Set(results.map(({ chosen }) => chosen))].join(", ");
}

function tableHead(names: readonly string[]): string[] {
  return [columns(names), columns(names.map(() => "---"))];
}

const curveFile = (level: string): string => `set-model-curve-${level}.svg`;
const reliabilityFile = (trial: string, level: string): string => `set-model-reliability-${trial}-${level}.svg`;
