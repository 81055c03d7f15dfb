export interface TokenBatchOptions {
  /** Most tokens of a batch, padding included; a longer text is a batch of its own. */
  readonly tokens: number;
}

/**
 * Which texts to run together: positions in `lengths`, each in one batch, texts of like length side by side so that
 * little is padding. `tokenBatches([3, 9, 4], { tokens: 8 })` gives `[[0, 2], [1]]`.
 */
export function tokenBatches(
  lengths: readonly number[],
  { tokens }: TokenBatchOptions,
): readonly (readonly number[])[] {
  const lengthOf = (position: number) => lengths[position] ?? 0;
  const order = [...lengths.keys()].sort((left, right) => lengthOf(left) - lengthOf(right) || left - right);
  const batches: number[][] = [];
  let open: number[] = [];
  for (const position of order) {
    if (open.length > 0 && (open.length + 1) * lengthOf(position) > tokens) {
      batches.push(open);
      open = [];
    }
    open.push(position);
  }
  if (open.length > 0) batches.push(open);
  return batches;
}
