/**
 * Writes the best `k` of `count` products into the columns, best first, equal products by lower ordinal. `ordinals` are
 * ascending (where there are none, position i is row i), so an equal product that comes later never displaces one.
 *
 * Adding 0 makes −0 the +0 that it ties with. `ids` and `scores` (length k, at least 1) are used as a heap with the worst entry at its root, and sorted in place at the end.
 */
export function selectTop(
  products: Float32Array,
  ordinals: Uint32Array | undefined,
  count: number,
  ids: Uint32Array,
  scores: Float32Array,
): void {
  const k = ids.length;
  for (let i = 0; i < k; i += 1) {
    rise(ids, scores, i, products[i]! + 0, ordinals === undefined ? i : ordinals[i]!);
  }
  let worst = scores[0]!;
  for (let i = k; i < count; i += 1) {
    if (products[i]! > worst) {
      sink(ids, scores, k, products[i]! + 0, ordinals === undefined ? i : ordinals[i]!);
      worst = scores[0]!;
    }
  }
  for (let end = k - 1; end > 0; end -= 1) {
    const id = ids[end]!;
    const score = scores[end]!;
    ids[end] = ids[0]!;
    scores[end] = scores[0]!;
    sink(ids, scores, end, score, id);
  }
}

/** Puts an entry at the end of a heap of `end` entries. */
function rise(ids: Uint32Array, scores: Float32Array, end: number, score: number, id: number): void {
  let child = end;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!isWorse(score, id, scores[parent]!, ids[parent]!)) break;
    ids[child] = ids[parent]!;
    scores[child] = scores[parent]!;
    child = parent;
  }
  ids[child] = id;
  scores[child] = score;
}

/** Replaces the root of a heap of `length` entries. */
function sink(ids: Uint32Array, scores: Float32Array, length: number, score: number, id: number): void {
  let parent = 0;
  for (;;) {
    let child = 2 * parent + 1;
    if (child >= length) break;
    const right = child + 1;
    if (right < length && isWorse(scores[right]!, ids[right]!, scores[child]!, ids[child]!)) child = right;
    if (!isWorse(scores[child]!, ids[child]!, score, id)) break;
    ids[parent] = ids[child]!;
    scores[parent] = scores[child]!;
    parent = child;
  }
  ids[parent] = id;
  scores[parent] = score;
}

/** Whether the first entry comes behind the second in the answer. */
function isWorse(score: number, id: number, otherScore: number, otherId: number): boolean {
  return score < otherScore || (score === otherScore && id > otherId);
}
