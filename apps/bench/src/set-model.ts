import { keptResults, trialHash } from "./kept-results.ts";
import { encoderLevels } from "./levels.ts";
import { writeSection } from "./report-section.ts";
import { measureSeed, type SeedResult, untrainedFigures } from "./set-model-measure.ts";
import { type MeasuredTrial, setModelReport, trialHeads, trialRows, writeFigures } from "./set-model-report.ts";
import { setModelTrials } from "./set-model-trials.ts";

const DEFAULT_SEEDS = 5;

export interface SetModelOptions {
  /** Keeps what transformers encoded, and what finished trials found, from one run to the next. */
  readonly cache?: string | undefined;
  /** How many seeds, from 1 on; the learning curve has the first alone. */
  readonly seeds?: string | undefined;
  /** Only trials whose name begins so. */
  readonly only?: string | undefined;
  /** A page whose section is written, with the figures that it shows in a folder beside it. */
  readonly out?: string | undefined;
}

/** What sets learned from logs are worth on test splits: trained on train splits, everything chosen on a part of those. */
export async function setModel(
  folder: string,
  print: (line: string) => void,
  { cache, seeds = String(DEFAULT_SEEDS), only = "", out }: SetModelOptions = {},
): Promise<void> {
  const kept = await keptResults(cache);
  const all: MeasuredTrial[] = [];
  for (const { name: level, encoder } of (await encoderLevels(cache)).toReversed()) {
    if (encoder === undefined) continue;
    print(`\n## ${level}\n`);
    trialHeads.forEach(print);
    for await (const trial of setModelTrials(folder, encoder, only)) {
      const data = trialHash(trial);
      const results: SeedResult[] = [];
      for (let seed = 1; seed <= (trial.isOneOfMany === true ? 1 : Number(seeds)); seed++) {
        const settings = { command: "set-model", level, trial: trial.name, data, seed };
        const result = await kept.of(settings, () => measureSeed(trial, seed));
        process.stderr.write(`${trial.name}, seed ${seed}: ${result.verdict}\n`);
        results.push(result);
      }
      const measured: MeasuredTrial = {
        level,
        name: trial.name,
        trained: trial.train.length,
        isOneOfMany: trial.isOneOfMany === true,
        tests: trial.tests.map((test) => ({
          name: test.name,
          queries: test.queries.length,
          untrained: untrainedFigures(test),
        })),
        results,
      };
      trialRows(measured).forEach(print);
      all.push(measured);
    }
  }
  if (out === undefined) return;
  await writeFigures(out, all);
  await writeSection(out, "set-model", setModelReport(all, only));
}
