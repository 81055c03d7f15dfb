/** Words two texts share, of those that either has, from which on one is a near-copy of the other. */
const leastShared = 0.7;

/**
 * The texts without those that are a held-out text but for a word or two, by the words of both: a request that is measured must not
 * have been fitted on in another wording. At 0.8 the pairs are one sentence with a word put in or changed; at 0.7 they still ask
 * for the same thing, or for its like with other numbers.
 */
export function withoutNearCopies(texts: readonly string[], heldOut: readonly string[]): string[] {
  const sets = texts.map(wordsOf);
  const withWord = new Map<string, number[]>();
  for (const [text, words] of sets.entries())
    for (const word of words) {
      const list = withWord.get(word);
      if (list === undefined) withWord.set(word, [text]);
      else list.push(text);
    }
  const copies = new Set<number>();
  for (const words of heldOut.map(wordsOf)) {
    const shared = new Map<number, number>();
    for (const word of words)
      for (const text of withWord.get(word) ?? []) shared.set(text, (shared.get(text) ?? 0) + 1);
    for (const [text, count] of shared)
      if (count >= leastShared * (words.size + (sets[text]?.size ?? 0) - count)) copies.add(text);
  }
  return texts.filter((_, text) => !copies.has(text));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
