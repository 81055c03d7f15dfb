import { buildIndex, type ToolIndex } from "@setwise/retriever";
import type { SelectorSetting } from "./selector-setting.ts";
import type { SelectorState } from "./selector-state.ts";

/** The state over folded tools; `given` is its index with the tools encoded, if there is an encoder. */
export async function mergeState(
  state: SelectorState,
  given: ToolIndex,
  { merge, tokenCounter }: SelectorSetting,
  signal: AbortSignal | undefined,
): Promise<SelectorState> {
  const { mergeTools } = await import("@setwise/merger");
  const { catalog, embeddings } = given;
  const merged = await mergeTools(catalog, {
    ...merge?.options,
    ...(merge === undefined ? {} : { decisions: merge.decisions }),
    ...(embeddings === undefined
      ? {}
      : {
          vectors: {
            values: embeddings.vectors,
            dimensions: embeddings.dimensions,
            encoder: embeddings.encoder,
          },
        }),
    ...(tokenCounter === undefined ? {} : { tokenCounter }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { ...state, index: buildIndex(merged.catalog), folded: { merged, given } };
}
