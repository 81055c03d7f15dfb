/**
 * Candidate tools of one query as columns: `ids[i]` (catalog ordinals) has `scores[i]`, best first, equal scores by lower
 * ordinal.
 */
export interface Candidates {
  /** Catalog ordinals, length n. */
  readonly ids: Uint32Array;
  /** Scores, length n, descending, finite. */
  readonly scores: Float32Array;
}

/**
 * What the words of a query say about whether any tool fits. Unlike a score it does not depend on the query's own best
 * result, so an answer can be refused. A 'word' is a distinct content word, after stop words and stemming; its weight is its
 * inverse document frequency, and a word that no tool has weighs as much as the rarest possible one.
 */
export interface LexicalEvidence {
  /** Largest share (0..1, by weight) of the query's words that one tool has. */
  readonly queryCoverage: number;
  /** Largest share (0..1, by weight) of a tool name's words that the query has. */
  readonly nameCoverage: number;
  /** Largest number of the query's words that one tool has. */
  readonly matchedWords: number;
  /** Number of the query's words. */
  readonly queryWords: number;
  /** Whether the query holds some tool's whole name. */
  readonly namesTool: boolean;
}
