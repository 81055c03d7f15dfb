/** What a map entry, a key and a typed array weigh beside the numbers themselves. */
const ENTRY_BYTES = 250;

/** Vectors by key within a number of bytes; the one that was not used for the longest time leaves first. */
export interface VectorMemory {
  get(key: string): Float32Array | undefined;
  set(key: string, vector: Float32Array): void;
}

export function createVectorMemory(maxBytes: number, dimensions: number): VectorMemory {
  const capacity = Math.floor(maxBytes / (dimensions * 4 + ENTRY_BYTES));
  // A map keeps the order of insertion, so that its first key is the one to go.
  const vectors = new Map<string, Float32Array>();
  return {
    get(key) {
      const vector = vectors.get(key);
      if (vector === undefined) return undefined;
      vectors.delete(key);
      vectors.set(key, vector);
      return vector;
    },
    set(key, vector) {
      vectors.delete(key);
      vectors.set(key, vector);
      if (vectors.size <= capacity) return;
      const [oldest] = vectors.keys();
      if (oldest !== undefined) vectors.delete(oldest);
    },
  };
}
