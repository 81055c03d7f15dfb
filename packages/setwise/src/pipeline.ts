import type { LabelledQuery, TokenUse } from "@setwise/core";
import type { SelectOptions } from "./select-options.ts";
import type { Selector } from "./selector.ts";

export interface PipelineOptions extends SelectOptions {
  /** Offer each query only its own `candidates`, where it names some. */
  readonly ownCandidates?: boolean;
}

/** What a selector answers to a labelled query, as ids. */
export interface SelectorAnswer {
  readonly ranking: readonly string[];
  readonly selected: readonly string[];
  readonly tokens: TokenUse;
  /** P(tool ∈ right set) of the first candidates. */
  readonly probabilities: ReadonlyMap<string, number>;
}

/** A selector as a pipeline function for `@setwise/evaluation`: the full ranking, what `select` returns, and how sure it is. */
export function selectorPipeline(
  selector: Selector,
  options: PipelineOptions = {},
): (query: LabelledQuery) => Promise<SelectorAnswer> {
  const { ownCandidates = false, ...selectOptions } = options;
  return async ({ query, candidates }) => {
    const allow =
      ownCandidates && candidates !== undefined
        ? candidates.filter((id) => selector.catalog.ordinalOf(id) !== undefined)
        : undefined;
    const selection = await selector.select(query, allow === undefined ? selectOptions : { ...selectOptions, allow });
    return {
      ranking: selection.candidates.map((candidate) => candidate.id),
      selected: selection.chosen.map((tool) => tool.id),
      tokens: selection.tokens,
      probabilities: selection.probabilities,
    };
  };
}
