/** Words by number, so that they are compared as numbers; grows with the world. */
export interface Vocabulary {
  readonly numbers: Map<string, number>;
  /** By word, how much it tells; words that came later tell as much as the rarest. */
  readonly rarity: number[];
  /** What a word that no tool had tells. */
  unknown: number;
  /** The tools that words were counted in. */
  tools: number;
}

export function createVocabulary(): Vocabulary {
  return { numbers: new Map(), rarity: [], unknown: 1, tools: 0 };
}

/** The numbers of words, new ones for those that are not known yet. */
export function numbersOf(vocabulary: Vocabulary, words: readonly string[]): number[] {
  return words.map((word) => {
    const known = vocabulary.numbers.get(word);
    if (known !== undefined) return known;
    const number = vocabulary.numbers.size;
    vocabulary.numbers.set(word, number);
    vocabulary.rarity.push(vocabulary.unknown);
    return number;
  });
}

/** Sets how much each word tells: ln(1 + N / (n + ½)), n the number of tools among N that have it in a name. */
export function countWords(vocabulary: Vocabulary, toolWords: readonly ReadonlySet<number>[]): void {
  const counts = new Uint32Array(vocabulary.numbers.size);
  for (const words of toolWords) for (const word of words) counts[word]!++;
  for (const [word, count] of counts.entries()) {
    vocabulary.rarity[word] = Math.log(1 + toolWords.length / (count + 0.5));
  }
  vocabulary.unknown = Math.log(1 + toolWords.length / 0.5);
  vocabulary.tools = toolWords.length;
}
