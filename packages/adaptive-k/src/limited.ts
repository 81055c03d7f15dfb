import type { ChooseKOptions, Cut } from "./choose-k.ts";

/** The first `most` positions of `order` whose tokens fit into the budget together; one that does not fit is passed over, not those behind it. */
export function withinBudget(
  order: Iterable<number>,
  most: number,
  { maxTokens = Infinity, tokens }: Pick<ChooseKOptions, "maxTokens" | "tokens">,
): Uint32Array {
  const kept: number[] = [];
  let spent = 0;
  for (const position of order) {
    if (kept.length === most) break;
    const cost = maxTokens === Infinity ? 0 : (tokens?.[position] ?? 0);
    if (spent + cost > maxTokens) continue;
    spent += cost;
    kept.push(position);
  }
  return Uint32Array.from(kept);
}

/** What the limits made of `k` tools, as a sentence more. */
export function limited(
  { k, kept, wanted }: Pick<Cut, "k" | "kept"> & { readonly wanted: number },
  { maxTokens }: ChooseKOptions,
): string {
  const last = kept.at(-1) ?? -1;
  if (kept.length === wanted && last === wanted - 1) return wanted === k ? "" : ` The limits make it ${wanted}.`;
  if (kept.length === 0) return ` Within ${maxTokens} tokens none fits.`;
  const first = k === 0 ? "" : `, ${kept.filter((position) => position < k).length} of the first ${k} among them`;
  return ` Within ${maxTokens} tokens ${kept.length} are kept${first}.`;
}
