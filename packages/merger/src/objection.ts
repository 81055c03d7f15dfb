/** What speaks against folding two tools. */
export interface Objection {
  /** In a sentence. */
  readonly reason: string;
  /** What would change it, in a sentence. */
  readonly wouldChange: string;
}
