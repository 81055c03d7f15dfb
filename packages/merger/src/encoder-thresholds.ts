/**
 * Cosines below which two tools are no candidates, by encoder; measured on labelled pairs
 * (docs/decisions/2026-11-30-merging.md). Names are matched by their beginning.
 */
const thresholds: readonly (readonly [prefix: string, candidateFrom: number])[] = [
  ["static:minilm-256", 0.55],
  ["joint:onnx:all-MiniLM-L6-v2", 0.55],
];
/** For encoders that were not measured: what ToolScope takes for gte-large. */
const OTHERWISE = 0.82;

/** The cosine from which on two tools are compared. */
export function candidateCosine(encoder: string): number {
  return thresholds.find(([prefix]) => encoder.startsWith(prefix))?.[1] ?? OTHERWISE;
}
