/**
 * The random numbers of the native trainer: xoshiro128++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), a stream
 * of its own for each purpose, so that nothing depends on who draws first and a checkpoint holds no state.
 */

/** What a stream is for. */
export const purposes = { order: 1, pool: 2, sets: 3, noise: 4 } as const;

const golden = 0x9e37_79b9;
const words = 2 ** 32;

/** A stream. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** The stream of a purpose; `number` is the batch or the query that it is for. */
  constructor(seed: number, stage: number, epoch: number, purpose: number, number: number) {
    let hash = seed | 0;
    for (const key of [stage, epoch, purpose, number]) hash = mix(hash ^ mix((key + golden) | 0));
    const next = (): number => {
      hash = (hash + golden) | 0;
      return mix(hash);
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    // The generator stands still at four zeros.
    this.#d = next() | 1;
  }

  /** 32 bits. */
  word(): number {
    const [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    const result = (rotate((a + d) | 0, 7) + a) >>> 0;
    const [third, fourth] = [c ^ a, d ^ b];
    this.#a = a ^ fourth;
    this.#b = b ^ third;
    this.#c = third ^ (b << 9);
    this.#d = rotate(fourth, 11);
    return result;
  }

  /** A number from 0 to below 1. */
  fraction(): number {
    return this.word() / words;
  }

  /** A number below `bound`, which is 1 to 2^20: the product is exact. */
  below(bound: number): number {
    return Math.floor((this.word() * bound) / words);
  }

  /** True half of the time. */
  coin(): boolean {
    return this.word() >= words / 2;
  }

  /** Moves `count` random members of `values` to its beginning, in random order. */
  choose(values: Uint32Array, count: number): void {
    for (let position = 0; position < Math.min(count, values.length); position += 1) {
      const other = position + this.below(values.length - position);
      const value = values[position]!;
      values[position] = values[other]!;
      values[other] = value;
    }
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** The finaliser of MurmurHash3. */
function mix(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2_ae35);
  return second ^ (second >>> 16);
}
