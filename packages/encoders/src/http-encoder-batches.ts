export interface BatchLimits {
  readonly maxBatchTexts: number;
  readonly maxBatchCharacters: number;
}

/** Groups neighbours: the positions of the texts of each batch, every batch within the limits or of one text; empty texts are left out. */
export function textBatches(texts: readonly string[], limits: BatchLimits): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  let characters = 0;
  for (const [position, { length }] of texts.entries()) {
    if (length === 0) continue;
    const full = batch.length === limits.maxBatchTexts || characters + length > limits.maxBatchCharacters;
    if (batch.length > 0 && full) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(position);
    characters += length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** At most `length` characters from the beginning, never half of a pair of surrogates. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? length - 1 : length);
}
