import { type Problem, SetwiseError, shownName } from "@setwise/core";
import type { ModelChanges, SetModel } from "@setwise/set-scorer";

/** A model that knows a smaller share of the tools, … */
const FEWEST_OF_CATALOG = 0.1;
/** … and of whose own tools a smaller share is there, is of another catalog: what it learned says nothing of this one. */
const FEWEST_OF_MODEL = 0.5;
/** With a smaller share of the tools known it is told. */
const TOLD = 0.5;

/**
 * What is to be told of how many of `toolCount` tools a model knows.
 *
 * @throws SetwiseError `invalid-argument` for a model of another catalog, a few tools in common or not.
 */
export function overlapProblems(model: SetModel, changes: ModelChanges, toolCount: number): readonly Problem[] {
  const known = changes.known + changes.renamed.length;
  if (known < FEWEST_OF_CATALOG * toolCount && known < FEWEST_OF_MODEL * model.tools.length) {
    const stranger = changes.removed[0] ?? "none";
    throw new SetwiseError(
      "invalid-argument",
      `The set model knows ${known} of the ${toolCount} tools: it was trained for another catalog (of ${model.tools.length} tools, ${shownName(stranger)} among them). Train one for this catalog, or leave the model out.`,
    );
  }
  if (known >= TOLD * toolCount) return [];
  const message = `The set model knows ${known} of the ${toolCount} tools; the others are told by their texts. Train it again once the log has requests for them.`;
  return [{ code: "little-known", message }];
}
