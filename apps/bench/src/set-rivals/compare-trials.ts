import { keptResults, trialHash } from "../kept-results.ts";
import { encoderLevels } from "../levels.ts";
import { machine } from "../machine.ts";
import { columns } from "../merge-table.ts";
import { printedBy, writeSection } from "../report-section.ts";
import { type SetModelTrial, setModelTrials } from "../set-model-trials.ts";
import { spread } from "../spread.ts";
import { rivalColumns } from "./rival.ts";

const DEFAULT_SEEDS = 5;
const dataSets = ["ultratool", "toollens"];
const compared = new Set(["ultratool", "toollens", "toollens, unseen combinations"]);

/** What one way of choosing reached on the test queries. */
export interface WayResult {
  readonly name: string;
  /** What was chosen on development queries. */
  readonly constants?: string;
  /** Means in 0..1 in the order of {@link rivalColumns}. */
  readonly figures: readonly number[];
  /** Expected calibration error of P(t ∈ E), where there are probabilities. */
  readonly ece?: number;
}

export interface CompareOptions {
  readonly cache?: string | undefined;
  readonly seeds?: string | undefined;
  /** Only trials whose name begins so. */
  readonly only?: string | undefined;
  /** A page whose section is written. */
  readonly out?: string | undefined;
}

/** A comparison of ways over the same trials. */
export interface Comparison {
  /** The command, and the section of the page. */
  readonly command: string;
  readonly title: string;
  /** What the table compares, lines of Markdown. */
  readonly about: readonly string[];
  measure(trial: SetModelTrial, seed: number): Promise<readonly WayResult[]>;
}

/** Measures every way on the trials of all encoders, prints a table for each and writes them into the section of a page. */
export async function compareTrials(
  { command, title, about, measure }: Comparison,
  folder: string,
  print: (line: string) => void,
  { cache, seeds = String(DEFAULT_SEEDS), only = "", out }: CompareOptions,
): Promise<void> {
  const kept = await keptResults(cache);
  const count = Number(seeds);
  const tables: string[] = [];
  for (const { name: level, encoder } of (await encoderLevels(cache)).toReversed()) {
    if (encoder === undefined) continue;
    for (const dataSet of dataSets.filter((name) => name.startsWith(only.slice(0, name.length)))) {
      for await (const trial of setModelTrials(folder, encoder, dataSet)) {
        if (!compared.has(trial.name) || !trial.name.startsWith(only)) continue;
        const data = trialHash(trial);
        const bySeed: (readonly WayResult[])[] = [];
        for (let seed = 1; seed <= count; seed++) {
          bySeed.push(await kept.of({ command, level, trial: trial.name, data, seed }, () => measure(trial, seed)));
          process.stderr.write(`${command}: ${level}, ${trial.name}, seed ${seed}\n`);
        }
        const lines = [`### ${trial.name}, ${level}`, "", ...tableOf(bySeed)];
        [...lines, ""].forEach(print);
        tables.push(...lines, "");
      }
    }
  }
  if (out === undefined) return;
  const date = new Date().toISOString().slice(0, 10);
  const how = `Printed by \`${printedBy(command, count, only)}\` (${machine()}; ${date}); mean ± standard deviation over seeds, test splits, in per cent.`;
  await writeSection(out, command, [`## ${title}`, "", how, ...about, "", ...tables].join("\n"));
}

/** A line for each way; constants of all seeds, where they differ one after the other. */
export function tableOf(bySeed: readonly (readonly WayResult[])[]): string[] {
  const ways = bySeed[0] ?? [];
  const hasErrors = ways.some(({ ece }) => ece !== undefined);
  const hasConstants = ways.some(({ constants = "" }) => constants !== "");
  const heads = ["", ...(hasConstants ? ["chosen"] : []), ...rivalColumns, ...(hasErrors ? ["ECE"] : [])];
  const rows = ways.map(({ name }, at) => {
    const results = bySeed.map((seed) => seed[at]!);
    const constants = [...new Set(results.map((result) => result.constants ?? ""))].join("; ");
    const figures = rivalColumns.map((_, column) => spread(results.map((result) => result.figures[column])));
    const error = hasErrors ? [spread(results.map(({ ece }) => ece))] : [];
    return columns([name, ...(hasConstants ? [constants] : []), ...figures, ...error]);
  });
  return [columns(heads), columns(heads.map(() => "---")), ...rows];
}
