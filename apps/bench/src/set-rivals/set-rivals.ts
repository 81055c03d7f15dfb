import { hysetSetStage, type SetStageOptions } from "@setwise/native";
import { openSetScorer, rankTools } from "@setwise/set-scorer";
import type { SetModelTrial } from "../set-model-trials.ts";
import { type CompareOptions, compareTrials, type WayResult } from "./compare-trials.ts";
import { facilityLocation } from "./facility-location.ts";
import { marginalRelevance } from "./marginal-relevance.ts";
import { paperForm } from "./paper-form.ts";
import { predictedSize } from "./predicted-size.ts";
import { type LabelledPool, meanColumns, rivalFigures, type SetRival } from "./rival.ts";
import { setFunction } from "./set-function.ts";
import { topK } from "./top-k.ts";
import { contender, poolsOf, type TrainedTrial, trainTrial, WHOLE } from "./train-trial.ts";
import { trainSets } from "./train-sets.ts";

const SET_EPOCHS = 3;
const noPairs = { interactions: false, coUse: false, knownSets: false };
const withM = { ...noPairs, interactions: true };
/** The paper's attention: as its authors train it, and by the plan of our own stage. */
const paperStages: Readonly<Record<string, SetStageOptions>> = {
  "the paper's training": hysetSetStage,
  "our training": {
    epochs: SET_EPOCHS,
    alignment: "softmax",
    train: ["projection", "embeddings", "interactions", "featureWeights"],
  },
};

/** Ways to choose sets that others have, over the same trained match. */
export function setRivals(folder: string, print: (line: string) => void, options: CompareOptions = {}): Promise<void> {
  const about = [
    "One training a seed; every way has the pool and log p of its match (those with M train on from it) and chooses its constants on the development part of the train split by the mean of these seven",
    "columns. *Sets* are distributions over sets with size offsets, ranked by coverage. *Setwise* is what the software keeps.",
  ];
  const title = "Ways to choose a set, over the same trained match";
  return compareTrials({ command: "set-rivals", title, about, measure: measureRivals }, folder, print, options);
}

/** Trains by one seed and measures every way on the test queries. */
export async function measureRivals(trial: SetModelTrial, seed: number): Promise<WayResult[]> {
  const trained = await trainTrial(trial, { seed });
  // Its log p are those of the match; what it knows besides is counted by no way that is not told to.
  const match = contender(trained, WHOLE);
  const { data, development, run } = trained;
  const train = (interactions: "shared" | "by-size", stage: SetStageOptions) =>
    trainSets(data, match, { interactions, stage, development, ...run });
  const own = poolsOf(trained, match);
  const ways = [topK, marginalRelevance, facilityLocation, predictedSize, setFunction("sets, no M", noPairs)].map(
    (rival) => resultOf(rival, own.development, own.test),
  );
  const shared = poolsOf(trained, await train("shared", { epochs: SET_EPOCHS }));
  ways.push(resultOf(setFunction("sets, shared M", withM), shared.development, shared.test));
  const bySize = poolsOf(trained, contender(trained, "match with interactions"));
  ways.push(resultOf(setFunction("sets, an M a size", withM), bySize.development, bySize.test));
  ways.push(await paperResult(trained, (stage) => train("by-size", stage)));
  return [...ways, keptResult(trained)];
}

function resultOf(rival: SetRival, development: readonly LabelledPool[], test: readonly LabelledPool[]): WayResult {
  const { constants, choose } = rival.fit(development);
  return {
    name: rival.name,
    constants,
    figures: meanColumns(test.map(({ pool, gold }) => rivalFigures(choose(pool), gold))),
  };
}

/** The paper's form by the training that serves development queries better. */
async function paperResult(
  trained: TrainedTrial,
  train: (stage: SetStageOptions) => ReturnType<typeof trainSets>,
): Promise<WayResult> {
  const name = "the paper's form (attention)";
  const tried: { readonly constants: string; readonly worth: number; readonly result: WayResult }[] = [];
  for (const [constants, stage] of Object.entries(paperStages)) {
    const { development, test } = poolsOf(trained, await train(stage));
    const result = resultOf(paperForm(name), development, test);
    const onDevelopment = resultOf(paperForm(name), development, development).figures;
    tried.push({ constants, result, worth: onDevelopment.reduce((sum, figure) => sum + figure, 0) });
  }
  const best = tried.reduce((one, other) => (other.worth > one.worth ? other : one));
  return { ...best.result, constants: best.constants };
}

/** What the software itself kept. */
function keptResult({ model, report, testQueries }: TrainedTrial): WayResult {
  const scorer = openSetScorer(model);
  const rows = testQueries.map(({ query, gold }) => {
    const scored = scorer.score(query);
    return rivalFigures({ ranking: rankTools(scored).ids, set: scored.best[0]?.ids ?? new Uint32Array(0) }, gold);
  });
  scorer.dispose();
  return { name: "Setwise", constants: report.chosen, figures: meanColumns(rows) };
}
