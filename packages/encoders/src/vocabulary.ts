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
 * A vocabulary from a text with one piece a line, each line ended by a line feed and the lines in ascending order of
 * UTF-16 units; a piece's id is its line, from 0. Nothing is built but the offsets of the lines: looking a piece up
 * is a binary search, so that a process that asks for ten words does not pay for thirty thousand.
 *
 * Gives `undefined` where the text is not of that form.
 */
export function sortedVocabulary(text: string): Vocabulary | undefined {
  if (text.length === 0 || !text.endsWith("\n")) return undefined;
  const starts = [0];
  let longest = 0;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    longest = Math.max(longest, end - start);
    start = end + 1;
    starts.push(start);
  }
  const size = starts.length - 1;
  const pieceAt = (id: number) => text.slice(starts[id], starts[id + 1]! - 1);
  const idOf = (piece: string) => {
    let low = 0;
    let high = size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = pieceAt(middle);
      if (found === piece) return middle;
      if (found < piece) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
  return { size, longest, idOf };
}
