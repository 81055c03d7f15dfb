/** The pieces a tokenizer knows, each with its id. */
export interface Vocabulary {
  readonly size: number;
  /** Length of the longest piece in UTF-16 units: longer ones need not be looked up. */
  readonly longest: number;
  /** The id of `piece`, or -1. */
  idOf(piece: string): number;
}

/** A vocabulary from the table of a `tokenizer.json`. */
export function vocabularyOf(ids: ReadonlyMap<string, number>): Vocabulary {
  let longest = 0;
  for (const piece of ids.keys()) longest = Math.max(longest, piece.length);
  return { size: ids.size, longest, idOf: (piece) => ids.get(piece) ?? -1 };
}

/**
 * A vocabulary from a text with one piece a line: the shortest pieces first, of equal length in ascending order of
 * UTF-16 units, each line ended by a line feed; a piece's id is its line, from 0. `counts` says how many pieces have
 * length 1, 2, … So each piece is found by a binary search among equally long lines, and nothing has to be built
 * first: a process that asks for ten words does not pay for thirty thousand.
 *
 * Gives `undefined` where the text does not have the length that the counts say.
 */
export function sortedVocabulary(text: string, counts: readonly number[]): Vocabulary | undefined {
  let size = 0;
  let start = 0;
  const groups = counts.map((count, index) => {
    const group = { firstId: size, start, count };
    size += count;
    start += count * (index + 2);
    return group;
  });
  if (size === 0 || start !== text.length || !text.endsWith("\n")) return undefined;
  const idOf = (piece: string) => {
    const group = groups[piece.length - 1];
    if (group === undefined) return -1;
    let low = 0;
    let high = group.count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const at = group.start + middle * (piece.length + 1);
      const found = text.slice(at, at + piece.length);
      if (found === piece) return group.firstId + middle;
      if (found < piece) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
  return { size, longest: counts.length, idOf };
}

/** Shorter first, then by UTF-16 units: the order of {@link sortedVocabulary}. */
export function comparePieces(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left < right ? -1 : 1;
}
