/**
 * The `k` tools with the highest scores, best first, equal scores by lower ordinal.
 *
 * @param ordinals Distinct ordinals, of which the first `count` are looked at; reordered.
 * @param scores Score of each ordinal.
 */
export function bestFirst(ordinals: Uint32Array, count: number, scores: Float32Array, k: number): Uint32Array {
  const size = Math.min(k, count);
  if (size === 0) return new Uint32Array(0);
  const before = (a: number, b: number): boolean => {
    const difference = scores[a]! - scores[b]!;
    return difference > 0 || (difference === 0 && a < b);
  };
  // A heap of the best seen so far, the worst of them on top, in the first `size` places.
  for (let place = (size >> 1) - 1; place >= 0; place--) sink(ordinals, size, place, before);
  for (let place = size; place < count; place++) {
    if (!before(ordinals[place]!, ordinals[0]!)) continue;
    ordinals[0] = ordinals[place]!;
    sink(ordinals, size, 0, before);
  }
  return ordinals.slice(0, size).sort((a, b) => (before(a, b) ? -1 : 1));
}

/** Moves the entry at `place` down until both entries below it come before it. */
function sink(heap: Uint32Array, size: number, place: number, before: (a: number, b: number) => boolean): void {
  const moved = heap[place]!;
  for (;;) {
    let below = 2 * place + 1;
    if (below >= size) break;
    if (below + 1 < size && before(heap[below]!, heap[below + 1]!)) below++;
    if (!before(moved, heap[below]!)) break;
    heap[place] = heap[below]!;
    place = below;
  }
  heap[place] = moved;
}
