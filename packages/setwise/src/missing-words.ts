import { type ToolIndex, words } from "@setwise/retriever";

/** The words of a query, as they stand in it, that no tool has: what is missing, so that an agent can ask back. */
export function missingWords({ vocabulary }: ToolIndex, query: string): readonly string[] {
  const missing = new Map<string, string>();
  for (const [word] of query.matchAll(/[\p{L}\p{M}\p{N}_'’-]+/gu)) {
    const stems = words(word);
    const key = stems.join(" ");
    if (key !== "" && !missing.has(key) && !stems.some((stem) => vocabulary.has(stem))) missing.set(key, word);
    if (missing.size === MOST_WORDS) break;
  }
  return [...missing.values()];
}

/** More would not be read. */
const MOST_WORDS = 10;
