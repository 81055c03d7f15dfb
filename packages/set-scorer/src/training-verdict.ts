import type { StageResults } from "./train-stages.ts";
import type { Contender } from "./trial.ts";

/** The contender that ranks as the untrained pipeline does. */
export function untrainedOf(contenders: readonly Contender[]): Contender {
  return contenders.find(({ name }) => name === "untrained")!;
}

/** What became of the comparison, in one sentence for a person; `enough` says whether anything was learned. */
export function verdictOf(
  contenders: readonly Contender[],
  kept: Contender,
  enough: boolean,
  training: number,
): string {
  const stays = {
    previous: "the model that there was stays as it is",
    untrained: "the untrained ranking stays, with its probabilities calibrated",
  };
  if (kept.name === "previous" || kept.name === "untrained") {
    const why = enough
      ? "Nothing that was learned is sure to be better"
      : `${training} queries are too few to learn from`;
    return `${why}: ${stays[kept.name]}.`;
  }
  const { figures: before } = untrainedOf(contenders);
  const { figures: now } = kept;
  const of = (share: number): string => (100 * share).toFixed(1);
  return `The ${kept.name} was kept: recall at 5 ${of(before.recall5)} → ${of(now.recall5)} %, all tools among the first 5 ${of(before.completeness5)} → ${of(now.completeness5)} %, on development queries.`;
}

/** What is to be said besides where no request could be set aside; else nothing. */
export function unmeasuredNote(measuredOn: number): string {
  return measuredOn > 0
    ? ""
    : " Nothing was measured: no request with a tool could be set aside, so that the figures say nothing.";
}

/** What is to be said besides where a stage was stopped; else nothing. */
export function stoppedNote(stopped: StageResults["stopped"]): string {
  return stopped === undefined
    ? ""
    : ` Training of the ${stopped} stopped at a number that was NaN or infinite; what was learned before it counts.`;
}
