/**
 * Numbers from 0 to below 1, the same for the same seed: mulberry32 (Tommy Ettinger, 2017, public domain). Made-up data, fits and
 * intervals are drawn with it, so another sequence would change what was measured.
 */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
